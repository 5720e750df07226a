#!/usr/bin/env bash
# Makes the logs again: make.sh DIR, where DIR/ebin holds CauDEr's tracer, compiled (cauder_tracer and the modules that it uses). Needs erl.
set -eu
ebin=$(cd "$1" && pwd)/ebin
here=$(cd "$(dirname "$0")" && pwd)
trace() { # MODULE TIMEOUT-MS [ARGUMENTS [FLAGS]]
    rm -rf "$here/$1"
    (cd "$here/programs" && timeout 120 erl -noshell ${4:-} -pa "$ebin" -eval \
        "cauder_tracer:trace($1, main, ${3:-[]}, [{dir,\".\"},{output,\"../$1\"},{timeout,$2},{stamp_mode,centralized}]), halt().") >/dev/null
}
for module in sleep_race retry heartbeat sleepers nobody_there killed_later linked_later early_look late_sends look_then_wait \
    library_helpers plain_sends; do
    trace $module 5000
done
trace ticks 300
(cd "$here/programs" && erlc plain_logger.erl) && trace logged_elsewhere 5000 && rm "$here/programs/plain_logger.beam"
trace odd_arguments 5000 "[['a\\rb\\e', '\\x{65E5}', \"t\\\\\", <<\"bits\">>, 1.5, #{k => [97,98]}, 'fun', '\\001'], fun lists:reverse/1]"
trace nodes_again 20000 '[]' '-sname fixture@vm'
trace unreachable 60000 '[]' '-sname fixture@vm'
