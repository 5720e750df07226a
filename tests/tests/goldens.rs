//! Traces of every released version of the format can be read, verified and replayed by every later version of the tool, and never change.

use std::collections::BTreeSet;

use log_format::{MAJOR, MINOR, Resource, Status, Trace};
use tests::Folder;
use tests::goldens::{Golden, all, contents, line};

/// Features that no run has, and why.
const MISSING: [(&str, &str); 2] = [
    ("read of atom", "existing atoms are observations"),
    ("write of atom", "existing atoms are observations"),
];

/// All that a trace can have something of.
const EVERYTHING: [&str; 72] = [
    "a feature",
    "a macro with a value",
    "a macro",
    "a mailbox with messages",
    "a slice",
    "a trace that was cut",
    "an action with many sends",
    "digests",
    "kind access",
    "kind after",
    "kind drop of nothing",
    "kind drop",
    "kind exit error",
    "kind exit exit",
    "kind exit normal",
    "kind exit throw",
    "kind halt",
    "kind input",
    "kind nodes",
    "kind observe of another",
    "kind observe",
    "kind output",
    "kind rec",
    "kind send",
    "kind signal while running",
    "kind signal while waiting",
    "kind spawn on a node",
    "kind spawn",
    "kind spawn_failed",
    "kind start failed",
    "kind start",
    "kind test failed",
    "kind test",
    "kind version",
    "process ended",
    "process running",
    "process waiting",
    "read of alive",
    "read of atom",
    "read of contents",
    "read of counter",
    "read of env",
    "read of group_leader",
    "read of key",
    "read of module",
    "read of name",
    "read of node",
    "read of other",
    "read of persistent",
    "read of table",
    "run crashed",
    "run cut",
    "run deadlock",
    "run halted",
    "run interrupted",
    "run limit",
    "run returned",
    "run unrecorded",
    "source of format forms",
    "source of format transform",
    "tag end to a link",
    "tag end to a monitor",
    "tag end to an heir",
    "tag limit",
    "tag sent",
    "write of atom",
    "write of counter",
    "write of key",
    "write of module",
    "write of name",
    "write of persistent",
    "write of table",
];

fn goldens() -> Vec<Golden> {
    let all = all();
    assert!(MAJOR == 0 || !all.is_empty(), "fixtures/traces/ is empty");
    all
}

#[test]
fn goldens_never_change() {
    for golden in goldens() {
        assert_eq!(line(&golden.path), golden.line, "{}", golden.path.display());
    }
}

/// Each can be verified (except one whose index was cut, which says so), shown and replayed to its last receive.
#[test]
fn goldens_replay() {
    let folder = Folder::new("goldens-replay");
    for golden in goldens() {
        let path = golden.path.to_string_lossy().into_owned();
        let trace = Trace::open(&golden.path).unwrap();
        let replays = !trace.program().unwrap().sources.is_empty();
        // An index that contradicts the trace is damage; a missing or partial one is not.
        let code = match trace.status() {
            Status::IndexRebuilt { damaged: true, .. } => 65,
            _ => 0,
        };
        let verified = folder.replay(["verify", &path]).expect(code);
        if code == 0 && trace.has_digests().unwrap() {
            assert!(verified.out().contains("as recorded"), "{path}: {}", verified.out());
        }
        folder.replay(["info", "--all", &path]).expect(0);
        let counts = trace.totals().counts;
        if replays
            && counts.receives > 0
            && !trace.is_slice()
            && !path.contains("redacted")
            && !path.contains("scrubbed")
        {
            folder
                .replay(["--until", &format!("rec:{}", counts.receives), &path])
                .expect(0);
        }
    }
}

/// The goldens of the current version have every feature, natives included.
#[test]
fn goldens_have_something_of_everything() {
    let version = format!("{MAJOR}.{MINOR}");
    if !goldens().iter().any(|golden| golden.version == version) {
        assert_eq!(MAJOR, 0, "a released version has goldens");
        return;
    }
    let mut has = BTreeSet::new();
    for golden in goldens().iter().filter(|golden| golden.version == version) {
        has.extend(contents(&Trace::open(&golden.path).unwrap()).unwrap());
    }
    for word in log_format::Kind::WORDS {
        let known = |what: &&str| what.strip_prefix("kind ").is_some_and(|kind| kind.starts_with(word));
        let listed = EVERYTHING.iter().any(known) || MISSING.iter().any(|(what, _)| known(what));
        assert!(listed, "EVERYTHING lists nothing of the kind {word}");
    }
    for what in EVERYTHING {
        let missing = MISSING.iter().any(|(missing, _)| *missing == what);
        assert_ne!(has.contains(what), missing, "{what}");
    }
    let natives = has.iter().filter(|what| what.starts_with("native ")).count();
    assert!(natives >= 400, "{natives} natives");
}

/// Hashes of keys as defined by FORMAT.md; these were computed by a program written from the document alone. Traces contain them for ever.
#[test]
fn keys_of_tables_have_the_documented_hashes() {
    let folder = Folder::new("keys");
    folder.write(
        "keys.erl",
        "-module(keys).\n-export([main/0]).\nmain() ->\n    T = ets:new(t, [set]),\n    [ets:insert(T, {K}) || K <- [1, -1, abc, {a, 1}, \"ab\", <<\"ab\">>, [], 1.5, [{1, 2}, 3], #{a => 1}, fun() -> 1 end]],\n    ok.\n",
    );
    folder.tracer(["run", "--quiet", "--seed", "1", "keys.erl"]).expect(0);
    let trace = Trace::open(&folder.path().join("trace.bin")).unwrap();
    let actions = trace.log(log_format::Pid(1)).unwrap();
    let accesses = actions.flat_map(|action| action.unwrap().1.accesses);
    let hashes: Vec<u64> = accesses
        .filter_map(|access| match access.resource {
            Resource::TableKey { key, .. } => Some(key),
            _ => None,
        })
        .collect();
    let documented = [
        0x50ee_6731_a364_15f8,
        0xe1ff_87d8_6d4b_db2c,
        0x45b9_bd74_a4cb_a1f7,
        0x6dbd_b46c_e622_0b17,
        0x920f_9b73_da2a_0b68,
        0xd40c_5144_5cd6_59fa,
        0xab2f_5551_2fb8_b388,
        0xc5de_6092_2cdd_0d48,
        0xbfb7_9269_914f_9992,
        0x7fce_23f8_0d83_0cf5,
        0x5a6d_43a9_7f2e_3c07,
    ];
    assert_eq!(hashes, documented);
}
