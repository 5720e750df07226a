#!/usr/bin/env bash
# Captures what `erlc` of OTP 25 says of the modules here, sorted by place.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for file in *.erl; do
    erlc -o "$out" +'{error_location,column}' "$file" | grep "^$file" | sed "s/^$file:\([0-9:]*\): Warning: /\1: /" | sort -t: -k1n,1 -k2n,2 -k3,3 >"${file%.erl}.warnings"
done
