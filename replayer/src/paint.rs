//! Colours.

use std::io::IsTerminal;

use clap::ValueEnum;

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Paints, or does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output.
    #[must_use]
    pub fn stdout(choice: ColorChoice) -> Self {
        Self {
            on: wanted(choice, std::io::stdout().is_terminal()),
        }
    }
    /// For standard error.
    #[must_use]
    pub fn stderr(choice: ColorChoice) -> Self {
        Self {
            on: wanted(choice, std::io::stderr().is_terminal()),
        }
    }
    /// No colours.
    #[must_use]
    pub const fn off() -> Self {
        Self { on: false }
    }
    fn wrap(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
    /// The most important part.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }
    /// Details.
    #[must_use]
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }
    /// The target.
    #[must_use]
    pub fn target(self, text: &str) -> String {
        self.wrap("1;33", text)
    }
    /// Bad news.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }
    /// Good news.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }
}

fn wanted(choice: ColorChoice, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
