//! What is seen of a transform that runs: how it ended, and what it called that is not there.

use interpreter::atom::Atom;
use interpreter::otp::OtpName;
use interpreter::print;
use interpreter::vm::heap_of;
use log_format::Tag;

use crate::observer::{ActionEvent, Ending, Observer};
use crate::settings::FIRST_PID;

/// Limit: characters of a reason.
const REASON_CHARS: usize = 2000;

/// Sees it.
#[derive(Default)]
pub struct TransformWatch {
    /// The reason of the end of the first process.
    pub reason: Option<String>,
    /// A function of OTP that was called and that the tool does not have.
    pub missing: Option<String>,
}

impl Observer for TransformWatch {
    type Log = ();
    fn born(&mut self, _: log_format::Pid, _: Option<&()>, _: u16) {}
    fn action(&mut self, (): &mut (), _: &ActionEvent<'_>) {}
    fn missing(&mut self, (module, function, arity): (Atom, Atom, u8), _: OtpName) {
        self.missing = Some(format!("{module}:{function}/{arity}"));
    }
    fn plain_send(&mut self, (): &mut ()) -> bool {
        true
    }
    fn plain_rec(&mut self, (): &mut (), _: Tag) -> bool {
        true
    }
    fn ended(&mut self, (): &mut (), ending: &Ending<'_>) {
        if ending.pid.0 != FIRST_PID {
            return;
        }
        let mut heap = heap_of(ending.program);
        let reason = heap.import(ending.reason);
        let style = print::Style::unicode(ending.program);
        self.reason = Some(print::short(&heap, reason, REASON_CHARS, &style));
    }
}
