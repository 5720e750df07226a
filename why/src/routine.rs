//! What the behaviours of OTP put around the messages of a program: `{'$gen_call',{From,Tag},Request}` is a call, `{[alias|Ref],Reply}` its
//! reply. Read from the printed terms, which may have been cut.

/// A message, without what a behaviour wraps around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speech<'a> {
    /// A request of `gen_server:call` and its like.
    Call(&'a str),
    /// What `gen_server:cast` and its like sent.
    Cast(&'a str),
    /// A reply to a call.
    Reply(&'a str),
    /// A timer of `gen_statem`, or of `erlang:start_timer`, ran out.
    Timer(&'a str),
    /// Just a message.
    Plain(&'a str),
}

/// How a language writes what the shapes are made of.
struct Language {
    call: &'static str,
    cast: &'static str,
    timeout: &'static str,
    ack: &'static str,
    pid: &'static str,
    reference: &'static str,
    alias: &'static str,
    comma: &'static str,
}

const LANGUAGES: [Language; 2] = [
    Language {
        call: "{'$gen_call',{<",
        cast: "{'$gen_cast',",
        timeout: "{timeout,#Ref<",
        ack: "{ack,<",
        pid: "<",
        reference: "#Ref<",
        alias: "[alias|",
        comma: ",",
    },
    Language {
        call: "{:\"$gen_call\", {#PID<",
        cast: "{:\"$gen_cast\", ",
        timeout: "{:timeout, #Reference<",
        ack: "{:ack, #PID<",
        pid: "#PID<",
        reference: "#Reference<",
        alias: "[:alias | ",
        comma: ", ",
    },
];

/// Classifies a printed message. `in_library` must say that the sending or receiving function belongs to the library: a program may use the
/// same shapes.
#[must_use]
pub fn speech(text: &str, in_library: bool) -> Speech<'_> {
    let read = |language: &Language| language.speech(text, in_library);
    LANGUAGES.iter().find_map(read).unwrap_or(Speech::Plain(text))
}

impl Language {
    fn speech<'t>(&self, text: &'t str, in_library: bool) -> Option<Speech<'t>> {
        if let Some(rest) = text.strip_prefix(self.call) {
            return Some(Speech::Call(body(self.after("}", rest)?)));
        }
        if let Some(rest) = text.strip_prefix(self.cast) {
            return Some(Speech::Cast(body(rest)));
        }
        let inside = text.strip_prefix('{')?;
        if let Some(rest) = inside
            .strip_prefix(self.alias)
            .and_then(|rest| rest.strip_prefix(self.reference))
        {
            return Some(Speech::Reply(body(self.after(">]", rest)?)));
        }
        if !in_library {
            return None;
        }
        // In a `gen_event`, the label of the request is the pid of the caller.
        if let Some(rest) = inside.strip_prefix(self.pid)
            && let Some((label, rest)) = rest.split_once('>')
            && let Some(rest) = rest.strip_prefix(self.comma)
            && let Some((asked_by, rest)) = rest
                .strip_prefix('{')
                .and_then(|rest| rest.strip_prefix(self.pid)?.split_once('>'))
            && let Some(tag) = rest.strip_prefix(self.comma)
            && tag.strip_prefix(self.alias).unwrap_or(tag).starts_with(self.reference)
            && let Some(request) = self.after("}", tag)
            && label == asked_by
        {
            return Some(Speech::Call(body(request)));
        }
        if let Some(rest) = inside.strip_prefix(self.reference)
            && let Some(reply) = self.after(">", rest)
        {
            return Some(Speech::Reply(body(reply)));
        }
        let kind = self.after(">", text.strip_prefix(self.timeout)?)?;
        Some(Speech::Timer(body(kind)))
    }

    /// What comes after this end of an element and the comma.
    fn after<'t>(&self, end: &str, rest: &'t str) -> Option<&'t str> {
        let mut from = 0;
        while let Some(at) = rest[from..].find(end) {
            let next = from + at + end.len();
            if let Some(found) = rest[next..].strip_prefix(self.comma) {
                return Some(found);
            }
            from = next;
        }
        None
    }
}

/// The value with which a process started by `proc_lib` reports to its parent, and only to it: what `start_link` returns.
#[must_use]
pub fn started(text: &str) -> Option<&str> {
    let result = |language: &Language| language.after(">", text.strip_prefix(language.ack)?);
    LANGUAGES.iter().find_map(result).map(body)
}

/// Is it the answer of an I/O server?
#[must_use]
pub fn is_io_reply(text: &str) -> bool {
    text.starts_with("{io_reply,") || text.starts_with("{:io_reply, ")
}

/// Without the closing brace, unless it was cut off.
fn body(rest: &str) -> &str {
    rest.strip_suffix('}').unwrap_or(rest)
}

impl<'a> Speech<'a> {
    /// The program's part of the message.
    #[must_use]
    pub const fn body(self) -> &'a str {
        match self {
            Self::Call(text) | Self::Cast(text) | Self::Reply(text) | Self::Timer(text) | Self::Plain(text) => text,
        }
    }

    /// As a noun with its contents: `the call get`.
    #[must_use]
    pub fn noun(self) -> String {
        match self {
            Self::Call(text) => format!("the call {text}"),
            Self::Cast(text) => format!("the cast {text}"),
            Self::Reply(text) => format!("the reply {text}"),
            Self::Timer(text) => format!("its timer {text}"),
            Self::Plain(text) => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_behaviours_add_is_taken_off() {
        let call = "{'$gen_call',{<0.4.0>,[alias|#Ref<0.4.2.0>]},{put,{20,[]}}}";
        assert_eq!(speech(call, true), Speech::Call("{put,{20,[]}}"));
        assert_eq!(
            speech("{'$gen_call',{<0.4.0>,#Ref<0.4.2.0>},get}", true),
            Speech::Call("get")
        );
        assert_eq!(
            speech("{'$gen_call',{<0.4.0>,[alias|#Ref<0.4.2.0>]},{put,20…", true),
            Speech::Call("{put,20…")
        );
        let call = "{<0.1.0>,{<0.1.0>,[alias|#Ref<0.1.3.0>]},{call,chatev,dump}}";
        assert_eq!(speech(call, true), Speech::Call("{call,chatev,dump}"));
        assert_eq!(speech(call, false), Speech::Plain(call));
        let call = "{<0.1.0>,{<0.1.0>,#Ref<0.1.1.0>},which_handlers}";
        assert_eq!(speech(call, true), Speech::Call("which_handlers"));
        assert_eq!(speech("{'$gen_cast',{a,1}}", true), Speech::Cast("{a,1}"));
        assert_eq!(speech("{[alias|#Ref<0.1.1.0>],20}", true), Speech::Reply("20"));
        assert_eq!(speech("{#Ref<0.1.1.0>,{ok,1}}", true), Speech::Reply("{ok,1}"));
        assert_eq!(started("{ack,<0.2.0>,{ok,<0.2.0>}}"), Some("{ok,<0.2.0>}"));
        // A program may send this too.
        let own = "{ack,<0.2.0>,41}";
        assert_eq!(speech(own, true), Speech::Plain(own));
        assert_eq!(
            speech("{timeout,#Ref<0.2.1.0>,state_timeout}", true),
            Speech::Timer("state_timeout")
        );
    }

    #[test]
    fn the_same_of_elixir() {
        let call = "{:\"$gen_call\", {#PID<0.4.0>, [:alias | #Reference<0.4.2.0>]}, {:put, {20, []}}}";
        assert_eq!(speech(call, true), Speech::Call("{:put, {20, []}}"));
        assert_eq!(speech("{:\"$gen_cast\", {:a, 1}}", true), Speech::Cast("{:a, 1}"));
        let call = "{#PID<0.1.0>, {#PID<0.1.0>, #Reference<0.1.1.0>}, :which_handlers}";
        assert_eq!(speech(call, true), Speech::Call(":which_handlers"));
        assert_eq!(speech(call, false), Speech::Plain(call));
        assert_eq!(
            speech("{[:alias | #Reference<0.1.1.0>], 20}", true),
            Speech::Reply("20")
        );
        assert_eq!(
            speech("{#Reference<0.1.1.0>, {:ok, 1}}", true),
            Speech::Reply("{:ok, 1}")
        );
        assert_eq!(
            started("{:ack, #PID<0.2.0>, {:ok, #PID<0.2.0>}}"),
            Some("{:ok, #PID<0.2.0>}")
        );
        let timer = "{:timeout, #Reference<0.2.1.0>, :state_timeout}";
        assert_eq!(speech(timer, true), Speech::Timer(":state_timeout"));
    }

    #[test]
    fn messages_of_the_program_stay_as_they_are() {
        for text in [
            "{#Ref<0.1.1.0>,{ok,1}}",
            "{ack,<0.2.0>,1}",
            "{get,<0.1.0>}",
            "hello",
            "{'$gen_call',x}",
            "",
        ] {
            assert_eq!(speech(text, false), Speech::Plain(text));
        }
    }
}
