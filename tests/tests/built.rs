//! What a program is told of the folders that a build of rebar3 makes.

use tests::Folder;

const TEXT: &str = "-module(shop_tests).
-include_lib(\"eunit/include/eunit.hrl\").
where_test() ->
    {ok, Root} = file:get_cwd(),
    Lib = Root ++ \"/_build/test/lib/shop\",
    Lib = code:lib_dir(shop),
    Priv = Lib ++ \"/priv\",
    Priv = code:priv_dir(shop),
    Ebin = Lib ++ \"/ebin/shop.beam\",
    Ebin = code:which(shop),
    Test = Lib ++ \"/test/shop_tests.beam\",
    Test = code:which(?MODULE),
    {ok, <<\"pears\">>} = file:read_file(filename:join(Priv, \"list\")),
    {ok, <<\"pears\">>} = file:read_file(filename:join([filename:dirname(code:which(shop)), \"..\", \"priv\", \"list\"])),
    ok = file:write_file(filename:join(Priv, \"more\"), \"plums\"),
    [_, _] = filelib:wildcard(Priv ++ \"/*\").
";

/// Under OTP it is the same. Nothing is built.
#[test]
fn a_project_is_told_of_its_build_and_reads_its_own_files() {
    let folder = Folder::new("told-of-build");
    for (file, text) in [
        ("rebar.config", ""),
        ("src/shop.app.src", "{application, shop, []}.\n"),
        ("src/shop.erl", "-module(shop).\n-export([f/0]).\nf() -> ok.\n"),
        ("priv/list", "pears"),
        ("test/shop_tests.erl", TEXT),
    ] {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    }
    let outcome = folder.tracer(["test", "--keep", "all"]).expect(0);
    assert!(outcome.stderr.contains("the test passed"), "{}", outcome.stderr);
    assert_eq!(
        std::fs::read(folder.path().join("priv/more")).expect("it was written"),
        b"plums"
    );
    assert!(!folder.path().join("_build").exists());
    folder.replay(["verify", "latest"]).expect(0);
    folder.tracer(["hunt", "-k", "where", "--runs", "3"]).expect(0);
}
