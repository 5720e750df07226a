//! Facts stay facts: what is said of an action follows from what it did, and not from words in the source or in names (`fixtures/facts`).

use super::*;
use log_format::LogStep;
use session::shared::{NamedResource, SeenNames, SharedUse};

fn recorded(name: &str) -> Session {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fixtures/facts/{name}.erl"));
    let source = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = session::record::Text::new(&format!("{name}.erl"), &source);
    let (end, bytes) = text.record_bytes(1).unwrap();
    assert!(is_failure(&end), "{name} does not fail");
    Session::of(Arc::new(Trace::from_bytes(bytes).unwrap())).unwrap()
}

#[test]
fn a_timer_was_cancelled_if_the_native_did_it() {
    for (name, cancels) in [
        ("stale_plain", true),
        ("stale_macro", true),
        ("stale_twolines", true),
        ("stale_comment", false),
        ("stale_another", false),
    ] {
        let (view, text) = story(&recorded(name), "error");
        let pattern = view.likely.as_ref().map(|likely| likely.pattern);
        assert_eq!(
            pattern == Some(why::story::Pattern::StaleTimer),
            cancels,
            "{name}: {text}"
        );
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(
            words.join(" ").contains("had expired before it cancelled it"),
            cancels,
            "{name}: {text}"
        );
    }
}

#[test]
fn keys_and_tables_are_named_whatever_words_their_names_hold() {
    for (name, table, key) in [
        ("plain_names", "cache", "hits"),
        ("odd_names", "'a, key b'", "'x of the table y'"),
    ] {
        let (_, text) = story(&recorded(name), "error");
        let thing = format!("key {key} of the table {table}");
        says(&text, &[&format!("read {thing}, last written by ")]);
    }
}

#[test]
fn a_table_named_all_is_not_the_list_of_all_tables() {
    let session = recorded("table_all");
    let trace = session.trace();
    let mut found: Vec<NamedResource> = Vec::new();
    for process in trace.processes() {
        let pid = process.unwrap().pid;
        let mut log = trace.log(pid).unwrap();
        while let Some(step) = log.step(u64::MAX).unwrap() {
            let LogStep::Action(action) = step else { continue };
            for used in SharedUse::all(trace, action, SeenNames::default()) {
                if !found.contains(&used.resource) {
                    found.push(used.resource);
                }
            }
        }
    }
    for name in ["all", "fixed:0.1.0/1"] {
        let is_it = |one: &NamedResource| matches!(one, NamedResource::TableName(known) if &*known.0 == name);
        assert!(found.iter().any(is_it), "{name}: {found:?}");
    }
    assert!(found.contains(&NamedResource::Tables), "{found:?}");
    assert!(
        !found.iter().any(|one| matches!(one, NamedResource::TableFixed(_))),
        "{found:?}"
    );
}
