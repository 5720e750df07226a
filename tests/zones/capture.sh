#!/usr/bin/env bash
# Captures what OTP's erl prints for zones.erl in several time zones: run it by hand where Erlang/OTP 25 and the zone database are installed.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
erlc -o "$work" zones.erl
for zone in Europe/Berlin America/New_York Australia/Lord_Howe Asia/Kolkata UTC CET-1CEST,M3.5.0,M10.5.0/3; do
    (cd "$work" && TZ=$zone erl -noshell -s zones main -s init stop) > "${zone//[\/,]/_}.txt"
done
