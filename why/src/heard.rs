//! Which of the messages before a failure its reason mentions, and which of several similar ones differs from the others.

use session::value::Value;
use session::view::FunctionName;

use crate::changes::spoken;
use crate::past::Taken;

/// How many of the differing messages are shown.
const DIFFERING: usize = 2;
/// Words that occur in messages of all kinds.
const COMMON: [&str; 14] = [
    "ok",
    "error",
    "true",
    "false",
    "undefined",
    "none",
    "normal",
    "timeout",
    "exit",
    "throw",
    "reply",
    "noproc",
    "badarg",
    "badmatch",
];

/// Is it a word that is in messages of all kinds?
#[must_use]
pub fn is_common(word: &str) -> bool {
    COMMON.contains(&word)
}

/// A message that a process had taken in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heard<'a> {
    /// Its receive.
    pub taken: Taken,
    /// Its contents.
    pub message: &'a Value,
    /// The request that it answers.
    pub question: Option<&'a Value>,
    /// The function and the line where it was received.
    pub place: Option<(FunctionName, u32)>,
}

/// The last message whose contents, or whose request, the failure's reason mentions; only if the reason does not mention `last`. `heard`:
/// latest first.
pub fn spoken_of(reason: &Value, heard: &[Heard<'_>], last: Taken) -> Option<Taken> {
    let tells = |word: &Value, one: &Heard<'_>| {
        one.message.holds(word) || one.question.is_some_and(|question| question.holds(word))
    };
    // A word that half of the messages contain does not distinguish one of them.
    let holding = |word: &Value| heard.iter().filter(|one| tells(word, one)).count();
    let named: Vec<&Value> = words(reason)
        .into_iter()
        .filter(|word| {
            let of = holding(word);
            of > 0 && 2 * of <= heard.len().max(2)
        })
        .collect();
    let about = |one: &Heard<'_>| named.iter().filter(|word| tells(word, one)).count();
    let of_last = heard.iter().find(|one| one.taken == last).map_or(0, about);
    if of_last > 0 {
        return None;
    }
    let most = heard.iter().map(about).max().filter(|most| *most > 0)?;
    heard.iter().find(|one| about(one) == most).map(|one| one.taken)
}

/// Of several messages that were received at one place, those that differ from most of them, or if there are two, from the other one. Of maps,
/// only what the reason mentions counts. `known`: the reason of the failure, and the variables there; nothing is returned if the differences do
/// not occur in them.
pub fn differing(known: &[&Value], heard: &[Heard<'_>], told: Taken) -> Vec<Taken> {
    let Some(place) = heard.iter().find(|one| one.taken == told).and_then(|one| one.place) else {
        return Vec::new();
    };
    let Some(reason) = known.first() else { return Vec::new() };
    let group: Vec<(Taken, Value)> = heard
        .iter()
        .filter(|one| one.place == Some(place))
        .filter_map(|one| Some((one.taken, essence(one.message, reason)?)))
        .collect();
    let Some((_, own)) = group.iter().find(|(taken, _)| *taken == told) else {
        return Vec::new();
    };
    let mut sorts: Vec<(&Value, usize)> = Vec::new();
    for (_, value) in &group {
        match sorts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, n)) => *n += 1,
            None => sorts.push((value, 1)),
        }
    }
    // If all differ (each contains its own name), a difference means nothing.
    if sorts.len() < 2 || (sorts.len() == group.len() && group.len() > 2) {
        return Vec::new();
    }
    let occurs = |part: &Value| known.iter().any(|there| there.holds(part));
    let is_found = |value: &Value| words(value).into_iter().any(occurs) || occurs(value);
    sorts.retain(|(value, _)| *value != own && is_found(value));
    sorts.sort_by_key(|(_, n)| *n);
    let told = sorts.iter().take(DIFFERING);
    told.filter_map(|(value, _)| group.iter().find(|(_, known)| known == *value).map(|(taken, _)| *taken))
        .collect()
}

/// What counts of a message: of maps, the associations whose keys are mentioned. `None` if not all of it is known.
fn essence(message: &Value, reason: &Value) -> Option<Value> {
    if message.is_cut() {
        return None;
    }
    match spoken(message, reason) {
        Some(of) if !of.is_empty() => Some(Value::Map(of.into())),
        _ => Some(message.clone()),
    }
}

/// Atoms, texts, pids, references and numbers of more than one digit in a term, without duplicates and without words that occur in messages of
/// all kinds.
pub fn words(term: &Value) -> Vec<&Value> {
    let mut list = Vec::new();
    term.each(&mut |part| {
        let is_word = match part {
            Value::Atom(name) => {
                let is_sign = name.chars().count() == 1 && !name.chars().all(char::is_alphabetic);
                !is_sign && !COMMON.contains(&&**name)
            }
            Value::Number(digits) => digits.len() > 1,
            Value::Pid(_) | Value::Reference(_) | Value::Text(_) => true,
            Value::Tuple(_) | Value::List(..) | Value::Map(_) | Value::Cut => false,
        };
        if is_word && !list.contains(&part) {
            list.push(part);
        }
    });
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::term;
    use interpreter::atom::Atom;

    fn kept(text: &str) -> &'static Value {
        Box::leak(Box::new(term(text)))
    }

    fn heard(list: &[(&str, Option<&str>, u32)]) -> Vec<Heard<'static>> {
        let name = Atom::new("m");
        let function = FunctionName {
            module: name,
            name,
            arity: 1,
        };
        let one = |(i, (message, question, line)): (usize, &(&str, Option<&str>, u32))| Heard {
            taken: Taken {
                number: 100 - i as u64,
                from: None,
            },
            message: kept(message),
            question: question.map(kept),
            place: Some((function, *line)),
        };
        list.iter().enumerate().map(one).collect()
    }

    #[test]
    fn the_message_that_the_reason_speaks_of() {
        let list = heard(&[
            ("{[b,c],1}", Some("info"), 15),
            ("{ok,3}", Some("{get,c}"), 14),
            ("{ok,2}", Some("{get,b}"), 14),
            ("none", Some("{get,a}"), 14),
            ("ok", Some("{put,a,1}"), 12),
        ]);
        let found = spoken_of(kept("{lost_entries,[a]}"), &list, list[0].taken);
        assert_eq!(found, Some(list[3].taken));
        assert_eq!(
            spoken_of(kept("{lost_entries,[b]}"), &list, list[0].taken),
            None,
            "the last one holds it"
        );
        assert_eq!(spoken_of(kept("{lost_entries,[d]}"), &list, list[0].taken), None);
        assert_eq!(spoken_of(kept("badarith"), &list, list[0].taken), None);
    }

    #[test]
    fn the_answer_that_is_another_one() {
        let list = heard(&[("12", None, 4), ("12", None, 4), ("11", None, 4), ("7", None, 3)]);
        assert_eq!(
            differing(&[kept("{counts_differ,[11,12]}")], &list, list[0].taken),
            [list[2].taken]
        );
        let texts = [kept("{counts_differ,\"\\v\\f\"}"), kept("[{one,11},{two,12}]")];
        assert_eq!(differing(&texts, &list, list[0].taken), [list[2].taken]);
        assert_eq!(differing(&[kept("{counts_differ,[12]}")], &list, list[0].taken), []);
        let maps = heard(&[
            ("#{x => 1,{tx,4} => committed}", None, 4),
            ("#{x => 2,{tx,4} => aborted}", None, 4),
            ("#{x => 3,{tx,4} => committed}", None, 4),
        ]);
        let reason = kept("{atomicity_violated,{tx,4},[aborted,committed]}");
        assert_eq!(differing(&[reason], &maps, maps[0].taken), [maps[1].taken]);
        let all = heard(&[("{a,1}", None, 4), ("{b,2}", None, 4), ("{c,3}", None, 4)]);
        assert_eq!(differing(&[kept("{bad,[a,b,c]}")], &all, all[0].taken), []);
    }
}
