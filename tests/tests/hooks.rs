//! Hooks and specifications of Common Test. What hooks are told, and in which order, is what OTP 25 tells them.

use tests::Folder;

const HOOK: &str = "-module(NAME_hook).
-compile([export_all, nowarn_export_all]).
told(What) -> {ok, D} = file:open(\"told\", [append]), io:format(D, \"NAME ~0p~n\", [What]), file:close(D).
id(Opts) -> {?MODULE, Opts}.
init(_, Opts) -> told({init, Opts}), {ok, Opts}.
pre_init_per_suite(S, C, St) -> told({pre, S}), {[{from_hook, St} | C], St}.
post_end_per_suite(S, _, R, St) -> told({post_end, S, R}), {R, St}.
post_init_per_group(_, G, _, R, St) -> told({group, G}), {R, St}.
pre_init_per_testcase(_, skipped, _, St) -> {{skip, by_hook}, St};
pre_init_per_testcase(_, T, C, St) -> {[{case_hook, T} | C], St}.
post_init_per_testcase(_, adds, C, ok, St) -> {[{added, 1} | C], St};
post_init_per_testcase(_, _, _, R, St) -> {R, St}.
post_end_per_testcase(_, turned, _, ok, St) -> {{fail, turned}, St};
post_end_per_testcase(_, T, _, R, St) -> told({T, case R of {error, {lost, [_ | _]}} -> lost; _ -> R end}), {R, St}.
on_tc_fail(_, T, R, St) -> told({failed, T, case R of {W, [_ | _]} -> W; _ -> R end}), St.
on_tc_skip(_, T, R, St) -> told({skipped, T, R}), St.
terminate(_) -> told(terminate).
";

const SUITE: &str = "-module(shop_SUITE).
-compile([export_all, nowarn_export_all]).
suite() -> [{ct_hooks, [{own_hook, own}]}].
all() -> [adds, turned, skipped, lost, {group, g}].
groups() -> [{g, [], [inner]}].
init_per_suite(C) -> [outer, own] = lists:sort(proplists:get_all_values(from_hook, C)), C.
end_per_suite(_) -> ok.
adds(C) -> 1 = proplists:get_value(added, C), adds = proplists:get_value(case_hook, C).
turned(_) -> ok.
skipped(_) -> error(not_skipped).
lost(_) -> error(lost).
inner(_) -> ok.
";

const TOLD: &str = "outer {init,outer}
own {init,own}
outer {pre,shop_SUITE}
own {pre,shop_SUITE}
own {adds,ok}
outer {adds,ok}
outer {turned,{fail,turned}}
outer {failed,turned,turned}
own {failed,turned,turned}
outer {skipped,skipped,{tc_user_skip,by_hook}}
own {skipped,skipped,{tc_user_skip,by_hook}}
own {lost,lost}
outer {lost,lost}
outer {failed,lost,lost}
own {failed,lost,lost}
outer {group,g}
own {group,g}
own {inner,ok}
outer {inner,ok}
own {post_end,shop_SUITE,ok}
own terminate
outer {post_end,shop_SUITE,ok}
outer terminate
";

#[test]
fn hooks_are_called_around_everything_and_change_results() {
    let folder = Folder::new("hooks");
    for (file, text) in [
        (
            "rebar.config",
            "{ct_opts, [{ct_hooks, [cth_surefire, {outer_hook, outer}]}]}.\n".to_owned(),
        ),
        ("src/shop.app.src", "{application, shop, []}.\n".to_owned()),
        ("test/outer_hook.erl", HOOK.replace("NAME", "outer")),
        ("test/own_hook.erl", HOOK.replace("NAME", "own")),
        ("test/shop_SUITE.erl", SUITE.to_owned()),
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    }
    let outcome = folder.tracer(["test", "--seed", "1"]).expect(1);
    assert!(
        outcome.stderr.contains("5 tests: 2 failed, 1 skipped, 2 passed"),
        "{}",
        outcome.stderr
    );
    let told = std::fs::read_to_string(folder.path().join("told")).expect("it was written");
    // The innermost ends first, and each hook with its last call.
    let sorted_ends = |text: &str| -> Vec<String> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let ends = lines.len().saturating_sub(4);
        lines[ends..].sort_unstable();
        lines
    };
    assert_eq!(sorted_ends(&told), sorted_ends(TOLD), "{told}");
    folder.replay(["verify", "latest"]).expect(0);
}

const SPECIFIED: &str = "{logdir, \".\"}.
{alias, here, \"./test\"}.
{cases, here, one_SUITE, [b]}.
{groups, \"test\", one_SUITE, g, {cases, [d]}}.
{suites, here, [two_SUITE]}.
{skip_cases, here, two_SUITE, [a], \"not now\"}.
{skip_groups, here, two_SUITE, h, \"no h\"}.
{node, other, 'other@host'}.
";

/// As `ct_run -spec`: 5 pass, and 2 are skipped.
#[test]
fn a_specification_says_what_runs() {
    let folder = Folder::new("specification");
    let suite = |name: &str| {
        format!(
            "-module({name}).\n-compile([export_all, nowarn_export_all]).\nall() -> [a, b, {{group, g}}, {{group, h}}].\ngroups() -> [{{g, [], [c, d]}}, {{h, [], [e]}}].\na(_) -> ok.\nb(_) -> ok.\nc(_) -> ok.\nd(_) -> ok.\ne(_) -> ok.\n"
        )
    };
    for (file, text) in [
        ("rebar.config", "{ct_opts, [{spec, \"some.spec\"}]}.\n".to_owned()),
        ("some.spec", SPECIFIED.to_owned()),
        ("src/shop.app.src", "{application, shop, []}.\n".to_owned()),
        ("test/one_SUITE.erl", suite("one_SUITE")),
        ("test/two_SUITE.erl", suite("two_SUITE")),
        ("test/three_SUITE.erl", suite("three_SUITE")),
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    }
    let outcome = folder.tracer(["test", "--seed", "1"]).expect(0);
    for says in [
        "7 tests: 2 skipped, 5 passed; 2 modules",
        "some.spec:8: node is not applied",
    ] {
        assert!(outcome.stderr.contains(says), "{}", outcome.stderr);
    }
}
