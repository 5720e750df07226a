//! Helpers for several tests of this crate.

use std::path::Path;

use session::record::Text;

/// The source of a program of `fixtures/`.
pub fn fixture(name: &str) -> Text {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../fixtures/{name}/{name}.erl"));
    let source = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Text {
        path: format!("{name}.erl"),
        source: source.into(),
        release: Default::default(),
    }
}
