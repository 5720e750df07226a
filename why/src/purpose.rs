//! The purpose of a receive with a timeout.

/// The purpose of a receive that timed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It waited for a message.
    Wait,
    /// It takes no message: a sleep.
    Sleep,
    /// It does not wait: it checks the mailbox.
    Look,
}

/// The purpose of a receive, from its source text.
#[must_use]
pub fn purpose(text: &str) -> Purpose {
    let Some(start) = text.find("receive") else {
        return Purpose::Wait;
    };
    let text = &text[start + "receive".len()..];
    let mut at = 0;
    while let Some(next) = text[at..].find("after") {
        let (before, after) = (&text[..at + next], &text[at + next + "after".len()..]);
        at += next + "after".len();
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        let time = after.split("->").next().unwrap_or_default().trim();
        return match (time, before.trim()) {
            ("0", _) => Purpose::Look,
            (_, "") => Purpose::Sleep,
            _ => Purpose::Wait,
        };
    }
    Purpose::Wait
}

#[cfg(test)]
mod tests {
    use super::{Purpose, purpose};

    #[test]
    fn sleeps_and_looks_are_no_waits() {
        for text in [
            "receive {value, V} -> V after 50 -> exit(no_answer) end.",
            "receive\n  {[alias | Ref], Reply} -> {ok, Reply}\nafter Timeout ->",
            "receive after_me -> ok; X -> X after T -> ok end",
            "    gone",
        ] {
            assert_eq!(purpose(text), Purpose::Wait, "{text}");
        }
        assert_eq!(purpose("receive after 100 -> ok end"), Purpose::Sleep);
        assert_eq!(purpose("receive M -> M after 0 -> none end"), Purpose::Look);
    }
}
