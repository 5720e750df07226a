#!/usr/bin/env bash
# Counts what comes of each program of this folder in 1,000 runs under a real Erlang/OTP 25, and writes counts.txt: PROGRAM OUTCOME COUNT.
# The test `what_erlang_shows_is_possible_and_what_is_excluded_it_never_shows` compares.
set -euo pipefail
cd "$(dirname "$0")"
release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
[ "$release" = 25 ] || { echo "the counts are those of Erlang/OTP 25; this is $release" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
erlc -DCAPTURE -o "$work" ./*.erl
programs=$(printf '%s,' delivery_*.erl | sed -e 's/\.erl//g' -e 's/,$//')
erl -noshell +S 2 -pa "$work" -eval "capture:main(1000, [$programs])." >counts.txt
