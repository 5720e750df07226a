//! What was said: a term as a text of bounded length, and what the behaviours of OTP have put around it. `{'$gen_call',{From,Tag},Request}` is a call,
//! `{[alias|Ref],Reply}` its reply. That is found on the term, before it is a text.

use std::fmt;
use std::ops::Deref;

use interpreter::heap::{Fragment, Heap, TermView};
use interpreter::print::{self, Style};
use interpreter::term::Term;
use interpreter::vm;
use log_format::Pid;
use serde::{Serialize, Serializer};
use system::ids;

/// What was said, as people see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Content {
    /// The whole term.
    pub text: String,
    /// What is around the program's part of it.
    pub wrapped: Option<Wrapped>,
    /// The first reference in it, by its process and its number: a reply has that of its request.
    pub reference: Option<(Pid, u64)>,
}

/// A message that a behaviour has wrapped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrapped {
    /// What it is.
    pub what: WrappedAs,
    /// May a program send the same shape itself? Then it counts only between functions of the library.
    pub is_common: bool,
    /// The program's part: the last element of the tuple.
    pub body: String,
}

/// What behaviours say to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrappedAs {
    /// A request of `gen_server:call` and its like.
    Call,
    /// What `gen_server:cast` and its like sent.
    Cast,
    /// A reply to a call.
    Reply,
    /// A timer of `gen_statem`, or of `erlang:start_timer`, ran out.
    Timer,
    /// A process started by `proc_lib` reports to its parent what `start_link` returns.
    Started,
    /// The answer of an I/O server.
    Printed,
}

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

impl Content {
    /// A term of a heap, in at most so many characters.
    #[must_use]
    pub fn of(heap: &Heap, term: Term, style: &Style<'_>, chars: usize) -> Self {
        Self {
            text: print::short(heap, term, chars, style),
            reference: first_reference(heap, term, DEPTH),
            wrapped: wrapped(heap, term).map(|(what, is_common, body)| Wrapped {
                what,
                is_common,
                body: print::short(heap, body, chars, style),
            }),
        }
    }

    /// A term that is in no heap.
    #[must_use]
    pub fn of_fragment(fragment: &Fragment, program: &vm::Program, chars: usize) -> Self {
        let mut heap = Heap::new(program.literals().clone());
        let term = heap.import(fragment);
        Self::of(&heap, term, &Style::shown(program), chars)
    }

    /// The message as its program means it. `in_library`: a function of the library sent or received it.
    #[must_use]
    pub fn speech(&self, in_library: bool) -> Speech<'_> {
        let plain = Speech::Plain(&self.text);
        let Some(Wrapped { what, is_common, body }) = &self.wrapped else {
            return plain;
        };
        match what {
            _ if *is_common && !in_library => plain,
            WrappedAs::Call => Speech::Call(body),
            WrappedAs::Cast => Speech::Cast(body),
            WrappedAs::Reply => Speech::Reply(body),
            WrappedAs::Timer => Speech::Timer(body),
            WrappedAs::Started | WrappedAs::Printed => plain,
        }
    }

    /// The same as a noun: `the call get`.
    #[must_use]
    pub fn noun(&self, in_library: bool) -> String {
        self.speech(in_library).noun()
    }

    /// Of a process that reports that it runs: what `start_link` returns.
    #[must_use]
    pub fn started(&self) -> Option<&str> {
        let wrapped = self.wrapped.as_ref()?;
        (wrapped.what == WrappedAs::Started).then_some(&wrapped.body)
    }

    /// Is it the answer of an I/O server?
    #[must_use]
    pub fn is_printed(&self) -> bool {
        matches!(&self.wrapped, Some(wrapped) if wrapped.what == WrappedAs::Printed)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

impl Deref for Content {
    type Target = str;
    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'a> Speech<'a> {
    /// The program's part of the message.
    #[must_use]
    pub const fn body(self) -> &'a str {
        match self {
            Self::Call(text) | Self::Cast(text) | Self::Reply(text) | Self::Timer(text) | Self::Plain(text) => text,
        }
    }

    /// As a label: `call get`.
    #[must_use]
    pub fn brief(self) -> String {
        match self {
            Self::Call(text) => format!("call {text}"),
            Self::Cast(text) => format!("cast {text}"),
            Self::Reply(text) => format!("reply {text}"),
            Self::Timer(text) => format!("its timer {text}"),
            Self::Plain(text) => text.to_owned(),
        }
    }

    /// As a noun with its contents: `the call get`.
    #[must_use]
    pub fn noun(self) -> String {
        match self {
            Self::Call(_) | Self::Cast(_) | Self::Reply(_) => format!("the {}", self.brief()),
            Self::Timer(_) | Self::Plain(_) => self.brief(),
        }
    }
}

/// How deep a reference may lie, and among how many elements.
const DEPTH: usize = 4;
const ELEMENTS: usize = 16;

fn first_reference(heap: &Heap, term: Term, depth: usize) -> Option<(Pid, u64)> {
    if let TermView::Reference(reference) = heap.view(term) {
        return Some((ids::to_log(reference.owner), reference.number));
    }
    let deeper = depth.checked_sub(1)?;
    if let Some(elements) = heap.tuple(term) {
        let mut elements = elements.iter().take(ELEMENTS);
        return elements.find_map(|element| first_reference(heap, *element, deeper));
    }
    let mut at = term;
    for _ in 0..ELEMENTS {
        let Some((head, tail)) = heap.cons_cell(at) else {
            // `[alias|Ref]`
            return first_reference(heap, at, deeper).filter(|_| at != term);
        };
        if let Some(found) = first_reference(heap, head, deeper) {
            return Some(found);
        }
        at = tail;
    }
    None
}

/// What a behaviour has made of a message, whether a program may send this too, and the program's part.
fn wrapped(heap: &Heap, message: Term) -> Option<(WrappedAs, bool, Term)> {
    let elements = heap.tuple(message)?;
    let body = *elements.last()?;
    let first = *elements.first()?;
    let is_ref = |term: Term| matches!(heap.view(term), TermView::Reference(_));
    // `[alias|Ref]`
    let is_alias = |term: Term| {
        let cell = heap.cons_cell(term);
        cell.is_some_and(|(head, tail)| head.as_atom().is_some_and(|head| head.as_str() == "alias") && is_ref(tail))
    };
    let from = |term: Term| match heap.tuple(term) {
        Some(&[pid, tag]) => pid.as_pid().map(|pid| (pid, tag)),
        _ => None,
    };
    let tag = first.as_atom().map(|tag| tag.as_str());
    let found = match (tag, elements) {
        (Some("$gen_call"), &[_, asked_by, _]) if from(asked_by).is_some() => (WrappedAs::Call, false),
        (Some("$gen_cast"), &[_, _]) => (WrappedAs::Cast, false),
        (Some("timeout"), &[_, timer, _]) if is_ref(timer) => (WrappedAs::Timer, true),
        (Some("ack"), &[_, child, _]) if child.as_pid().is_some() => (WrappedAs::Started, true),
        (Some("io_reply"), &[_, _, _]) => (WrappedAs::Printed, true),
        (None, &[_, _]) if is_alias(first) => (WrappedAs::Reply, false),
        (None, &[_, _]) if is_ref(first) => (WrappedAs::Reply, true),
        // In a `gen_event`, the label of the request is the pid of the caller.
        (None, &[label, asked_by, _]) => match (label.as_pid(), from(asked_by)) {
            (Some(label), Some((pid, tag))) if label == pid && (is_ref(tag) || is_alias(tag)) => {
                (WrappedAs::Call, true)
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((found.0, found.1, body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use interpreter::atom::Atom;
    use interpreter::print::{NoCode, Terms};
    use interpreter::term::{Pid as Handle, Reference};

    /// What is said, in both languages and on both sides of the library, of a message made by this.
    fn nouns(make: impl Fn(&mut Heap) -> Term) -> [String; 3] {
        let mut heap = Heap::new(std::sync::Arc::default());
        let term = make(&mut heap);
        let erlang = Content::of(&heap, term, &Style::shown(&NoCode), 100);
        let style = Style {
            terms: Terms::Elixir,
            ..Style::shown(&NoCode)
        };
        let elixir = Content::of(&heap, term, &style, 100);
        [erlang.noun(true), elixir.noun(true), erlang.noun(false)]
    }

    fn atom(name: &str) -> Term {
        Term::atom(Atom::new(name))
    }

    const ME: Handle = Handle::new(0, 4);

    fn reference(heap: &mut Heap) -> Term {
        heap.make_reference(Reference { owner: ME, number: 2 })
    }

    fn alias(heap: &mut Heap) -> Term {
        let reference = reference(heap);
        heap.cons(atom("alias"), reference)
    }

    #[test]
    fn what_behaviours_add_is_taken_off() {
        let call = nouns(|heap| {
            let alias = alias(heap);
            let from = heap.make_tuple(&[Term::pid(ME), alias]);
            let request = heap.make_tuple(&[atom("put"), atom("a, {b}")]);
            heap.make_tuple(&[atom("$gen_call"), from, request])
        });
        let erlang = "the call {put,'a, {b}'}";
        assert_eq!(call, [erlang, "the call {:put, :\"a, {b}\"}", erlang]);
        let cast = nouns(|heap| heap.make_tuple(&[atom("$gen_cast"), atom("go")]));
        assert_eq!(cast, ["the cast go", "the cast :go", "the cast go"]);
        let reply = nouns(|heap| {
            let alias = alias(heap);
            heap.make_tuple(&[alias, atom("done")])
        });
        assert_eq!(reply, ["the reply done", "the reply :done", "the reply done"]);
    }

    #[test]
    fn what_a_program_may_send_too_is_taken_off_between_functions_of_the_library() {
        let event = nouns(|heap| {
            let tag = reference(heap);
            let from = heap.make_tuple(&[Term::pid(ME), tag]);
            heap.make_tuple(&[Term::pid(ME), from, atom("which_handlers")])
        });
        assert_eq!(event[0], "the call which_handlers");
        assert_eq!(event[2], "{<0.4.0>,{<0.4.0>,#Ref<0.4.2.0>},which_handlers}");
        let reply = nouns(|heap| {
            let tag = reference(heap);
            heap.make_tuple(&[tag, atom("ok")])
        });
        assert_eq!(
            (reply[0].as_str(), reply[2].as_str()),
            ("the reply ok", "{#Ref<0.4.2.0>,ok}")
        );
        let timer = nouns(|heap| {
            let timer = reference(heap);
            heap.make_tuple(&[atom("timeout"), timer, atom("state_timeout")])
        });
        assert_eq!(timer[1], "its timer :state_timeout");
        assert_eq!(timer[2], "{timeout,#Ref<0.4.2.0>,state_timeout}");
    }

    #[test]
    fn messages_of_the_program_stay_as_they_are() {
        for name in ["hello", "{'$gen_cast',a}", ""] {
            let said = nouns(|_| atom(name));
            assert_eq!(said[0], said[2]);
        }
        let own = nouns(|heap| heap.make_tuple(&[atom("$gen_call"), atom("x")]));
        assert_eq!(own[0], "{'$gen_call',x}");
        let own = nouns(|heap| heap.make_tuple(&[atom("$gen_call"), atom("x"), atom("y")]));
        assert_eq!(own[0], "{'$gen_call',x,y}");
    }

    #[test]
    fn a_reply_has_the_reference_of_its_request() {
        let mut heap = Heap::new(std::sync::Arc::default());
        let mut content = |make: &dyn Fn(&mut Heap) -> Vec<Term>| {
            let elements = make(&mut heap);
            let message = heap.make_tuple(&elements);
            Content::of(&heap, message, &Style::shown(&NoCode), 100).reference
        };
        let call = content(&|heap| {
            let alias = alias(heap);
            let from = heap.make_tuple(&[Term::pid(ME), alias]);
            vec![atom("$gen_call"), from, atom("get")]
        });
        let reply = content(&|heap| vec![reference(heap), atom("ok")]);
        assert_eq!((call, reply), (Some((ids::to_log(ME), 2)), call));
        assert_eq!(content(&|_| vec![atom("get")]), None);
    }

    #[test]
    fn a_process_reports_that_it_runs() {
        let mut heap = Heap::new(std::sync::Arc::default());
        let result = heap.make_tuple(&[atom("ok"), Term::pid(ME)]);
        let message = heap.make_tuple(&[atom("ack"), Term::pid(ME), result]);
        let content = Content::of(&heap, message, &Style::shown(&NoCode), 100);
        assert_eq!((content.started(), content.reference), (Some("{ok,<0.4.0>}"), None));
        assert_eq!(content.noun(true), "{ack,<0.4.0>,{ok,<0.4.0>}}");
    }
}
