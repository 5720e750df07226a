#!/bin/sh
# Captures errors.txt from a real Erlang/OTP 25.
set -e
cd "$(dirname "$0")"
dir=$(mktemp -d)
erlc -o "$dir" errors.erl
erl -noshell -pa "$dir" -eval '[io:format("~p~n", [X]) || X <- errors:go()], halt().' > errors.txt
rm -r "$dir"
