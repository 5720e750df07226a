//! A process that read a whole table, and fails with a key that it found there: the last write of that key says more than the last write of the table.

use causality::Point;
use interpreter::print::Style;
use log_format::{Access, Action, ActionId, Resource};
use session::error::Error;
use session::value::Value;
use session::watch::Watcher;
use session::{Goal, Session};
use system::System;
use system::observer::Nobody;

use crate::heard::words;
use crate::past::Pasts;

/// Of more keys that a failure names, none says more than the table.
const NAMED: usize = 3;

/// The last read of a whole table before a failure, with the key that the failure names as a read of its own. `system`: at the failure.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub(crate) fn named(
    session: &Session,
    system: &System<Watcher>,
    pasts: &mut Pasts<'_>,
    found: &Point,
) -> Result<Option<(ActionId, Access)>, Error> {
    let seen = system.observer.seen.get(&found.id()).filter(|_| !found.runs_on);
    let Some(reason) = seen.and_then(|seen| seen.term.as_ref()) else {
        return Ok(None);
    };
    let others = &pasts.past(found.pid, found.action.0)?.others;
    let scan = others.iter().rev().find_map(|(number, action)| {
        let access = whole_read(action)?;
        Some((ActionId::new(found.pid, *number), *access))
    });
    let Some((read, access)) = scan else { return Ok(None) };
    let Resource::TableContents(table) = access.resource else {
        return Ok(None);
    };
    let past = causality::causes(session.trace(), read)?;
    let system = session.replay(&Goal::causes(past), Nobody)?;
    let style = Style::shown(&*system.program);
    let (mut found, mut spelt) = (Vec::new(), Vec::new());
    system.last_writes(table, access.version.0, &mut |heap, key, write| {
        let key = Value::of(heap, key, &style);
        if write.by.pid != read.pid && is_named(reason, &key) {
            found.push(write);
        } else if write.by.pid != read.pid && is_spelt(reason, &key) {
            spelt.push(write);
        }
    });
    if found.is_empty() {
        found = spelt;
    }
    let last = found.iter().max_by_key(|write| write.version);
    Ok(last.filter(|_| found.len() <= NAMED).map(|write| {
        let access = Access {
            resource: write.resource,
            by: Some(write.by),
            ..access
        };
        (read, access)
    }))
}

/// Its read of the contents of a table, if it reads nothing else of tables.
fn whole_read(action: &Action) -> Option<&Access> {
    let is_data = |access: &&Access| access.resource.is_data();
    let first = action.accesses.iter().find(is_data)?;
    (!first.write && matches!(first.resource, Resource::TableContents(_))).then_some(first)
}

/// Does a reason name this key? A word that many terms hold does not.
fn is_named(reason: &Value, key: &Value) -> bool {
    reason.holds(key) && words(key).iter().any(|word| reason.holds(word))
}

/// Does a reason name all elements of this key, if not the key?
fn is_spelt(reason: &Value, key: &Value) -> bool {
    let parts = key.tuple();
    let own = words(key);
    parts.len() > 1 && parts.iter().all(|part| reason.holds(part)) && own.iter().any(|word| reason.holds(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::term;

    #[test]
    fn a_key_is_named_if_the_reason_holds_all_of_it_and_it_is_no_common_word() {
        let reason = term("{badmatch,[{red,744}]}");
        assert!(is_named(&reason, &term("{red,744}")) && is_named(&reason, &term("744")));
        assert!(!is_named(&reason, &term("{red,745}")) && !is_named(&reason, &term("{744,red}")));
        // The parts alone count where no key is named as a whole.
        let parts = term("{left,red,744}");
        assert!(!is_named(&parts, &term("{red,744}")) && is_spelt(&parts, &term("{red,744}")));
        assert!(
            !is_spelt(&parts, &term("{red,745}"))
                && !is_spelt(&parts, &term("red"))
                && !is_spelt(&term("{left,1,2}"), &term("{1,2}"))
        );
        assert!(!is_named(&term("{error,ok}"), &term("ok")) && !is_named(&term("{bad,[1]}"), &term("1")));
    }
}
