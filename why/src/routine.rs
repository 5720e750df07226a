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

/// Classifies a printed message. `in_library` must say that the sending or receiving function belongs to the library: a program may use the
/// same shapes.
#[must_use]
pub fn speech(text: &str, in_library: bool) -> Speech<'_> {
    if let Some(rest) = text.strip_prefix("{'$gen_call',{<")
        && let Some((_, request)) = rest.split_once("},")
    {
        return Speech::Call(body(request));
    }
    if let Some(rest) = text.strip_prefix("{'$gen_cast',") {
        return Speech::Cast(body(rest));
    }
    if let Some(rest) = text.strip_prefix("{[alias|#Ref<")
        && let Some((_, reply)) = rest.split_once(">],")
    {
        return Speech::Reply(body(reply));
    }
    if !in_library {
        return Speech::Plain(text);
    }
    // In a `gen_event`, the label of the request is the pid of the caller.
    if let Some(rest) = text.strip_prefix("{<")
        && let Some((label, rest)) = rest.split_once(">,{<")
        && let Some((asked_by, tag)) = rest.split_once(">,")
        && tag.strip_prefix("[alias|").unwrap_or(tag).starts_with("#Ref<")
        && let Some((_, request)) = tag.split_once("},")
        && label == asked_by
    {
        return Speech::Call(body(request));
    }
    if let Some(rest) = text.strip_prefix("{#Ref<")
        && let Some((_, reply)) = rest.split_once(">,")
    {
        return Speech::Reply(body(reply));
    }
    if let Some(rest) = text.strip_prefix("{timeout,#Ref<")
        && let Some((_, kind)) = rest.split_once(">,")
    {
        return Speech::Timer(body(kind));
    }
    Speech::Plain(text)
}

/// The value with which a process started by `proc_lib` reports to its parent, and only to it: what `start_link` returns.
#[must_use]
pub fn started(text: &str) -> Option<&str> {
    let (_, result) = text.strip_prefix("{ack,<")?.split_once(">,")?;
    Some(body(result))
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
