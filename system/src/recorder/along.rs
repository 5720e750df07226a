//! A recorder beside another observer that has data of its own for each process.

use interpreter::atom::Atom;
use interpreter::otp::OtpName;
use log_format::Pid;

use crate::observer::{ActionEvent, Ending, Nobody, Observer};
use crate::recorder::recording::{Log, Recorder, Recording};

/// An observer that holds a recorder.
pub trait Records: Observer {
    /// What the recorder writes.
    fn recording(&mut self) -> &mut Recording;
    /// The recorder's part of the data for a process.
    fn log(data: &mut Self::Log) -> &mut Box<Log>;
}

impl<I: Observer<Log = ()>> Records for Recorder<I> {
    fn recording(&mut self) -> &mut Recording {
        &mut self.recording
    }

    fn log(data: &mut Box<Log>) -> &mut Box<Log> {
        data
    }
}

/// Records a run that another observer follows.
pub struct Along<O> {
    /// The other observer.
    pub inner: O,
    recorder: Recorder<Nobody>,
}

impl<O: Observer> Along<O> {
    /// An observer of a run, and its recorder.
    #[must_use]
    pub const fn new(inner: O, recorder: Recorder<Nobody>) -> Self {
        Self { inner, recorder }
    }
}

impl<O: Observer> Records for Along<O> {
    fn recording(&mut self) -> &mut Recording {
        &mut self.recorder.recording
    }

    fn log(data: &mut Self::Log) -> &mut Box<Log> {
        &mut data.1
    }
}

/// Every action goes to both: the fast paths stay unused.
impl<O: Observer> Observer for Along<O> {
    type Log = (O::Log, Box<Log>);

    fn wants_message(&self, data: &Self::Log) -> bool {
        self.inner.wants_message(&data.0)
    }

    fn wants_messages(&self) -> bool {
        self.inner.wants_messages() || self.recorder.wants_messages()
    }

    fn born(&mut self, pid: Pid, parent: Option<&Self::Log>, node: u16) -> Self::Log {
        (
            self.inner.born(pid, parent.map(|data| &data.0), node),
            self.recorder.born(pid, parent.map(|data| &data.1), node),
        )
    }

    fn action(&mut self, data: &mut Self::Log, event: &ActionEvent<'_>) {
        self.inner.action(&mut data.0, event);
        self.recorder.action(&mut data.1, event);
    }

    fn ended(&mut self, data: &mut Self::Log, ending: &Ending<'_>) {
        self.inner.ended(&mut data.0, ending);
        self.recorder.ended(&mut data.1, ending);
    }

    fn missing(&mut self, function: (Atom, Atom, u8), known: OtpName) {
        self.inner.missing(function, known);
    }

    fn buried(&mut self, data: Self::Log) {
        self.inner.buried(data.0);
        self.recorder.buried(data.1);
    }

    fn wants_cut(&mut self, actions: u64) -> bool {
        self.recorder.wants_cut(actions)
    }

    fn cut_due(&self) -> u64 {
        self.recorder.cut_due()
    }

    fn wants_cut_before_rest(&mut self, actions: u64, nanoseconds: Option<u64>) -> bool {
        self.recorder.wants_cut_before_rest(actions, nanoseconds)
    }

    fn rests_at_most(&self, actions: u64) -> Option<u64> {
        self.recorder.rests_at_most(actions)
    }

    fn cut(&mut self, logs: &mut dyn Iterator<Item = &mut Self::Log>, texts: &[String], nodes: &[Atom]) {
        self.recorder.cut(&mut logs.map(|data| &mut data.1), texts, nodes);
    }
}
