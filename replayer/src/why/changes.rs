//! Which change of the state of a process explains what it did: of the variables that the action names, and of a map of the keys that are
//! spoken of.

use super::past::Taken;
use super::story::Change;

/// A variable of a process at an action: the function it is in, its name, its value as it is printed.
pub type Known<'a> = (&'a str, &'a str, &'a str);

/// What is known of what is to be explained.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Variables that the action names.
    pub variables: Vec<String>,
    /// What was said: question, answer, reason.
    pub texts: Vec<String>,
}

/// The last message before the first of these that changed the state in which that one was received, and what it changed. `states`: for each
/// of `taken` the variables with which it was received.
///
/// A change of what the context speaks of is preferred to one of anything.
pub fn last_change(taken: &[Taken], states: &[Vec<Known<'_>>], context: &Context) -> Option<(Taken, Vec<Change>)> {
    let named = |name: &str| context.variables.iter().any(|known| known == name);
    find(taken, states, |before, after| keys(before, after, context))
        .or_else(|| find(taken, states, |before, after| changes(before, after, named)))
        .or_else(|| find(taken, states, |before, after| changes(before, after, |_| true)))
}

/// The last message between whose state and the next there are changes.
fn find(
    taken: &[Taken],
    states: &[Vec<Known<'_>>],
    changes: impl Fn(&[Known<'_>], &[Known<'_>]) -> Vec<Change>,
) -> Option<(Taken, Vec<Change>)> {
    taken.iter().skip(1).zip(states.windows(2)).find_map(|(one, pair)| {
        let found = changes(&pair[1], &pair[0]);
        (!found.is_empty()).then_some((*one, found))
    })
}

/// Variables that have other values.
fn changes(before: &[Known<'_>], after: &[Known<'_>], wanted: impl Fn(&str) -> bool) -> Vec<Change> {
    let mut list = Vec::new();
    for (was, now) in pairs(before, after).filter(|(was, _)| wanted(was.1)) {
        if was.2 != now.2 {
            list.push(Change {
                name: was.1.to_owned(),
                before: was.2.to_owned(),
                after: now.2.to_owned(),
            });
        }
    }
    list
}

/// Keys of maps that are spoken of and have other values.
fn keys(before: &[Known<'_>], after: &[Known<'_>], context: &Context) -> Vec<Change> {
    let mut list = Vec::new();
    for (was, now) in pairs(before, after) {
        let (Some(old), Some(new)) = (all_entries(was.2), all_entries(now.2)) else {
            continue;
        };
        let mut spoken: Vec<&str> = old.iter().chain(&new).map(|(key, _)| *key).collect();
        spoken.sort_unstable();
        spoken.dedup();
        spoken.retain(|key| context.texts.iter().any(|text| speaks_of(text, key)));
        for key in spoken {
            let value = |map: &[(&str, &str)]| {
                map.iter()
                    .find(|(known, _)| *known == key)
                    .map(|(_, value)| (*value).to_owned())
            };
            let (before, after) = (value(&old), value(&new));
            if before != after {
                let absent = || "not there".to_owned();
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

/// The variables that are the same, with both values.
fn pairs<'a, 'b>(
    before: &'a [Known<'b>],
    after: &'a [Known<'b>],
) -> impl Iterator<Item = (&'a Known<'b>, &'a Known<'b>)> {
    before.iter().filter_map(move |was| {
        let now = after.iter().find(|now| (now.0, now.1) == (was.0, was.1))?;
        Some((was, now))
    })
}

/// The associations of a value as it is printed: of a map, or of the maps that are elements of a tuple, as in a record. None if there is no map,
/// or something was cut off.
fn all_entries(text: &str) -> Option<Vec<(&str, &str)>> {
    if let Some(map) = entries(text) {
        return Some(map);
    }
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    let maps: Vec<_> = parts(inside).into_iter().filter_map(all_entries).collect();
    (!maps.is_empty()).then(|| maps.concat())
}

/// The associations of a map as it is printed; none if it is no map, or was cut.
fn entries(text: &str) -> Option<Vec<(&str, &str)>> {
    let inside = text.strip_prefix("#{")?.strip_suffix('}')?;
    let mut list = Vec::new();
    for part in parts(inside) {
        let (key, value) = part.split_once(" => ")?;
        list.push((key.trim(), value.trim()));
    }
    Some(list)
}

/// The elements between the commas that are in no bracket and no quotes.
pub fn parts(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let (mut depth, mut quote, mut from) = (0_usize, None, 0);
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '[' | '(') => depth += 1,
            (None, '}' | ']' | ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                list.push(&text[from..at]);
                from = at + 1;
            }
            (None, _) => {}
        }
    }
    if from < text.len() {
        list.push(&text[from..]);
    }
    list
}

/// Does a printed term hold this one as a part?
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

/// Of what was received, the last one that holds the largest part of a reason: `{client_failed,{badarg,…}}` came of the message with
/// `{badarg,…}`. None if the last one holds as much, or none holds any.
pub fn told_by(reason: &str, messages: &[String]) -> Option<usize> {
    // Atoms and numbers are in many messages.
    const LEAST: usize = 6;
    const MOST: usize = 60;
    let is_compound = |part: &&str| part.len() >= LEAST && part.starts_with(['{', '[', '#', '<', '"']);
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

/// Does a message hold something of its own that is found in these texts: a text, a list or a tuple, or what is between the brackets of a list?
/// Atoms, numbers and names of processes are in many messages.
#[must_use]
pub fn gives_to(message: &str, texts: &[&str]) -> bool {
    const LEAST: usize = 3;
    let mut level = vec![message];
    for _ in 0..3 {
        let mut inner = Vec::new();
        for part in level {
            let Some(inside) = part
                .strip_prefix(['{', '['])
                .and_then(|rest| rest.strip_suffix(['}', ']']))
            else {
                continue;
            };
            for part in parts(inside) {
                let own = part
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'))
                    .unwrap_or(part);
                let is_own = part.starts_with(['{', '[', '"', '#']) && !part.starts_with("#Ref<") && own.len() >= LEAST;
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

/// The beginning of a text, without the marks of what was cut off.
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
    fn terms_are_found_as_parts() {
        assert!(speaks_of("{get,<0.3.0>,k2}", "k2") && speaks_of("[1]", "1") && speaks_of("{a,<0.3.0>}", "<0.3.0>"));
        assert!(!speaks_of("{get,k21}", "k2") && !speaks_of("{get,xk2}", "k2") && !speaks_of("<0.1.0>", "1"));
        assert_eq!(parts("a,{b,c},\"x,\\\"y\",[d]"), ["a", "{b,c}", "\"x,\\\"y\"", "[d]"]);
        assert_eq!(
            entries("#{a => {1,2},b => #{c => d}}").unwrap(),
            [("a", "{1,2}"), ("b", "#{c => d}")]
        );
        assert_eq!(
            all_entries("{st,<0.2.0>,#{a => 1},{x,#{b => 2}},[]}").unwrap(),
            [("a", "1"), ("b", "2")]
        );
        assert_eq!(all_entries("{st,<0.2.0>,[]}"), None);
        assert_eq!(entries("#{a => 1,b..."), None);
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
