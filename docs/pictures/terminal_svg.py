#!/usr/bin/env python3
"""Turns a command's coloured output into an SVG picture of a terminal.

Reads the output from standard input, writes the SVG to standard output. Standard library only.
  replay --color always demo | docs/pictures/terminal_svg.py '$ replay demo' > demo.svg
The picture has its own dark background, so it can be read on a light and on a dark page.
"""
import html
import re
import sys

FONT_SIZE, CHAR_WIDTH, LINE_HEIGHT, MARGIN = 14, 8.43, 19, 16
BACKGROUND, PLAIN, DIM, PROMPT = "#1c2128", "#d5dbe3", "#9aa5b1", "#7ee787"
COLOURS = {"31": "#ff8f8a", "32": "#7ee787", "33": "#f0c674", "34": "#8ab8ff", "35": "#d2a8ff", "36": "#76e3ea"}
ESCAPE = re.compile(r"\x1b\[([0-9;]*)m")


def runs(line):
    """The line as (text, codes) pieces, `codes` being the SGR codes in force."""
    codes, start = set(), 0
    for escape in ESCAPE.finditer(line):
        yield line[start:escape.start()], frozenset(codes)
        for code in escape[1].split(";"):
            codes = set() if code in ("", "0") else codes | {code}
        start = escape.end()
    yield line[start:], frozenset(codes)


def attributes(codes):
    colour = next((COLOURS[code] for code in sorted(codes) if code in COLOURS), DIM if "2" in codes else PLAIN)
    return f'fill="{colour}"' + (' font-weight="bold"' if "1" in codes else "")


def picture(lines):
    plain = [ESCAPE.sub("", line) for line in lines]
    width = round(max(map(len, plain)) * CHAR_WIDTH + 2 * MARGIN)
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    yield f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}" stroke="#57606a"/>'
    style = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
    yield f'<g font-family="{style}" font-size="{FONT_SIZE}">'
    for number, line in enumerate(lines):
        y = MARGIN + number * LINE_HEIGHT + FONT_SIZE
        spans, column = [], 0
        for text, codes in runs(line):
            if text.strip():
                look = f'fill="{PROMPT}"' if line.startswith("$ ") else attributes(codes)
                # Every piece is as wide as its characters, whichever monospaced font the reader has.
                shown = text.strip(" ")
                x, length = MARGIN + (column + len(text) - len(text.lstrip(" "))) * CHAR_WIDTH, len(shown) * CHAR_WIDTH
                shown = html.escape(shown).replace(" ", "&#160;")
                spans.append(f'<tspan x="{x:.1f}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs" {look}>{shown}</tspan>')
            column += len(text)
        if spans:
            yield f'<text y="{y}">{"".join(spans)}</text>'
    yield "</g></svg>"


if __name__ == "__main__":
    # The time that a replay took is different each time; without it the picture stays the same.
    output = [re.sub(r", in [0-9.]+ (µs|ms|s)", "", line) for line in sys.stdin.read().rstrip("\n").split("\n")]
    print("\n".join(picture(sys.argv[1:] + output)))
