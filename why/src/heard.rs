//! Which of the messages before a failure its reason mentions, and which of several similar ones differs from the others.

use crate::changes::{speaks_of, spoken};
use crate::past::Taken;
use crate::printed::{after_opening, association, entries, parts};

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
    pub message: &'a str,
    /// The request that it answers.
    pub question: Option<&'a str>,
    /// The function and the line where it was received.
    pub place: Option<(&'a str, u32)>,
}

/// The last message whose contents, or whose request, the failure's reason mentions; only if the reason does not mention `last`. `heard`:
/// latest first.
pub fn spoken_of(reason: &str, heard: &[Heard<'_>], last: Taken) -> Option<Taken> {
    let reason = reason.split_once(' ').map_or(reason, |(_, term)| term);
    let tells = |word: &str, one: &Heard<'_>| {
        speaks_of(one.message, word) || one.question.is_some_and(|question| speaks_of(question, word))
    };
    // A word that half of the messages contain does not distinguish one of them.
    let holding = |word: &str| heard.iter().filter(|one| tells(word, one)).count();
    let named: Vec<&str> = words(reason)
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
/// only what the reason mentions counts. `texts`: the reason of the failure, and the variables there; nothing is returned if the differences do
/// not occur in them.
pub fn differing(texts: &[&str], heard: &[Heard<'_>], told: Taken) -> Vec<Taken> {
    let Some(place) = heard.iter().find(|one| one.taken == told).and_then(|one| one.place) else {
        return Vec::new();
    };
    let reason = texts.first().copied().unwrap_or_default();
    let group: Vec<(Taken, String)> = heard
        .iter()
        .filter(|one| one.place == Some(place))
        .filter_map(|one| Some((one.taken, essence(one.message, reason)?)))
        .collect();
    let Some((_, own)) = group.iter().find(|(taken, _)| *taken == told) else {
        return Vec::new();
    };
    let mut sorts: Vec<(&str, usize)> = Vec::new();
    for (_, text) in &group {
        match sorts.iter_mut().find(|(known, _)| known == text) {
            Some((_, n)) => *n += 1,
            None => sorts.push((text, 1)),
        }
    }
    // If all differ (each contains its own name), a difference means nothing.
    if sorts.len() < 2 || (sorts.len() == group.len() && group.len() > 2) {
        return Vec::new();
    }
    let is_found = |text: &str| {
        let known = words(text);
        let found = |word: &str| texts.iter().any(|there| speaks_of(there, word));
        known.iter().any(|word| found(word)) || found(text)
    };
    sorts.retain(|(text, _)| text != own && is_found(text));
    sorts.sort_by_key(|(_, n)| *n);
    let told = sorts.iter().take(DIFFERING);
    told.filter_map(|(text, _)| group.iter().find(|(_, known)| known == text).map(|(taken, _)| *taken))
        .collect()
}

/// What counts of a message: of maps, the associations whose keys are mentioned. `None` if it was cut off.
fn essence(message: &str, reason: &str) -> Option<String> {
    if message.ends_with("...") || message.ends_with('…') {
        return None;
    }
    let Some(map) = entries(message) else {
        return Some(message.to_owned());
    };
    let of = spoken(&map, reason);
    Some(if of.is_empty() {
        message.to_owned()
    } else {
        of.join(",")
    })
}

/// Atoms, texts, pids, references and numbers of more than one digit in a term, without duplicates and without words that occur in messages of
/// all kinds.
pub fn words(term: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let mut level = vec![term];
    while let Some(part) = level.pop() {
        let part = part.trim();
        if let Some(inside) = after_opening(part) {
            let inside = inside.strip_suffix(['}', ']']).unwrap_or(inside);
            for one in parts(inside) {
                match association(one) {
                    Some(pair) => level.extend([pair.key, pair.value]),
                    None => level.push(one),
                }
            }
            continue;
        }
        let is_word = part.chars().count() > 1 || part.chars().all(char::is_alphabetic);
        let whole = !part.is_empty() && !part.ends_with("...");
        if is_word && whole && !COMMON.contains(&part.trim_start_matches(':')) && !list.contains(&part) {
            list.push(part);
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard<'a>(list: &[(&'a str, Option<&'a str>, u32)]) -> Vec<Heard<'a>> {
        let one = |(i, (message, question, line)): (usize, &(&'a str, Option<&'a str>, u32))| Heard {
            taken: Taken {
                number: 100 - i as u64,
                from: None,
            },
            message,
            question: *question,
            place: Some(("m:f/1", *line)),
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
        let found = spoken_of("exit {lost_entries,[a]}", &list, list[0].taken);
        assert_eq!(found, Some(list[3].taken));
        assert_eq!(
            spoken_of("exit {lost_entries,[b]}", &list, list[0].taken),
            None,
            "the last one holds it"
        );
        assert_eq!(spoken_of("exit {lost_entries,[d]}", &list, list[0].taken), None);
        assert_eq!(spoken_of("error badarith", &list, list[0].taken), None);
    }

    #[test]
    fn the_answer_that_is_another_one() {
        let list = heard(&[("12", None, 4), ("12", None, 4), ("11", None, 4), ("7", None, 3)]);
        assert_eq!(
            differing(&["exit {counts_differ,[11,12]}"], &list, list[0].taken),
            [list[2].taken]
        );
        let texts = ["exit {counts_differ,\"\\v\\f\"}", "[{one,11},{two,12}]"];
        assert_eq!(differing(&texts, &list, list[0].taken), [list[2].taken]);
        assert_eq!(differing(&["exit {counts_differ,[12]}"], &list, list[0].taken), []);
        let maps = heard(&[
            ("#{x => 1,{tx,4} => committed}", None, 4),
            ("#{x => 2,{tx,4} => aborted}", None, 4),
            ("#{x => 3,{tx,4} => committed}", None, 4),
        ]);
        let reason = "exit {atomicity_violated,{tx,4},[aborted,committed]}";
        assert_eq!(differing(&[reason], &maps, maps[0].taken), [maps[1].taken]);
        let all = heard(&[("{a,1}", None, 4), ("{b,2}", None, 4), ("{c,3}", None, 4)]);
        assert_eq!(differing(&["exit {bad,[a,b,c]}"], &all, all[0].taken), []);
    }
}
