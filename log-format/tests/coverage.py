#!/usr/bin/env python3
"""Which lines of the reader the fuzz tests reach, counted by callgrind (llvm's tools need not be installed).

  cargo test --package retell-log-format --test main --no-run        # names the test's executable
  FUZZ_ROUNDS=2000 RAYON_NUM_THREADS=1 valgrind --tool=callgrind --dump-line=yes --callgrind-out-file=cg.out EXECUTABLE --test-threads=1 flips_behind noise_behind
  coverage.py EXECUTABLE cg.out

Lines are those of log-format/src that the executable has code for; declarations with derived code count too."""
import collections
import re
import subprocess
import sys


def part(path):
    """trace for log-format/src/trace.rs and for what lies in log-format/src/trace/."""
    return path.rstrip(":").split("log-format/src/")[-1].split("/")[0].removesuffix(".rs")


def lines_with_code(executable):
    """From the line table, by part of the crate."""
    have, inside, file = collections.defaultdict(set), False, None
    table = subprocess.run(["objdump", "--dwarf=decodedline", executable], capture_output=True, text=True, errors="replace")
    for line in table.stdout.splitlines():
        if line.strip().endswith(":") and ".rs" in line:
            inside, file = "log-format/src" in line, part(line.strip())
            continue
        words = line.split()
        if inside and len(words) >= 3 and words[0].endswith(".rs") and words[1].isdigit():
            have[file].add(int(words[1]))
    return have


def lines_run(profile):
    """From callgrind's file: positions are absolute, or differences to the line before; files are named once."""
    run, names, file, at = collections.defaultdict(set), {}, None, 0
    for line in open(profile, errors="replace"):
        line = line.rstrip()
        named = re.match(r"(fl|fi|fe|cfi|cfl)=\((\d+)\)(?: (.*))?$", line)
        if named:
            kind, number, name = named.groups()
            if name:
                names[number] = name
            if not kind.startswith("c"):
                file = names[number]
        elif line and line[0] in "0123456789+-*":
            word = line.split()[0]
            if word[0] in "+-":
                at += int(word)
            elif word != "*":
                at = int(word)
            if file and "log-format/src" in file:
                run[part(file)].add(at)
    return run


def main(executable, profile):
    have, run = lines_with_code(executable), lines_run(profile)
    for file in ["section", "trace", "index", "block", "decode", "reader", "record", "varint"]:
        lines = have[file] | run[file]
        missed = sorted(lines - run[file])
        print(f"{file}: {len(run[file])} of {len(lines)} lines ({100 * len(run[file]) // max(1, len(lines))} %); not {missed}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
