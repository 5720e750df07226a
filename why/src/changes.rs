//! Which change of a process's state explains what it did: changes of the variables that the action names, or, for maps, of the keys that are
//! mentioned.

use std::rc::Rc;

use crate::past::Taken;
use crate::printed::{Pair, after_map, all_entries, entries, parts, value_of};
use crate::records::Records;
use crate::story::Change;

/// In place of a value: the key was not in the map.
pub const ABSENT: &str = "not there";

/// A variable of a process at an action: the function it is in, its name, its value as it is printed.
pub type StateVariable<'a> = (&'a str, &'a str, &'a str);

/// What is known about the action to be explained.
#[derive(Clone, Debug)]
pub struct Context {
    /// Variables that the action names.
    pub variables: Vec<String>,
    /// What was said: request, reply, reason.
    pub texts: Vec<String>,
    /// What the fields of records are called.
    pub records: Rc<Records>,
    /// The reason of the failure that the story explains.
    pub failure: Rc<str>,
}

/// The last message before the first of `taken` that changed the state in which that one was received, and the changes. `states`: for each of
/// `taken`, the variables with which it was received.
///
/// Changes of what the context mentions are preferred.
pub fn last_change(
    taken: &[Taken],
    states: &[Vec<StateVariable<'_>>],
    context: &Context,
) -> Option<(Taken, Vec<Change>)> {
    let named = |name: &str| context.variables.iter().any(|known| known == name);
    // If the failure mentions something that is gone, that is what is missing.
    find(taken, states, |before, after| gone(before, after, states, context))
        .or_else(|| find(taken, states, |before, after| keys(before, after, context)))
        .or_else(|| {
            find(taken, states, |before, after| {
                changes(before, after, &context.records, named)
            })
        })
        .or_else(|| {
            find(taken, states, |before, after| {
                changes(before, after, &context.records, |_| true)
            })
        })
}

/// The last message after which the state had changed.
fn find(
    taken: &[Taken],
    states: &[Vec<StateVariable<'_>>],
    changes: impl Fn(&[StateVariable<'_>], &[StateVariable<'_>]) -> Vec<Change>,
) -> Option<(Taken, Vec<Change>)> {
    taken.iter().skip(1).zip(states.windows(2)).find_map(|(one, pair)| {
        let found = changes(&pair[1], &pair[0]);
        (!found.is_empty()).then_some((*one, found))
    })
}

/// Variables whose values differ.
fn changes(
    before: &[StateVariable<'_>],
    after: &[StateVariable<'_>],
    records: &Records,
    wanted: impl Fn(&str) -> bool,
) -> Vec<Change> {
    let mut list = Vec::new();
    for (was, now) in pairs(before, after).filter(|(was, _)| wanted(was.1)) {
        if was.2 != now.2 {
            let whole = changed(was, now);
            let mut inside = Vec::new();
            if within(&whole, records, 0, &mut inside) && inside.len() <= PARTS {
                list.append(&mut inside);
            } else {
                list.push(whole);
            }
        }
    }
    list
}

/// At most this many changed parts of a value are named; if more changed, the whole value is shown.
const PARTS: usize = 2;
/// A value of at most this many characters is shown whole. Parts are searched to the same depth.
const SHORT: usize = 40;
const DEPTH: usize = 6;

/// The parts of a printed value that changed: associations of maps, and elements at the same place in tuples of the same size. False if the
/// parts cannot be determined.
fn within(change: &Change, records: &Records, depth: usize, out: &mut Vec<Change>) -> bool {
    let Change { name, before, after } = change;
    if depth > DEPTH || before.ends_with("...") || after.ends_with("...") {
        return false;
    }
    if before.len().max(after.len()) <= SHORT {
        out.push(change.clone());
        return true;
    }
    let part = |name: String, before: &str, after: &str| Change {
        name,
        before: before.trim().to_owned(),
        after: after.trim().to_owned(),
    };
    if let (Some(old), Some(new)) = (entries(before), entries(after)) {
        let value = |map: &[Pair<'_>], key: &str| value_of(map, key).unwrap_or(ABSENT).to_owned();
        let mut keys: Vec<&str> = old.iter().chain(&new).map(|pair| pair.key).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let (was, now) = (value(&old, key), value(&new, key));
            if was != now && !within(&part(format!("{key} in {name}"), &was, &now), records, depth + 1, out) {
                return false;
            }
        }
        return true;
    }
    let inside = |text: &'_ str| {
        text.strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .map(str::to_owned)
    };
    if let (Some(old), Some(new)) = (inside(before), inside(after)) {
        let (old, new) = (parts(&old), parts(&new));
        if old.len() == new.len() && old.first() == new.first() {
            for (i, (was, now)) in old.iter().zip(&new).enumerate().filter(|(_, (was, now))| was != now) {
                let field = records.field(old[0], old.len(), i + 1);
                // A map needs no name of its field: its keys say enough.
                let name = match field {
                    Some(field) => format!("{field} in {name}"),
                    None if entries(was).is_some() && entries(now).is_some() => name.clone(),
                    None => format!("element {} of {name}", i + 1),
                };
                if !within(&part(name, was, now), records, depth + 1, out) {
                    return false;
                }
            }
            return true;
        }
    }
    if depth == 0 {
        return false;
    }
    out.push(change.clone());
    true
}

/// Keys of maps that are mentioned and whose values differ.
fn keys(before: &[StateVariable<'_>], after: &[StateVariable<'_>], context: &Context) -> Vec<Change> {
    let mut list = Vec::new();
    for (was, now) in pairs(before, after) {
        let (Some(old), Some(new)) = (all_entries(was.2), all_entries(now.2)) else {
            continue;
        };
        let mut spoken: Vec<&str> = old.iter().chain(&new).map(|pair| pair.key).collect();
        spoken.sort_unstable();
        spoken.dedup();
        spoken.retain(|key| context.texts.iter().any(|text| speaks_of(text, key)));
        for key in spoken {
            let value = |map: &[Pair<'_>]| value_of(map, key).map(str::to_owned);
            let (before, after) = (value(&old), value(&new));
            if before != after {
                let absent = || ABSENT.to_owned();
                list.push(Change {
                    name: format!("{key} in {}", was.1),
                    before: before.unwrap_or_else(absent),
                    after: after.unwrap_or_else(absent),
                });
            }
        }
    }
    list
}

/// Keys of maps that the failure mentions, that were present, and that are missing in the last state too.
fn gone(
    before: &[StateVariable<'_>],
    after: &[StateVariable<'_>],
    states: &[Vec<StateVariable<'_>>],
    context: &Context,
) -> Vec<Change> {
    let last = |of: &StateVariable<'_>| {
        let known = states.first()?.iter().find(|now| (now.0, now.1) == (of.0, of.1))?;
        all_entries(known.2)
    };
    let mut list = Vec::new();
    for (was, now) in pairs(before, after) {
        let (Some(old), Some(new), Some(last)) = (all_entries(was.2), all_entries(now.2), last(was)) else {
            continue;
        };
        let holds = |map: &[Pair<'_>], key: &str| value_of(map, key).is_some();
        for Pair { key, value, .. } in &old {
            if !holds(&new, key) && !holds(&last, key) && speaks_of(&context.failure, key) {
                list.push(Change {
                    name: format!("{key} in {}", was.1),
                    before: (*value).to_owned(),
                    after: ABSENT.to_owned(),
                });
            }
        }
    }
    list
}

/// For each of these words, the message that gave a variable this value, as it was when the first of `taken` was received. Latest first, no
/// duplicates.
pub fn dated(taken: &[Taken], states: &[Vec<StateVariable<'_>>], words: &[&str]) -> Vec<(Taken, Vec<Change>)> {
    let mut found: Vec<(Taken, Vec<Change>)> = Vec::new();
    for (function, name, value) in states.first().into_iter().flatten() {
        if !words.contains(value) {
            continue;
        }
        let one = find(taken, states, |before, after| {
            let same = pairs(before, after).filter(|(was, _)| (was.0, was.1) == (*function, *name));
            same.filter(|(was, now)| was.2 != now.2)
                .map(|(was, now)| changed(was, now))
                .collect()
        });
        if let Some((one, changes)) = one.filter(|(_, changes)| changes.iter().all(|change| change.after == *value))
            && found.len() < PARTS
            && found.iter().all(|(known, _)| *known != one)
        {
            found.push((one, changes));
        }
    }
    found
}

fn changed(was: &StateVariable<'_>, now: &StateVariable<'_>) -> Change {
    Change {
        name: was.1.to_owned(),
        before: was.2.to_owned(),
        after: now.2.to_owned(),
    }
}

/// Variables that occur in both states, with both values.
fn pairs<'a, 'b>(
    before: &'a [StateVariable<'b>],
    after: &'a [StateVariable<'b>],
) -> impl Iterator<Item = (&'a StateVariable<'b>, &'a StateVariable<'b>)> {
    before.iter().filter_map(move |was| {
        let now = after.iter().find(|now| (now.0, now.1) == (was.0, was.1))?;
        Some((was, now))
    })
}

/// The associations of a map whose keys a text mentions, as they are printed.
pub fn spoken(map: &[Pair<'_>], text: &str) -> Vec<String> {
    let known = map.iter().filter(|pair| speaks_of(text, pair.key));
    known.map(|pair| pair.whole.to_owned()).collect()
}

/// The associations of a printed map whose keys a text mentions. `None` if it is not a map, was cut off, or the text mentions no key or all of
/// them.
#[must_use]
pub fn spoken_entries(map: &str, text: &str) -> Option<String> {
    let all = entries(map)?;
    let spoken = spoken(&all, text);
    let inside = map.len() - after_map(map)?.len();
    let comma = if map.starts_with('#') { "," } else { ", " };
    (!spoken.is_empty() && spoken.len() < all.len()).then(|| format!("{}… {} …}}", &map[..inside], spoken.join(comma)))
}

/// Does a printed term contain this one as a part?
pub fn speaks_of(text: &str, term: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '.' | '-' | '\'' | '"' | '<' | '>' | '#');
    let mut at = 0;
    while let Some(next) = text[at..].find(term) {
        let (from, to) = (at + next, at + next + term.len());
        if !text[..from].ends_with(is_word) && !text[to..].starts_with(is_word) {
            return true;
        }
        at = to.max(at + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        if term.is_empty() {
            return false;
        }
    }
    false
}

/// The latest message that contains the largest part of a reason: `{client_failed,{badarg,…}}` came from the message with `{badarg,…}`. `None`
/// if the last message contains as much of it, or no message contains any.
pub fn told_by(reason: &str, messages: &[String]) -> Option<usize> {
    // Atoms and numbers occur in many messages.
    const LEAST: usize = 6;
    const MOST: usize = 60;
    let is_compound = |part: &&str| part.len() >= LEAST && part.starts_with(['{', '[', '#', '<', '"', '%']);
    let mut level = vec![reason.split_once(' ').map_or(reason, |(_, term)| term)];
    for _ in 0..4 {
        let mut fitting = level.iter().map(|part| cut(part, MOST)).filter(is_compound);
        let found = fitting.find_map(|part| messages.iter().position(|message| message.contains(part)));
        if let Some(at) = found {
            return (at > 0).then_some(at);
        }
        let inside = |part: &&'_ str| -> Option<(usize, usize)> {
            let open = part.find(['{', '['])?;
            let close = part
                .rfind(['}', ']'])
                .filter(|close| *close > open)
                .unwrap_or(part.len());
            (open == 0).then_some((open + 1, close))
        };
        level = level
            .iter()
            .filter_map(|part| inside(part).map(|(from, to)| parts(&part[from..to])))
            .flatten()
            .collect();
    }
    None
}

/// Does a message contain something distinctive that occurs in these texts: a text, a list, a tuple, or the inside of a list? Atoms, numbers
/// and pids occur in many messages.
#[must_use]
pub fn gives_to(message: &str, texts: &[&str]) -> bool {
    const LEAST: usize = 3;
    let mut level = vec![message];
    for _ in 0..3 {
        let mut inner = Vec::new();
        for part in level {
            let Some(inside) = part
                .trim()
                .strip_prefix(['{', '['])
                .and_then(|rest| rest.strip_suffix(['}', ']']))
            else {
                continue;
            };
            for part in parts(inside).into_iter().map(str::trim) {
                let own = part
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'))
                    .unwrap_or(part);
                let is_own = part.starts_with(['{', '[', '"', '#', '%'])
                    && !part.starts_with("#Ref")
                    && !part.starts_with("#P")
                    && own.len() >= LEAST;
                if is_own && texts.iter().any(|text| speaks_of(text, own)) {
                    return true;
                }
                inner.push(part);
            }
        }
        level = inner;
    }
    false
}

/// The beginning of a text, without the marks that say that it was cut off.
fn cut(text: &str, most: usize) -> &str {
    let text = text.split(['…']).next().unwrap_or_default();
    let text = text.split("...").next().unwrap_or_default().trim();
    text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn taken(number: u64) -> Taken {
        Taken { number, from: None }
    }

    fn context(variables: &[&str], texts: &[&str]) -> Context {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        Context {
            variables: owned(variables),
            texts: owned(texts),
            records: Rc::default(),
            failure: Rc::from(""),
        }
    }

    #[test]
    fn the_key_that_is_spoken_of_explains() {
        let list = [taken(9), taken(7), taken(5), taken(3)];
        let states = [
            vec![("m:loop/2", "Map", "#{k1 => 2,k2 => 2}"), ("m:loop/2", "N", "4")],
            vec![("m:loop/2", "Map", "#{k1 => 1,k2 => 2}"), ("m:loop/2", "N", "3")],
            vec![("m:loop/2", "Map", "#{k1 => 1,k2 => 2}"), ("m:loop/2", "N", "2")],
            vec![("m:loop/2", "Map", "#{k1 => 1}"), ("m:loop/2", "N", "1")],
        ];
        let (one, changes) = last_change(&list, &states, &context(&[], &["{get,<0.3.0>,k2}"])).unwrap();
        assert_eq!((one.number, changes[0].name.as_str()), (3, "k2 in Map"));
        assert_eq!(
            (changes[0].before.as_str(), changes[0].after.as_str()),
            ("not there", "2")
        );
        let (one, changes) = last_change(&list, &states, &context(&["Map"], &["{get,<0.3.0>,k9}"])).unwrap();
        assert_eq!((one.number, changes.len()), (7, 1));
        let (one, changes) = last_change(&list[1..], &states[1..], &context(&["Map"], &[])).unwrap();
        assert_eq!(
            (one.number, changes[0].name.as_str()),
            (3, "Map"),
            "what is named is preferred"
        );
        let (one, changes) = last_change(&list[1..], &states[1..], &context(&["Other"], &[])).unwrap();
        assert_eq!((one.number, changes[0].name.as_str()), (5, "N"));
    }

    #[test]
    fn what_is_gone_explains_what_is_missing() {
        let list = [taken(9), taken(7), taken(5), taken(3)];
        let states = [
            vec![("m:loop/1", "M", "#{b => true,c => true}")],
            vec![("m:loop/1", "M", "#{b => true}")],
            vec![("m:loop/1", "M", "#{a => true,b => true}")],
            vec![("m:loop/1", "M", "#{a => true}")],
        ];
        let failure = Context {
            failure: Rc::from("error {missing,a,[b,c]}"),
            ..context(&["M"], &["{keys,[b,c]}"])
        };
        let (one, changes) = last_change(&list, &states, &failure).unwrap();
        assert_eq!(
            (one.number, changes[0].name.as_str(), changes[0].after.as_str()),
            (5, "a in M", "not there")
        );
        let (one, _) = last_change(&list, &states, &context(&["M"], &["{keys,[b,c]}"])).unwrap();
        assert_eq!(one.number, 7);
    }

    #[test]
    fn the_value_that_a_reason_names_is_dated() {
        let list = [taken(9), taken(7), taken(5)];
        let states = [
            vec![("m:loop/2", "Store", "30"), ("m:loop/2", "Prepared", "#{t2 => -60}")],
            vec![
                ("m:loop/2", "Store", "100"),
                ("m:loop/2", "Prepared", "#{t1 => -70,t2 => -60}"),
            ],
            vec![("m:loop/2", "Store", "100"), ("m:loop/2", "Prepared", "#{t1 => -70}")],
        ];
        let found = dated(&list, &states, &["30", "-60"]);
        assert_eq!((found.len(), found[0].0.number), (1, 7));
        assert_eq!(
            (found[0].1[0].before.as_str(), found[0].1[0].after.as_str()),
            ("100", "30")
        );
        assert!(dated(&list, &states, &["-60"]).is_empty());
    }

    #[test]
    fn the_key_is_found_in_a_map_within_a_record() {
        let list = [taken(9), taken(7), taken(5)];
        let states = [
            vec![(
                "gen_server:loop/7",
                "State",
                "{st,<0.2.0>,#{alice => 100,bob => 20},#{}}",
            )],
            vec![("gen_server:loop/7", "State", "{st,<0.2.0>,#{alice => 100},#{bob => 1}}")],
            vec![("gen_server:loop/7", "State", "{st,<0.2.0>,#{},#{}}")],
        ];
        let (one, changes) = last_change(&list, &states, &context(&[], &["{get,alice}", "100"])).unwrap();
        assert_eq!((one.number, changes[0].name.as_str()), (5, "alice in State"));
        assert_eq!(changes.len(), 1);
    }

    #[test]
    fn the_part_that_changed_is_named() {
        let before =
            "{st,[],#{<0.5.0> => {#Ref<0.9.4.0>,<0.9.0>},<0.11.0> => {#Ref<0.8.7.0>,<0.8.0>}},{[],[]},undefined}";
        let after =
            "{st,[],#{<0.5.0> => {#Ref<0.9.4.0>,<0.9.0>},<0.11.0> => {#Ref<0.6.7.0>,<0.6.0>}},{[],[]},undefined}";
        let list = changes(
            &[("f", "State", before)],
            &[("f", "State", after)],
            &Records::default(),
            |_| true,
        );
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].name, "<0.11.0> in State");
        assert_eq!(
            (list[0].before.as_str(), list[0].after.as_str()),
            ("{#Ref<0.8.7.0>,<0.8.0>}", "{#Ref<0.6.7.0>,<0.6.0>}")
        );
        let longer = after.replace("[],#{", "[<0.7.0>],#{");
        let list = changes(
            &[("f", "State", after)],
            &[("f", "State", &longer)],
            &Records::default(),
            |_| true,
        );
        assert_eq!(
            (list[0].name.as_str(), list[0].after.as_str()),
            ("element 2 of State", "[<0.7.0>]")
        );
        let other = changes(
            &[("f", "S", before)],
            &[("f", "S", "{other,state,of,an,entirely,different,form,altogether}")],
            &Records::default(),
            |_| true,
        );
        assert_eq!(other[0].name, "S");
        let short = changes(
            &[("f", "S", "{a,1}")],
            &[("f", "S", "{a,2}")],
            &Records::default(),
            |_| true,
        );
        assert_eq!((short[0].name.as_str(), short[0].after.as_str()), ("S", "{a,2}"));
    }

    #[test]
    fn terms_are_found_as_parts() {
        assert!(speaks_of("{get,<0.3.0>,k2}", "k2") && speaks_of("[1]", "1") && speaks_of("{a,<0.3.0>}", "<0.3.0>"));
        assert!(!speaks_of("{get,k21}", "k2") && !speaks_of("{get,xk2}", "k2") && !speaks_of("<0.1.0>", "1"));
        let map = "#{{tx,1} => committed,{tx,2} => aborted,{tx,3} => committed}";
        assert_eq!(
            spoken_entries(map, "exit {atomicity_violated,{tx,2}}").as_deref(),
            Some("#{… {tx,2} => aborted …}")
        );
        assert_eq!(spoken_entries(map, "exit {tx,4}"), None);
        let map = "%Account{balance: 1, deposits: 2, owner: :ann}";
        let spoken = spoken_entries(map, "error {:bad, :deposits, :owner}");
        assert_eq!(spoken.as_deref(), Some("%Account{… deposits: 2, owner: :ann …}"));
    }

    #[test]
    fn what_was_collected_is_found_again() {
        let texts = [
            "error {not_a_sequence,[1,1,2,2,3,4]}",
            "[1,2,3,4,1,2]",
            "[<0.2.0>,<0.3.0>]",
        ];
        assert!(gives_to("{nums,<0.3.0>,[3,4]}", &texts));
        assert!(gives_to(
            "{'DOWN',#Ref<0.1.1.0>,process,<0.3.0>,{bad,1}}",
            &["[{<0.3.0>,{bad,1}}]"]
        ));
        assert!(!gives_to("{'DOWN',#Ref<0.1.1.0>,process,<0.3.0>,normal}", &texts));
        assert!(!gives_to("{done,<0.3.0>}", &texts) && !gives_to("{n,1}", &texts) && !gives_to("ok", &texts));
    }

    #[test]
    fn a_reason_says_which_message_brought_it() {
        let messages = [
            "{'DOWN',#Ref<0.1.2.0>,process,<0.5.0>,normal}".to_owned(),
            "{'DOWN',#Ref<0.1.1.0>,process,<0.4.0>,{badarg,[{shop,buy,1,[{file,\"shop.erl\"}]}]}}".to_owned(),
        ];
        assert_eq!(
            told_by("exit {client_failed,{badarg,[{shop,buy,1,[{file,...", &messages),
            Some(1)
        );
        assert_eq!(told_by("error {bad,normal}", &messages), None, "the last one holds it");
        assert_eq!(told_by("error badarith", &messages), None);
        assert_eq!(told_by("", &messages), None);
    }
}
