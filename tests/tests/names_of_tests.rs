//! What is printed as the name of a test names it in `-k`, in `tracer hunt -k` and in `--entry`; what names nothing is an error.

use tests::Folder;

const UNIT: &str = r#"-module(par_tests).
-include_lib("eunit/include/eunit.hrl").
plain_test() -> ok.
param_test_() -> [{"case " ++ integer_to_list(N), ?_assertEqual(N, par:id(N))} || N <- [1, 2, 3]].
lines_test_() ->
    [?_assert(true),
     ?_assert(par:id(true))].
funs_test_() -> [fun par:check/0, fun local/0].
local() -> ok = par:check().
db_test_() -> {setup, fun start/0, fun(_) -> ok end, [{"with a database", fun query/0}]}.
start() -> ok.
query() -> ok.
"#;

const SUITE: &str = r"-module(par_SUITE).
-export([all/0, groups/0, one/1, two/1, three/1, init_per_suite/1, end_per_suite/1]).
all() -> [{group, fast}, three].
groups() -> [{fast, [], [one, {group, inner}]}, {inner, [], [two]}].
init_per_suite(C) -> C.
end_per_suite(_) -> ok.
one(_) -> ok.
two(_) -> ok.
three(_) -> ok.
";

fn project() -> Folder {
    let folder = Folder::new("names");
    folder.write(
        "src/par.erl",
        "-module(par).\n-export([check/0, id/1]).\ncheck() -> ok.\nid(X) -> X.\n",
    );
    folder.write("test/par_tests.erl", UNIT);
    folder.write("test/par_SUITE.erl", SUITE);
    folder
}

/// Names of tests, and how many tests they name.
const NAMES: [(&str, usize); 17] = [
    ("par_tests:plain_test", 1),
    ("par_tests:param_test_", 3),
    ("par_tests:param_test_:4/2", 3),
    ("case 2", 1),
    ("par_tests:lines_test_:7", 1),
    ("par_tests:7: lines_test_", 1),
    ("par:check", 1),
    ("par_tests:local", 1),
    ("par_tests: local", 1),
    ("par_tests:query", 1),
    ("with a database", 1),
    ("par_tests:start:setup", 8),
    ("par_SUITE:one", 1),
    ("par_SUITE:two", 1),
    ("fast", 2),
    ("inner", 1),
    ("par_SUITE:init_per_suite", 3),
];

#[test]
fn a_test_is_named_as_it_is_printed() {
    let folder = project();
    for (name, tests) in NAMES {
        let outcome = folder.tracer(["test", "--keep", "none", "-k", name]).expect(0);
        let said = match tests {
            1 => "the test passed".to_owned(),
            n => format!("all {n} tests passed"),
        };
        assert!(outcome.stderr.contains(&said), "{name}: {}", outcome.stderr);
    }
}

#[test]
fn a_hunt_and_an_entry_take_the_same_names() {
    let folder = project();
    for name in ["par_tests:local", "par_tests:lines_test_:7", "par_SUITE:two"] {
        folder
            .tracer(["hunt", "-k", name, "--runs", "2"])
            .expect(0)
            .says(&["2 runs", "none failed"]);
    }
    let file = |name: &str| match name.split_once(':') {
        Some(("par_SUITE", _)) => "test/par_SUITE.erl",
        _ => "test/par_tests.erl",
    };
    for name in [
        "par_tests:lines_test_:7",
        "par_tests:local",
        "par_tests:query",
        "par_SUITE:one",
        "par_SUITE:inner",
    ] {
        let args = ["run", "--no-trace", "--entry", name, file(name), "src/par.erl"];
        let out = folder.tracer(args).expect(0).out();
        assert!(
            out.contains("Test passed") || out.contains("1 ok of 1 test cases"),
            "{name}: {out}"
        );
    }
}

#[test]
fn a_name_that_means_nothing_is_an_error_with_the_nearest_names() {
    let folder = project();
    let nearest = "the nearest names are par_tests:local";
    folder
        .tracer(["test", "-k", "par_tests:lcoal"])
        .expect(66)
        .says(&[nearest]);
    folder
        .tracer(["test", "-k", "par_tests:lcoal", "--runs", "2"])
        .expect(66)
        .says(&[nearest]);
    folder
        .tracer(["test", "-k", "plain_test", "-k", "nowhere"])
        .expect(66)
        .says(&["the test passed", "no test has `nowhere` in its name or description"]);
    folder
        .tracer(["hunt", "-k", "par_tests:lcoal", "--runs", "5"])
        .expect(66)
        .says(&[nearest]);
    folder
        .tracer(["hunt", "-k", "par_SUITE:tow", "--runs", "5"])
        .expect(66)
        .says(&["the nearest names are par_SUITE:two"]);
    let entry = [
        "hunt",
        "--entry",
        "par_tests:lcoal",
        "test/par_tests.erl",
        "src/par.erl",
    ];
    folder.tracer(entry).expect(66).says(&[nearest]);
    folder
        .tracer(["run", "--entry", "par:chekc", "src/par.erl"])
        .expect(64)
        .says(&["the nearest of its exports: check"]);
}

/// A test case of two groups is two, each with its group in its name.
#[test]
fn a_case_of_two_groups_is_two() {
    let folder = Folder::new("groups");
    let suite = "-module(two_SUITE).\n-export([all/0, groups/0, pays/1, init_per_group/2, end_per_group/2]).\n\
        all() -> [{group, card}, {group, cash}].\ngroups() -> [{card, [], [pays]}, {cash, [], [pays]}].\n\
        init_per_group(Group, C) -> [{by, Group} | C].\nend_per_group(_, _) -> ok.\n\
        pays(C) -> card = proplists:get_value(by, C).\n";
    folder.write("test/two_SUITE.erl", suite);
    let test = |name: &str| folder.tracer(["test", "--keep", "none", "-k", name]);
    test("two_SUITE:pays")
        .expect(1)
        .says(&["two_SUITE:cash:pays", "1 failed"]);
    test("two_SUITE:card:pays").expect(0).says(&["the test passed"]);
    test("two_SUITE:cash:pays")
        .expect(1)
        .says(&["two_SUITE:cash:pays failed"]);
    folder.write("test/two_SUITE.erl", suite.replace("card = ", "none = "));
    folder.tracer(["test", "-q"]).expect(1);
    // One of them is mended.
    folder.write("test/two_SUITE.erl", suite);
    folder
        .replay(["check", "_traces"])
        .expect(1)
        .prints(&["fixed: two_SUITE:card:pays", "still fails: two_SUITE:cash:pays"]);
}

/// A hunt says nothing of a program that does not compile, as the tests do.
#[test]
fn a_hunt_refuses_what_does_not_compile() {
    let folder = project();
    folder.write(
        "src/par.erl",
        "-module(par).\n-export([check/0, id/1]).\ncheck() -> X.\nid(X) -> X.\n",
    );
    let place = ["variable 'X' is unbound", "src/par.erl:3:12"];
    folder.tracer(["test", "-k", "par_tests:local"]).expect(64).says(&place);
    folder
        .tracer(["hunt", "-k", "par_tests:local", "--runs", "5"])
        .expect(64)
        .says(&place);
    folder.write(
        "main.erl",
        "-module(main).\n-export([main/0]).\nmain() -> par:check().\n",
    );
    folder.write("par.erl", "-module(par).\n-export([check/0]).\ncheck() -> X.\n");
    folder
        .tracer(["hunt", "main.erl", "--runs", "5"])
        .expect(64)
        .says(&["variable 'X' is unbound"]);
}
