"""Runs the queries of a page (```sql) over the tables in a folder, and compares the answers with what the page shows after each (```text).
BLESS=1 writes them into the page."""
import os
import re
import sys

import duckdb

page, folder, hostile = sys.argv[1:]
text = open(page, encoding="utf-8").read()
os.chdir(os.path.dirname(os.path.abspath(folder)))
base = duckdb.connect()
wrong = []


def cell(value):
    return "" if value is None else str(value)


def answer(sql):
    cursor = base.execute(sql)
    if cursor.description is None or "CREATE" in sql:
        return ""
    rows = [[column[0] for column in cursor.description]] + [[cell(v) for v in row] for row in cursor.fetchall()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "".join("  ".join(v.ljust(w) for v, w in zip(row, widths)).rstrip() + "\n" for row in rows)


def one(match):
    found = answer(match.group(1))
    if len(found.splitlines()) < 2 and "CREATE" not in match.group(1):
        wrong.append(f"no rows: {match.group(1)}")
    if found != (match.group(3) or ""):
        wrong.append(f"{match.group(1)}\n{found}")
    return f"```sql\n{match.group(1)}```\n" + (f"\n```text\n{found}```\n" if found else "")


done, queries = re.subn(r"```sql\n(.*?)```\n(\n```text\n(.*?)```\n)?", one, text, flags=re.S)
assert queries >= 5, queries
# Texts of any kind are cells.
rows = base.execute(f"SELECT count(*), count(DISTINCT number) FROM read_csv('{hostile}/actions.csv', header = true)").fetchone()
lines = sum(1 for _ in open(f"{hostile}/actions.csv", encoding="utf-8")) - 1
assert rows[0] == lines, (rows, lines)
if os.environ.get("BLESS"):
    open(page, "w", encoding="utf-8").write(done)
elif wrong:
    sys.exit("\n".join(wrong))
print(f"{queries} queries")
