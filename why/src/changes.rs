//! Which change of a process's state explains what it did: changes of the variables that the action names, or, for maps, of the keys that are
//! mentioned.

use std::rc::Rc;

use interpreter::print::Terms;
use session::value::Value;
use session::view::FunctionName;

use crate::past::Taken;
use crate::records::Records;
use crate::story::Change;

/// In place of a value: the key was not in the map.
pub const ABSENT: &str = "not there";

/// A variable of a process at an action: the function it is in, its name, its value.
pub type StateVariable<'a> = (FunctionName, &'a str, &'a Value);

/// What is known about the action to be explained.
#[derive(Clone, Debug)]
pub struct Context {
    /// Variables that the action names.
    pub variables: Vec<String>,
    /// What was said: request, reply, reason.
    pub said: Vec<Value>,
    /// What the fields of records are called.
    pub records: Rc<Records>,
    /// The reason of the failure that the story explains.
    pub failure: Option<Rc<Value>>,
    /// The language in which changes are told.
    pub terms: Terms,
}

/// The last message before the first of `taken` that changed the state in which that one was received, and the changes. `states`: for each of
/// `taken`, the variables with which it was received.
///
/// Changes of what the context mentions are preferred. Of a map with a key that it mentions, other keys say nothing.
pub fn last_change(
    taken: &[Taken],
    states: &[Vec<StateVariable<'_>>],
    context: &Context,
) -> Option<(Taken, Vec<Change>)> {
    let is_spoken = |key: &Value| context.said.iter().any(|said| said.holds(key));
    let has_such = |now: &&StateVariable<'_>| {
        let keys = associations(now.2).into_iter().flatten();
        keys.into_iter().any(|(key, _)| is_spoken(key))
    };
    let now = states.first().into_iter().flatten();
    let with_spoken: Vec<&str> = now.filter(has_such).map(|now| now.1).collect();
    let has_spoken = |name: &str| with_spoken.contains(&name);
    let named = |name: &str| context.variables.iter().any(|known| known == name) && !has_spoken(name);
    // If the failure mentions something that is gone, that is what is missing.
    find(taken, states, |before, after| gone(before, after, states, context))
        .or_else(|| find(taken, states, |before, after| keys(before, after, context)))
        .or_else(|| find(taken, states, |before, after| changes(before, after, context, named)))
        .or_else(|| {
            find(taken, states, |before, after| {
                changes(before, after, context, |name| !has_spoken(name))
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
    context: &Context,
    wanted: impl Fn(&str) -> bool,
) -> Vec<Change> {
    let mut list = Vec::new();
    for (was, now) in pairs(before, after).filter(|(was, _)| wanted(was.1)) {
        if was.2 != now.2 {
            let mut inside = Vec::new();
            let whole = Part {
                name: was.1.to_owned(),
                before: Some(was.2),
                after: Some(now.2),
            };
            if within(&whole, context, 0, &mut inside) && inside.len() <= PARTS {
                list.append(&mut inside);
            } else {
                list.push(whole.told(context.terms));
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

/// A part of a state, before and after; `None`: it was not there.
#[derive(Clone, Debug)]
struct Part<'v> {
    name: String,
    before: Option<&'v Value>,
    after: Option<&'v Value>,
}

impl Part<'_> {
    fn told(&self, terms: Terms) -> Change {
        let text = |value: Option<&Value>| match value {
            Some(value) => value.shown(terms).to_string(),
            None => ABSENT.to_owned(),
        };
        Change {
            name: self.name.clone(),
            before: text(self.before),
            after: text(self.after),
        }
    }
}

/// The parts of a value that changed: associations of maps, and elements at the same place in tuples of the same size. False if the parts
/// cannot be determined.
fn within(part: &Part<'_>, context: &Context, depth: usize, out: &mut Vec<Change>) -> bool {
    let is_cut = |value: Option<&Value>| value.is_some_and(|value| *value == Value::Cut);
    if depth > DEPTH || is_cut(part.before) || is_cut(part.after) {
        return false;
    }
    let told = part.told(context.terms);
    if told.before.len().max(told.after.len()) <= SHORT {
        out.push(told);
        return true;
    }
    match (part.before, part.after) {
        (Some(Value::Map(old)), Some(Value::Map(new))) => {
            let mut keys: Vec<&Value> = old.iter().chain(new.iter()).map(|(key, _)| key).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter().all(|key| {
                let inner = Part {
                    name: format!("{} in {}", key.as_key(context.terms), part.name),
                    before: value_of(old, key),
                    after: value_of(new, key),
                };
                inner.before == inner.after || within(&inner, context, depth + 1, out)
            })
        }
        (Some(Value::Tuple(old)), Some(Value::Tuple(new)))
            if old.len() == new.len() && old.first() == new.first() && !old.is_empty() =>
        {
            let pairs = old.iter().zip(new.iter()).enumerate();
            let mut changed = pairs.filter(|(_, (was, now))| was != now);
            changed.all(|(i, (was, now))| {
                let field = context.records.field(&old[0], old.len(), i + 1);
                let are_maps = matches!((was, now), (Value::Map(_), Value::Map(_)));
                // A map needs no name of its field: its keys say enough.
                let name = match field {
                    Some(field) => format!("{field} in {}", part.name),
                    None if are_maps => part.name.clone(),
                    None => format!("element {} of {}", i + 1, part.name),
                };
                let inner = Part {
                    name,
                    before: Some(was),
                    after: Some(now),
                };
                within(&inner, context, depth + 1, out)
            })
        }
        _ if depth == 0 => false,
        _ => {
            out.push(told);
            true
        }
    }
}

/// What a key of a map leads to.
fn value_of<'v>(map: &'v [(Value, Value)], key: &Value) -> Option<&'v Value> {
    map.iter().find(|(known, _)| known == key).map(|(_, value)| value)
}

/// The associations of a map, or of the maps that are elements of a tuple, as in a record. `None` if there is no map, or not all of it is known.
fn associations(value: &Value) -> Option<Vec<(&Value, &Value)>> {
    match value {
        Value::Map(pairs) => {
            let is_whole = pairs.iter().all(|(key, _)| !key.is_cut());
            is_whole.then(|| pairs.iter().map(|(key, value)| (key, value)).collect())
        }
        Value::Tuple(items) => {
            let maps: Vec<_> = items.iter().filter_map(associations).collect();
            (!maps.is_empty()).then(|| maps.concat())
        }
        _ => None,
    }
}

fn leads_to<'v>(map: &[(&'v Value, &'v Value)], key: &Value) -> Option<&'v Value> {
    map.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

/// Keys of maps that are mentioned and whose values differ.
fn keys(before: &[StateVariable<'_>], after: &[StateVariable<'_>], context: &Context) -> Vec<Change> {
    let mut list = Vec::new();
    for (was, now) in pairs(before, after) {
        let (Some(old), Some(new)) = (associations(was.2), associations(now.2)) else {
            continue;
        };
        let mut spoken: Vec<&Value> = old.iter().chain(&new).map(|(key, _)| *key).collect();
        spoken.sort_unstable();
        spoken.dedup();
        spoken.retain(|key| context.said.iter().any(|said| said.holds(key)));
        for key in spoken {
            let part = Part {
                name: format!("{} in {}", key.as_key(context.terms), was.1),
                before: leads_to(&old, key),
                after: leads_to(&new, key),
            };
            if part.before != part.after {
                list.push(part.told(context.terms));
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
    let Some(failure) = &context.failure else {
        return Vec::new();
    };
    let last = |of: &StateVariable<'_>| {
        let known = states.first()?.iter().find(|now| (now.0, now.1) == (of.0, of.1))?;
        associations(known.2)
    };
    let mut list = Vec::new();
    for (was, now) in pairs(before, after) {
        let (Some(old), Some(new), Some(last)) = (associations(was.2), associations(now.2), last(was)) else {
            continue;
        };
        for (key, value) in &old {
            if leads_to(&new, key).is_none() && leads_to(&last, key).is_none() && failure.holds(key) {
                let part = Part {
                    name: format!("{} in {}", key.as_key(context.terms), was.1),
                    before: Some(value),
                    after: None,
                };
                list.push(part.told(context.terms));
            }
        }
    }
    list
}

/// For each of these values, the message that gave it to a variable, as it was when the first of `taken` was received. Latest first, no
/// duplicates.
pub fn dated(
    taken: &[Taken],
    states: &[Vec<StateVariable<'_>>],
    values: &[&Value],
    terms: Terms,
) -> Vec<(Taken, Vec<Change>)> {
    let mut found: Vec<(Taken, Vec<Change>)> = Vec::new();
    for (function, name, value) in states.first().into_iter().flatten() {
        if !values.contains(value) {
            continue;
        }
        // The value that came last counts.
        let given = |before: &[StateVariable<'_>], after: &[StateVariable<'_>]| -> Vec<(bool, Change)> {
            let same = pairs(before, after).filter(|(was, _)| (was.0, was.1) == (*function, *name));
            let changed = same.filter(|(was, now)| was.2 != now.2);
            let told = |(was, now): (&StateVariable<'_>, &StateVariable<'_>)| {
                let part = Part {
                    name: was.1.to_owned(),
                    before: Some(was.2),
                    after: Some(now.2),
                };
                (now.2 == *value, part.told(terms))
            };
            changed.map(told).collect()
        };
        let one = taken.iter().skip(1).zip(states.windows(2)).find_map(|(one, pair)| {
            let found = given(&pair[1], &pair[0]);
            (!found.is_empty()).then_some((*one, found))
        });
        if let Some((one, changes)) = one.filter(|(_, changes)| changes.iter().all(|(is_it, _)| *is_it))
            && found.len() < PARTS
            && found.iter().all(|(known, _)| *known != one)
        {
            found.push((one, changes.into_iter().map(|(_, change)| change).collect()));
        }
    }
    found
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

/// The associations of a map whose keys a value mentions. `None` if it is not a map, or not all of it is known.
pub fn spoken(map: &Value, of: &Value) -> Option<Vec<(Value, Value)>> {
    let Value::Map(pairs) = map else { return None };
    if pairs.iter().any(|(key, _)| key.is_cut()) {
        return None;
    }
    let spoken = session::value::fields(pairs).filter(|(key, _)| of.holds(key));
    Some(spoken.cloned().collect())
}

/// A map with only the associations whose keys a value mentions, for people. `None` if it is not a map, or the value mentions no key or all of
/// them.
#[must_use]
pub fn spoken_entries(map: &Value, of: &Value, terms: Terms) -> Option<String> {
    let Value::Map(pairs) = map else { return None };
    let spoken = spoken(map, of)?;
    let some = !spoken.is_empty() && spoken.len() < session::value::fields(pairs).count();
    some.then(|| session::value::map_in_part(pairs, &spoken, terms))
}

/// The latest message that contains the largest part of a reason: `{client_failed,{badarg,…}}` came from the message with `{badarg,…}`. `None`
/// if the last message contains as much of it, or no message contains any.
pub fn told_by(reason: &Value, messages: &[Option<&Value>], terms: Terms) -> Option<usize> {
    holding(reason, messages, terms).filter(|at| *at > 0)
}

/// The latest message that contains the largest part of a reason, be it the last one.
pub fn holding(reason: &Value, messages: &[Option<&Value>], terms: Terms) -> Option<usize> {
    let mut level = vec![reason];
    for _ in 0..4 {
        let mut fitting = level.iter().filter(|part| is_compound(part, terms));
        let holds = |part: &Value| {
            let mut places = messages.iter();
            places.position(|message| message.is_some_and(|message| message.holds(part)))
        };
        if let Some(at) = fitting.find_map(|part| holds(part)) {
            return Some(at);
        }
        level = level.into_iter().flat_map(elements).collect();
    }
    None
}

/// Has a reason parts that occur in few messages?
pub fn has_parts(reason: &Value, terms: Terms) -> bool {
    elements(reason).iter().any(|part| is_compound(part, terms))
}

/// Does it occur in few messages? Atoms, numbers and short texts occur in many.
fn is_compound(part: &Value, terms: Terms) -> bool {
    const LEAST: usize = 6;
    let may_be = !matches!(part, Value::Atom(_) | Value::Number(_) | Value::Cut);
    may_be && part.shown(terms).to_string().len() >= LEAST
}

/// The elements of a tuple or a list.
fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Tuple(items) | Value::List(items, _) => items,
        _ => &[],
    }
}

/// Does a message contain something distinctive that occurs in these values: a text, a list, a tuple, or the inside of a list? Atoms, numbers
/// and pids occur in many messages.
#[must_use]
pub fn gives_to(message: &Value, values: &[&Value]) -> bool {
    let mut level = vec![message];
    for _ in 0..3 {
        let inner: Vec<&Value> = level.into_iter().flat_map(elements).collect();
        let occurs = |part: &&&Value| match part {
            Value::List(items, None) => items.len() > 1 && values.iter().any(|value| value.holds_row(items)),
            Value::Tuple(items) if items.is_empty() => false,
            Value::Tuple(_) | Value::List(..) | Value::Map(_) | Value::Text(_) => {
                values.iter().any(|value| value.holds(part))
            }
            Value::Atom(_) | Value::Number(_) | Value::Pid(_) | Value::Reference(_) | Value::Cut => false,
        };
        if inner.iter().any(|part| occurs(&part)) {
            return true;
        }
        level = inner;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::term;
    use interpreter::atom::Atom;

    const fn taken(number: u64) -> Taken {
        Taken { number, from: None }
    }

    fn context(variables: &[&str], said: &[&str]) -> Context {
        Context {
            variables: variables.iter().map(|name| (*name).to_owned()).collect(),
            said: said.iter().map(|text| term(text)).collect(),
            records: Rc::default(),
            failure: None,
            terms: Terms::Erlang,
        }
    }

    fn function() -> FunctionName {
        let name = Atom::new("loop");
        FunctionName {
            module: Atom::new("m"),
            name,
            arity: 2,
        }
    }

    /// Values that live as long as the test.
    fn kept(text: &str) -> &'static Value {
        Box::leak(Box::new(term(text)))
    }

    fn state(variables: &[(&'static str, &str)]) -> Vec<StateVariable<'static>> {
        let variables = variables.iter();
        variables
            .map(|(name, value)| (function(), *name, kept(value)))
            .collect()
    }

    #[test]
    fn the_key_that_is_spoken_of_explains() {
        let list = [taken(9), taken(7), taken(5), taken(3)];
        let states = [
            state(&[("Map", "#{k1 => 2,k2 => 2}"), ("N", "4")]),
            state(&[("Map", "#{k1 => 1,k2 => 2}"), ("N", "3")]),
            state(&[("Map", "#{k1 => 1,k2 => 2}"), ("N", "2")]),
            state(&[("Map", "#{k1 => 1}"), ("N", "1")]),
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
        let unchanged = [
            state(&[("Map", "#{k1 => 2,k2 => 2}")]),
            state(&[("Map", "#{k1 => 1,k2 => 2}")]),
        ];
        assert_eq!(
            last_change(&list[..2], &unchanged, &context(&["Map"], &["{get,k2}"])),
            None,
            "that another key changed says nothing of this one"
        );
    }

    #[test]
    fn what_is_gone_explains_what_is_missing() {
        let list = [taken(9), taken(7), taken(5), taken(3)];
        let states = [
            state(&[("M", "#{b => true,c => true}")]),
            state(&[("M", "#{b => true}")]),
            state(&[("M", "#{a => true,b => true}")]),
            state(&[("M", "#{a => true}")]),
        ];
        let failure = Context {
            failure: Some(Rc::new(term("{missing,a,[b,c]}"))),
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
            state(&[("Store", "30"), ("Prepared", "#{t2 => -60}")]),
            state(&[("Store", "100"), ("Prepared", "#{t1 => -70,t2 => -60}")]),
            state(&[("Store", "100"), ("Prepared", "#{t1 => -70}")]),
        ];
        let found = dated(&list, &states, &[kept("30"), kept("-60")], Terms::Erlang);
        assert_eq!((found.len(), found[0].0.number), (1, 7));
        assert_eq!(
            (found[0].1[0].before.as_str(), found[0].1[0].after.as_str()),
            ("100", "30")
        );
        assert!(dated(&list, &states, &[kept("-60")], Terms::Erlang).is_empty());
    }

    #[test]
    fn the_key_is_found_in_a_map_within_a_record() {
        let list = [taken(9), taken(7), taken(5)];
        let states = [
            state(&[("State", "{st,<0.2.0>,#{alice => 100,bob => 20},#{}}")]),
            state(&[("State", "{st,<0.2.0>,#{alice => 100},#{bob => 1}}")]),
            state(&[("State", "{st,<0.2.0>,#{},#{}}")]),
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
            &state(&[("State", before)]),
            &state(&[("State", after)]),
            &context(&[], &[]),
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
            &state(&[("State", after)]),
            &state(&[("State", &longer)]),
            &context(&[], &[]),
            |_| true,
        );
        assert_eq!(
            (list[0].name.as_str(), list[0].after.as_str()),
            ("element 2 of State", "[<0.7.0>]")
        );
        let other = changes(
            &state(&[("S", before)]),
            &state(&[("S", "{other,state,of,an,entirely,different,form,altogether}")]),
            &context(&[], &[]),
            |_| true,
        );
        assert_eq!(other[0].name, "S");
        let short = changes(
            &state(&[("S", "{a,1}")]),
            &state(&[("S", "{a,2}")]),
            &context(&[], &[]),
            |_| true,
        );
        assert_eq!((short[0].name.as_str(), short[0].after.as_str()), ("S", "{a,2}"));
    }

    #[test]
    fn keys_are_found_as_parts() {
        let map = term("#{{tx,1} => committed,{tx,2} => aborted,{tx,3} => committed}");
        let spoken = |reason: &str| spoken_entries(&map, &term(reason), Terms::Erlang);
        assert_eq!(
            spoken("{atomicity_violated,{tx,2}}").as_deref(),
            Some("#{… {tx,2} => aborted …}")
        );
        assert_eq!(spoken("{tx,4}"), None);
        // Of a part of a name nothing is said.
        assert_eq!(spoken("'{tx,2}'"), None);
        let map = term("#{'__struct__' => 'Elixir.Account',balance => 1,deposits => 2,owner => ann}");
        let spoken = spoken_entries(&map, &term("{bad,deposits,owner}"), Terms::Elixir);
        assert_eq!(spoken.as_deref(), Some("%Account{… deposits: 2, owner: :ann …}"));
    }

    #[test]
    fn what_was_collected_is_found_again() {
        let texts = [
            kept("{not_a_sequence,[1,1,2,2,3,4]}"),
            kept("[1,2,3,4,1,2]"),
            kept("[<0.2.0>,<0.3.0>]"),
        ];
        let gives = |message: &str| gives_to(&term(message), &texts);
        assert!(gives("{nums,<0.3.0>,[3,4]}"));
        assert!(gives_to(
            &term("{'DOWN',#Ref<0.1.1.0>,process,<0.3.0>,{bad,1}}"),
            &[kept("[{<0.3.0>,{bad,1}}]")]
        ));
        assert!(!gives("{'DOWN',#Ref<0.1.1.0>,process,<0.3.0>,normal}"));
        assert!(!gives("{done,<0.3.0>}") && !gives("{n,1}") && !gives("ok"));
    }

    #[test]
    fn a_reason_says_which_message_brought_it() {
        let messages = [
            Some(kept("{'DOWN',#Ref<0.1.2.0>,process,<0.5.0>,normal}")),
            Some(kept(
                "{'DOWN',#Ref<0.1.1.0>,process,<0.4.0>,{badarg,[{shop,buy,1,[{file,\"shop.erl\"}]}]}}",
            )),
        ];
        let told = |reason: &str| told_by(&term(reason), &messages, Terms::Erlang);
        assert_eq!(
            told("{client_failed,{badarg,[{shop,buy,1,[{file,\"shop.erl\"}]}]}}"),
            Some(1)
        );
        assert_eq!(told("{bad,<0.5.0>}"), None, "the last one holds it");
        assert_eq!(told("badarith"), None);
    }
}
