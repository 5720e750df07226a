//! What is said of an action: where it was done, and what it did, in the words of the program.

use interpreter::print::{self, Style};
use log_format::{InputClass, Kind};
use session::view::SourcePlace;
use session::watch;
use system::observer::{ActionEvent, Detail};

/// Limit: characters of a message, or of the arguments of a call.
pub(crate) const CHARS: usize = 120;

/// What is said of an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Said {
    /// `file:line`, or nothing.
    pub place: String,
    /// What the process runs: the function that it was started with, or the module of a behaviour.
    pub runs: String,
    /// Is this place in the library that is built in?
    pub in_library: bool,
    /// Of a call: the function and its arguments. Of a choice of the program: what it takes.
    pub call: String,
}

impl Said {
    pub fn of(event: &ActionEvent<'_>) -> Self {
        let place = watch::here(event.machine, event.program);
        Self {
            in_library: place.as_ref().is_some_and(SourcePlace::is_built_in),
            place: place.map_or_else(String::new, |place| format!("{}:{}", place.file, place.line)),
            runs: watch::runs(event.machine, event.program).unwrap_or_default(),
            call: call(event),
        }
    }
}

fn call(event: &ActionEvent<'_>) -> String {
    match &event.action.kind {
        Kind::Rec(_) | Kind::After | Kind::Signal { .. } => String::new(),
        Kind::Exit { .. } => match event.detail {
            Detail::Ended(reason) => watch::fragment(reason, event.program, CHARS),
            _ => String::new(),
        },
        Kind::Halt { code } => code.to_string(),
        Kind::Input { value } if let Some(number) = InputClass::picked(value) => picked(event, number),
        _ => {
            let native = event.program.native(event.native);
            let style = Style::shown(event.program);
            let term = |t: &_| print::short(&event.machine.heap, *t, CHARS, &style);
            let args: Vec<String> = event.machine.args().iter().map(term).collect();
            format!("{}:{}({})", native.module, native.name, args.join(", "))
        }
    }
}

/// The value that the program chooses, and which one of how many it is.
fn picked(event: &ActionEvent<'_>, number: u32) -> String {
    let args = event.machine.args();
    let values = args.get(1).and_then(|values| event.machine.heap.list(*values));
    let at = u64::from(number) + 1;
    let Some(value) = values.as_ref().and_then(|values| values.get(number as usize)) else {
        return format!("element {at}");
    };
    let shown = print::short(&event.machine.heap, *value, CHARS, &Style::shown(event.program));
    format!("{shown} (element {at} of {})", values.map_or(0, |values| values.len()))
}
