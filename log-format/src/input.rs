//! The class of an input: the first byte of its value. With it, a trace can list what could be private, and values can be left out by class
//! (FORMAT.md, "Inputs").

/// This bit of the first byte is set if the value was left out.
const REDACTED: u8 = 0x80;

/// The source of an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum InputClass {
    /// A clock or a calendar.
    Clock = 1,
    /// A seed of random numbers.
    Random = 2,
    /// A unique integer.
    Unique = 3,
    /// Facts of the system: memory, statistics, its versions and limits.
    System = 4,
    /// Environment variables.
    Env = 5,
    /// Contents of a file, or the result of writing one.
    File = 6,
    /// A line of standard input.
    Stdin = 7,
    /// Arguments of the command line.
    Arguments = 8,
    /// The output of a command of the operating system.
    Command = 9,
    /// Which of several values the program gets from `amb`.
    Choice = 10,
}

impl InputClass {
    /// Does it come from the program's surroundings: files, the environment, the command line, standard input, commands?
    #[must_use]
    pub const fn is_of_the_outside(self) -> bool {
        matches!(
            self,
            Self::Env | Self::File | Self::Stdin | Self::Arguments | Self::Command
        )
    }
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Clock,
        Self::Random,
        Self::Unique,
        Self::System,
        Self::Env,
        Self::File,
        Self::Stdin,
        Self::Arguments,
        Self::Command,
        Self::Choice,
    ];

    /// Its word on command lines and in JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Random => "random",
            Self::Unique => "unique",
            Self::System => "system",
            Self::Env => "env",
            Self::File => "file",
            Self::Stdin => "stdin",
            Self::Arguments => "arguments",
            Self::Command => "command",
            Self::Choice => "choice",
        }
    }

    /// The class with this word.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.word() == word)
    }

    /// Makes the value of an input action: the class, then the value obtained.
    #[must_use]
    pub fn wrap(self, value: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(value.len() + 1);
        out.push(self as u8);
        out.extend_from_slice(value);
        out
    }

    /// Makes the value of an input action without the value obtained.
    #[must_use]
    pub fn redacted(self) -> Vec<u8> {
        vec![self as u8 | REDACTED]
    }

    /// Makes the value of an input action that takes the alternative of this number, from 0.
    #[must_use]
    pub fn pick(number: u32) -> Vec<u8> {
        let term = match u8::try_from(number) {
            Ok(small) => vec![131, 97, small],
            Err(_) => [&[131, 98][..], &number.to_be_bytes()].concat(),
        };
        Self::Choice.wrap(&term)
    }

    /// The number of the alternative that an input action takes, if this is the value of such a one.
    #[must_use]
    pub fn picked(value: &[u8]) -> Option<u32> {
        match Self::split(value)? {
            (Self::Choice, Some(&[131, 97, small])) => Some(u32::from(small)),
            (Self::Choice, Some(&[131, 98, a, b, c, d])) => Some(u32::from_be_bytes([a, b, c, d])),
            _ => None,
        }
    }

    /// Splits the value of an input action into the class and the value obtained, which is `None` if it was left out. `None` if the value is
    /// not valid.
    ///
    /// ```
    /// use log_format::InputClass;
    ///
    /// let value = InputClass::Env.wrap(b"HOME");
    /// assert_eq!(InputClass::split(&value), Some((InputClass::Env, Some(&b"HOME"[..]))));
    /// assert_eq!(InputClass::split(b""), None);
    /// ```
    #[must_use]
    pub fn split(value: &[u8]) -> Option<(Self, Option<&[u8]>)> {
        let (&first, rest) = value.split_first()?;
        let class = Self::ALL.into_iter().find(|class| *class as u8 == first & !REDACTED)?;
        match first & REDACTED {
            0 => Some((class, Some(rest))),
            _ if rest.is_empty() => Some((class, None)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_carry_their_class() {
        for class in InputClass::ALL {
            assert_eq!(InputClass::split(&class.wrap(b"x")), Some((class, Some(&b"x"[..]))));
            assert_eq!(InputClass::split(&class.redacted()), Some((class, None)));
            assert_eq!(InputClass::of_word(class.word()), Some(class));
        }
        for bad in [&[][..], &[0], &[11, 1], &[0x81, 0], &[0x80]] {
            assert_eq!(InputClass::split(bad), None, "{bad:?}");
        }
        for number in [0, 255, 256, 70_000] {
            assert_eq!(InputClass::picked(&InputClass::pick(number)), Some(number));
        }
        assert_eq!(InputClass::picked(&InputClass::Random.wrap(&[131, 97, 1])), None);
    }
}
