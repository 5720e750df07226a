#!/usr/bin/env bash
# Captures the expected results of the conformance programs from a real Erlang/OTP 25, or, with OTP28=DIR, from the OTP 28 in that folder.
#
#   tests/capture.sh                  captures the programs that have no expected output yet
#   tests/capture.sh --bless [FILE…]  captures all programs, or the given ones, again
#   tests/capture.sh --check [FILE…]  captures nothing; fails where the tree differs from the installed OTP
#
# Beside PROGRAM.erl it writes PROGRAM.out (standard output, byte for byte), PROGRAM.status (only when the exit
# status is not 0) and PROGRAM.err (standard error without its times and pids; only when there is any).
# With OTP28, the same as PROGRAM.out28, PROGRAM.status28 and PROGRAM.err28, only where they differ from those of 25. The programs are compiled by
# the `erlc` of the PATH and run by OTP28/bin/erl. Those of newer/ have files of 28 only; what that `erlc` does not take is evaluated. `uncaptured28.txt` lists the programs that this 28 cannot run.
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
erl=erl wanted=25 suffix=
if [ -n "${OTP28:-}" ]; then
    erl=$OTP28/bin/erl wanted=28 suffix=28
fi
release=$("$erl" -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
if [ "$release" != "$wanted" ]; then
    echo "the expected output is that of Erlang/OTP $wanted; this is $release" >&2
    exit 1
fi
otp=$(erl -noshell -eval 'io:put_chars(code:root_dir()), halt().')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/ebin"
erlc -o "$work/ebin" harness.erl

# A program is a file that exports main/0; other modules belong to one.
programs() {
    if [ -n "$suffix" ]; then
        grep -l '^-export(\[main/0' -- */*.erl | grep -v -x -F -f <(sed -nE 's/^([^#:]*):.*/\1.erl/p' uncaptured28.txt) | sort
    else
        grep -l '^-export(\[main/0' -- */*.erl | grep -v '^newer/' | sort
    fi
}

# What differs in every run, or between machines: times, pids, references, numbers of funs, sizes of heaps and stacks, reductions, the lines
# of library modules, and line breaks beside a reference, which is longer in OTP. `normalise` in tests/tests/conformance.rs does the same.
library=$(cd ../../interpreter/lib && printf '%s|' *.erl | sed -e 's/\.erl//g' -e 's/|$//')
normalise() {
    sed -E -e 's/(REPORT====) .* ===/\1/' -e 's/<0\.[0-9]+\.0>/<pid>/g' -e 's/#Ref<[0-9.]+>/<ref>/g' -e 's/-fun-[0-9]+-/-fun-N-/g' \
        -e 's/((heap_size|stack_size|reductions): )[0-9]+$/\1N/' \
        -e "s/(\((${library})\.erl(, line |:))[0-9]+\)/\1N)/" \
        -e "s/(\{file,\"(${library})\.erl\"\},\{line,)[0-9]+\}/\1N}/g" "$1" |
        sed -E -e ':a;$!{N;ba}' -e 's/\{<pid>,\n? *\[alias\|<ref>\]\}(\}?),\n? */{<pid>,[alias|<ref>]}\1,/g' \
            -e "s/,\\n *\[\{file,\"(${library})\.erl\"\}/,[{file,\"\1.erl\"}/g"
}

capture_one() {
    local program=$1 base=${1%.erl} name out status=0 evaluated=
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
    ) || evaluated=yes
    # What is newer than the compiler is evaluated.
    if [ -n "$evaluated" ] && { [ -z "$suffix" ] || [[ $program != newer/* ]]; }; then
        echo "$program does not compile:" >&2
        cat "$work/$name.compile" >&2
        return 1
    elif [ -n "$evaluated" ]; then
        LC_ALL=C.UTF-8 PATH=$OTP28/bin:$PATH timeout 60 "$OTP28/bin/escript" ../oracle/eval.escript "$program" \
            >"$work/$name.out" 2>"$work/$name.err" </dev/null || status=$?
    else
        # shellcheck disable=SC2086
        # By the environment, so that nodes which the program starts find the code too.
        LC_ALL=C.UTF-8 ERL_FLAGS="-pa $work/ebin $out" timeout 60 "$erl" -noshell $alive \
            -kernel logger '[{handler,default,logger_std_h,#{config=>#{type=>standard_error}}}]' \
            -s harness run "$name" >"$work/$name.out" 2>"$work/$name.err" </dev/null || status=$?
    fi
    if [ "$status" = 124 ]; then
        echo "$program does not end" >&2
        return 1
    fi
    normalise "$work/$name.err" >"$work/$name.err.n"
    : >"$work/$name.status"
    [ "$status" = 0 ] || echo "$status" >"$work/$name.status"
    local kind from old
    for kind in out status err; do
        from=$work/$name.$kind
        [ "$kind" = err ] && from=$work/$name.err.n
        # What is expected now; of 28, what 25 gives unless something else is there.
        old=$base.$kind$suffix
        [ -e "$old" ] || old=$base.$kind
        if [ "$mode" = check ]; then
            if ! cmp -s "$from" <(cat "$old" 2>/dev/null || true); then
                echo "$old is not what OTP $release gives:" >&2
                diff <(cat "$old" 2>/dev/null || true) "$from" | head -20 >&2 || true
                return 1
            fi
        elif [ -n "$suffix" ]; then
            if cmp -s "$from" <(cat "$base.$kind" 2>/dev/null || true); then
                rm -f "$base.$kind$suffix"
            else
                cp "$from" "$base.$kind$suffix"
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
    list=$(programs | while read -r program; do [ -e "${program%.erl}.out" ] || [ -e "${program%.erl}.out$suffix" ] || echo "$program"; done)
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
