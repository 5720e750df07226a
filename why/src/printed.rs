//! Printed terms taken apart, in both languages: `#{a => 1}` of Erlang, `%{a: 1}` and `%User{name: "x"}` of Elixir.

/// An association of a printed map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair<'t> {
    /// Its key.
    pub key: &'t str,
    /// What that leads to.
    pub value: &'t str,
    /// Both, as they are printed.
    pub whole: &'t str,
}

/// What a key leads to.
pub fn value_of<'t>(map: &[Pair<'t>], key: &str) -> Option<&'t str> {
    map.iter().find(|pair| pair.key == key).map(|pair| pair.value)
}

/// The associations in a printed value: of a map, or of the maps that are elements of a tuple, as in a record. `None` if there is no map or
/// something was cut off.
pub fn all_entries(text: &str) -> Option<Vec<Pair<'_>>> {
    if let Some(map) = entries(text) {
        return Some(map);
    }
    let inside = text.strip_prefix('{')?.strip_suffix('}')?;
    let maps: Vec<_> = parts(inside)
        .into_iter()
        .filter_map(|part| all_entries(part.trim()))
        .collect();
    (!maps.is_empty()).then(|| maps.concat())
}

/// The associations of a printed map; `None` if it is not a map or was cut off.
pub fn entries(text: &str) -> Option<Vec<Pair<'_>>> {
    let inside = after_map(text)?.strip_suffix('}')?;
    parts(inside).into_iter().map(association).collect()
}

/// What comes after the beginning of a map or a struct.
pub fn after_map(text: &str) -> Option<&str> {
    if let Some(inside) = text.strip_prefix("#{") {
        return Some(inside);
    }
    let (name, inside) = text.strip_prefix('%')?.split_once('{')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    is_name.then_some(inside)
}

/// What comes after the beginning of a map, a tuple or a list.
pub fn after_opening(text: &str) -> Option<&str> {
    after_map(text).or_else(|| text.strip_prefix(['{', '[']))
}

/// Key and value of an association: parted outside brackets and quotes by the `=>`, or by the colon of a keyword.
pub fn association(part: &str) -> Option<Pair<'_>> {
    const ARROW: &str = " => ";
    const COLON: &str = ": ";
    let whole = part.trim();
    let mut depth = 0_usize;
    for (at, c) in bare(whole) {
        let parted = |by: &str| Pair {
            key: whole[..at].trim(),
            value: whole[at + by.len()..].trim(),
            whole,
        };
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && whole[at..].starts_with(ARROW) => return Some(parted(ARROW)),
            ':' if depth == 0 && at > 0 && whole[at..].starts_with(COLON) => return Some(parted(COLON)),
            _ => {}
        }
    }
    None
}

/// The characters of a text outside quotes, with their places.
pub fn bare(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut quote, mut escaped) = (None, false);
    text.char_indices().filter(move |(_, c)| match (quote, c) {
        _ if escaped => {
            escaped = false;
            false
        }
        (_, '\\') | (None, '$') => {
            escaped = true;
            false
        }
        (Some(open), c) => {
            if open == *c {
                quote = None;
            }
            false
        }
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        (None, _) => true,
    })
}

/// The elements between the commas outside brackets and quotes.
pub fn parts(text: &str) -> Vec<&str> {
    let mut list = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, c) in bare(text) {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                list.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if from < text.len() {
        list.push(&text[from..]);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(found: Option<Vec<Pair<'_>>>) -> Option<Vec<(&str, &str)>> {
        found.map(|all| all.into_iter().map(|pair| (pair.key, pair.value)).collect())
    }

    #[test]
    fn printed_terms_are_taken_apart() {
        assert_eq!(parts("a,{b,c},\"x,\\\"y\",[d]"), ["a", "{b,c}", "\"x,\\\"y\"", "[d]"]);
        assert_eq!(
            pairs(entries("#{a => {1,2},b => #{c => d}}")).unwrap(),
            [("a", "{1,2}"), ("b", "#{c => d}")]
        );
        assert_eq!(
            pairs(all_entries("{st,<0.2.0>,#{a => 1},{x,#{b => 2}},[]}")).unwrap(),
            [("a", "1"), ("b", "2")]
        );
        assert_eq!(all_entries("{st,<0.2.0>,[]}"), None);
        assert_eq!(entries("#{a => 1,b..."), None);
    }

    #[test]
    fn so_are_those_of_elixir() {
        assert_eq!(
            pairs(entries(
                "%Shop.Cart{items: %{\"a: b\" => {1, 2}}, \"x y\": :\"a => b\"}"
            ))
            .unwrap(),
            [("items", "%{\"a: b\" => {1, 2}}"), ("\"x y\"", ":\"a => b\"")]
        );
        assert_eq!(
            pairs(all_entries("{:st, #PID<0.2.0>, %{a: 1}, {:x, %{:b => 2, \"c\" => 3}}}")).unwrap(),
            [("a", "1"), (":b", "2"), ("\"c\"", "3")]
        );
        assert_eq!(entries("#PID<0.2.0>"), None);
        assert_eq!(entries("%{a: 1, b..."), None);
        assert_eq!(after_opening("%User{name: 1}"), Some("name: 1}"));
    }
}
