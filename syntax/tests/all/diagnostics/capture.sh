#!/usr/bin/env bash
# Captures what `erlc` of OTP 25 says of the wrong modules in cases.txt: `CASE line:column: message`, sorted.
# A case is the text between two lines `%%%%`, behind `-module(caseN).` and `-export([main/0]).`.
set -euo pipefail
cd "$(dirname "$0")"
here=$PWD
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
awk -v out="$out" 'function head() { n++; file = out "/case" n ".erl"; printf "-module(case%d).\n-export([main/0]).\n", n > file }
    BEGIN { head() } /^%%%%$/ { close(file); head(); next } { print > file }' cases.txt
cd "$out"
for file in case*.erl; do
    erlc +'{error_location,column}' +brief "$file" || true
done 2>&1 | sed -nE 's/^case([0-9]+)\.erl:([0-9]+:[0-9]+): (.*)$/\1 \2: \3/p' | sort -t: -k1.1,1V -k2n,2 -k3,3 >"$here/cases.expected"
