#!/usr/bin/env bash
# Captures the expected results of the conformance programs from a real Erlang/OTP 25.
#
#   tests/capture.sh                  captures the programs that have no expected output yet
#   tests/capture.sh --bless [FILE…]  captures all programs, or the given ones, again
#   tests/capture.sh --check [FILE…]  captures nothing; fails where the tree differs from the installed OTP
#
# Beside PROGRAM.erl it writes PROGRAM.out (standard output, byte for byte), PROGRAM.status (only when the exit
# status is not 0) and PROGRAM.err (standard error without its times and pids; only when there is any).
# A first line `%% with: A.erl B.erl` names further modules of a program, in the same folder; a first line
# `%% node: NAME` runs it on a node that is alive.
set -euo pipefail
cd "$(dirname "$0")/conformance"
root=$PWD

mode=missing
case "${1:-}" in
    --bless | --check) mode=${1#--}; shift ;;
    -*) echo "usage: tests/capture.sh [--bless | --check] [FILE…]" >&2; exit 2 ;;
esac
release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
if [ "$release" != 25 ]; then
    echo "the expected output is that of Erlang/OTP 25; this is $release" >&2
    exit 1
fi
otp=$(erl -noshell -eval 'io:put_chars(code:root_dir()), halt().')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/ebin"
erlc -o "$work/ebin" harness.erl

# A program is a file that exports main/0; other modules belong to one. Those in newer/ need a later OTP: their output is written by hand.
programs() {
    grep -l '^-export(\[main/0' -- */*.erl | grep -v '^newer/' | sort
}

# What differs in every run, or between machines: times, pids, references, numbers of funs, sizes of heaps and stacks, reductions, the lines
# of library modules, and line breaks beside a reference, which is longer in OTP. `normalise` in tests/tests/conformance.rs does the same.
library=$(cd ../../interpreter/lib && printf '%s|' *.erl | sed -e 's/\.erl//g' -e 's/|$//')
normalise() {
    sed -E -e 's/(REPORT====) .* ===/\1/' -e 's/<0\.[0-9]+\.0>/<pid>/g' -e 's/#Ref<[0-9.]+>/<ref>/g' -e 's/-fun-[0-9]+-/-fun-N-/g' \
        -e 's/((heap_size|stack_size|reductions): )[0-9]+$/\1N/' \
        -e "s/(\((${library})\.erl, line )[0-9]+\)/\1N)/" \
        -e "s/(\{file,\"(${library})\.erl\"\},\{line,)[0-9]+\}/\1N}/g" "$1" |
        sed -E -e ':a;$!{N;ba}' -e 's/\{<pid>,\n? *\[alias\|<ref>\]\}(\}?),\n? */{<pid>,[alias|<ref>]}\1,/g' \
            -e "s/,\\n *\[\{file,\"(${library})\.erl\"\}/,[{file,\"\1.erl\"}/g"
}

capture_one() {
    local program=$1 base=${1%.erl} name out status=0
    name=$(basename "$base")
    if compgen -G "$otp/lib/*/ebin/$name.beam" >/dev/null; then
        echo "$program has the name of a module of OTP" >&2
        return 1
    fi
    out=$work/ebin-$name
    mkdir -p "$out"
    local also
    also=$(sed -nE '1s/^%% with: (.*)$/\1/p' "$program")
    local alive
    alive=$(sed -nE '1s/^%% node: (.*)$/-sname \1/p' "$program")
    (
        cd "$(dirname "$program")"
        # Warnings are not errors: some programs show what happens to code that the compiler warns about.
        # shellcheck disable=SC2086
        erlc +nowarn_unused_vars +debug_info -o "$out" "$name.erl" $also >"$work/$name.compile" 2>&1
    ) || { echo "$program does not compile:" >&2; cat "$work/$name.compile" >&2; return 1; }
    # shellcheck disable=SC2086
    # By the environment, so that nodes which the program starts find the code too.
    LC_ALL=C.UTF-8 ERL_FLAGS="-pa $work/ebin $out" timeout 60 erl -noshell $alive \
        -kernel logger '[{handler,default,logger_std_h,#{config=>#{type=>standard_error}}}]' \
        -s harness run "$name" >"$work/$name.out" 2>"$work/$name.err" </dev/null || status=$?
    if [ "$status" = 124 ]; then
        echo "$program does not end" >&2
        return 1
    fi
    normalise "$work/$name.err" >"$work/$name.err.n"
    : >"$work/$name.status"
    [ "$status" = 0 ] || echo "$status" >"$work/$name.status"
    local kind from
    for kind in out status err; do
        from=$work/$name.$kind
        [ "$kind" = err ] && from=$work/$name.err.n
        if [ "$mode" = check ]; then
            if ! cmp -s "$from" <(cat "$base.$kind" 2>/dev/null || true); then
                echo "$base.$kind is not what OTP gives:" >&2
                diff <(cat "$base.$kind" 2>/dev/null || true) "$from" | head -20 >&2 || true
                return 1
            fi
        elif [ "$kind" = out ] || [ -s "$from" ]; then
            cp "$from" "$base.$kind"
        else
            rm -f "$base.$kind"
        fi
    done
}

if [ $# -gt 0 ]; then
    list=$(for file in "$@"; do realpath --relative-to="$root" "$OLDPWD/$file" 2>/dev/null || realpath --relative-to="$root" "$file"; done)
elif [ "$mode" = missing ]; then
    list=$(programs | while read -r program; do [ -e "${program%.erl}.out" ] || echo "$program"; done)
else
    list=$(programs)
fi

failed=0 count=0
for program in $list; do
    capture_one "$program" || failed=1
    count=$((count + 1))
done
echo "$count programs, $([ "$mode" = check ] && echo checked || echo captured)" >&2
exit $failed
