//! Printed maps whose keys are in another order.
//!
//! From OTP 26 on, a map with at most 32 keys lists its atoms in the order of BEAM's table of atoms, which depends on what was loaded before. Here, it
//! lists its keys in the order of terms, in every release.

/// A bracket that is open: its text, the elements that are complete, and the one that is being read.
struct Open {
    bracket: String,
    done: Vec<String>,
    element: String,
}

impl Open {
    fn new(bracket: &str) -> Self {
        Self {
            bracket: bracket.to_owned(),
            done: Vec::new(),
            element: String::new(),
        }
    }

    fn closed(mut self, end: &str) -> String {
        self.done.push(self.element);
        if self.bracket == "#{" {
            self.done.sort_unstable();
        }
        self.bracket + &self.done.join(",") + end
    }
}

/// A text in which the associations of printed maps are sorted, and have no blanks between their parts. What is not closed stays as it is read.
#[must_use]
pub fn sorted(text: &str) -> String {
    let mut out = String::new();
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_map = rest.starts_with("#{");
        let length = match c {
            '#' if is_map => 2,
            // Within a map, a text can have brackets and commas.
            '"' | '\'' if !open.is_empty() => quoted(rest, c),
            _ => c.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        rest = behind;
        match c {
            '#' if is_map => open.push(Open::new(piece)),
            '{' | '[' | '(' if !open.is_empty() => open.push(Open::new(piece)),
            '}' | ']' | ')' if !open.is_empty() => {
                let whole = open.pop().map(|last| last.closed(piece)).unwrap_or_default();
                open.last_mut()
                    .map_or(&mut out, |outer| &mut outer.element)
                    .push_str(&whole);
            }
            ',' if let Some(last) = open.last_mut() => {
                let element = std::mem::take(&mut last.element);
                last.done.push(element);
            }
            c if c.is_ascii_whitespace() && !open.is_empty() => {}
            _ => open
                .last_mut()
                .map_or(&mut out, |outer| &mut outer.element)
                .push_str(piece),
        }
    }
    for mut unclosed in open {
        out += &unclosed.bracket;
        unclosed.done.push(unclosed.element);
        out += &unclosed.done.join(",");
    }
    out
}

/// The length of a text in quotes, or of all that follows.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::sorted;

    #[test]
    fn only_the_order_in_maps_is_lost() {
        let same = [
            ("#{b => 1,a => 2}", "#{a => 2,b => 1}"),
            (
                "x #{b => [2,1],\n   a => #{d => 1,c => \"}, {\"}} y",
                "x #{a => #{c => \"}, {\",d => 1},b => [2,1]} y",
            ),
            (
                "{#{'a,b' => {1,2},a => <<\"x\">>}}",
                "{#{a => <<\"x\">>,'a,b' => {1,2}}}",
            ),
        ];
        for (one, other) in same {
            assert_eq!(sorted(one), sorted(other));
        }
        for (one, other) in [("#{a => [1,2]}", "#{a => [2,1]}"), ("{b,a}", "{a,b}"), ("a b", "ab")] {
            assert_ne!(sorted(one), sorted(other));
        }
    }

    #[test]
    fn what_is_not_closed_is_kept() {
        assert_eq!(sorted("#{b => 1, \"x"), "#{b=>1,\"x");
        assert_eq!(sorted("don't #{ [ ("), "don't #{[(");
        assert_eq!(sorted("}]) é"), "}]) é");
        let deep = "#{a => ".repeat(100_000);
        assert_eq!(sorted(&deep).len(), "#{a=>".len() * 100_000);
    }
}
