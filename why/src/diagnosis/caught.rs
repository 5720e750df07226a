//! Exceptions that the program caught, in words.

use session::watch::CaughtException;
use session::words::cut;

use super::run::Run;

/// Characters of a reason.
const REASON: usize = 60;

/// Of these exceptions, those that the program caught, and not the library. A `throw` is a way to return.
pub(super) fn own<'r>(
    run: &Run<'r>,
    all: &'r [CaughtException],
) -> impl DoubleEndedIterator<Item = &'r CaughtException> {
    let sources = run.scene.sources;
    all.iter()
        .filter(move |one| one.class != "throw" && sources.owns(&one.caught.file))
}

/// `caught error {badkey,tea} in price/2, raised at shop.erl:19 (maps:get(Item, Prices))`: the last of them, and one that was raised elsewhere.
pub(super) fn words<'r>(run: &Run<'_>, all: impl Iterator<Item = &'r CaughtException>) -> Option<String> {
    let raised = |one: &'r CaughtException| one.raised.iter().find(|place| run.scene.sources.owns(&place.file));
    let mut all: Vec<&CaughtException> = all.collect();
    let last = all.pop()?;
    let other = all.into_iter().rev().find(|one| raised(one) != raised(last));
    let told = other.into_iter().chain([last]).map(|one| {
        let raised = raised(one).map_or_else(String::new, |place| format!(", raised at {}", run.quoted(place)));
        format!(
            "{} {} in {}{raised}",
            one.class,
            cut(&one.reason.shown(run.scene.terms()).to_string(), REASON),
            session::words::function(&one.caught.function.local(), run.scene.terms()),
        )
    });
    Some(format!("caught {}", told.collect::<Vec<_>>().join(", and ")))
}
