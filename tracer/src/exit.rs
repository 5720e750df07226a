//! Exit codes of `tracer`.

/// How an invocation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The entry returned.
    Success,
    /// The program's `halt(N)`.
    Halt(u8),
    /// The entry crashed.
    Crashed,
    /// The entry returned, and tests that a test runner ran have failed.
    TestsFailed,
    /// The entry returned `{error, Reason}`: the program has said so, and that is its own result.
    ReturnedError,
    /// `compare` found a difference.
    Different,
    /// The command line is wrong.
    Usage,
    /// The program does not compile or uses what is not supported.
    Program,
    /// An input cannot be read.
    NoInput,
    /// An output cannot be written.
    NoOutput,
    /// A bug of ours.
    Bug,
    /// The entry waits for ever.
    Deadlock,
    /// A limit was reached.
    Limit,
    /// Ctrl-C.
    Interrupted,
    /// SIGTERM.
    Terminated,
    /// SIGHUP: the terminal is gone.
    HungUp,
}

impl Exit {
    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success | Self::ReturnedError => 0,
            Self::Halt(n) => n,
            Self::Crashed | Self::TestsFailed | Self::Different => 1,
            Self::Usage => 2,
            Self::Program => 64,
            Self::NoInput => 66,
            Self::Bug => 70,
            Self::NoOutput => 73,
            Self::Deadlock => 80,
            Self::Limit => 81,
            Self::HungUp => 129,
            Self::Interrupted => 130,
            Self::Terminated => 143,
        }
    }
}
