//! Names of native functions.

/// A native function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct NativeName {
    /// Its module.
    pub module: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How many arguments it takes.
    pub arity: u8,
}

impl NativeName {
    /// Is it `erlang:NAME`, with any number of arguments?
    #[must_use]
    pub fn is_erlang(self, name: &str) -> bool {
        self.module == "erlang" && self.name == name
    }

    /// Does it set a timer?
    #[must_use]
    pub fn sets_timer(self) -> bool {
        self.is_erlang("send_after") || self.is_erlang("start_timer")
    }
}
