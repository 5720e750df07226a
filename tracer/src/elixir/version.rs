//! Which version an installed Elixir is.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

/// The version of an Elixir, as its application `elixir` says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version(String);

impl Version {
    /// The versions that were tried, in words.
    pub const TRIED: &'static str = "1.14 to 1.18";

    /// That of the Elixir with these folders of modules; `None`: it does not say.
    pub fn of(folders: &[impl AsRef<Path>]) -> Option<Self> {
        let files = folders.iter().map(|folder| folder.as_ref().join("elixir.app"));
        let text = files.into_iter().find_map(|file| fs::read_to_string(file).ok())?;
        Self::in_application(&text)
    }

    /// That in the text of the file of an application.
    fn in_application(text: &str) -> Option<Self> {
        let version = text.split("{vsn,").nth(1)?.split('"').nth(1)?;
        Some(Self(version.to_owned()))
    }

    /// The two numbers of a minor version: `(1, 18)`.
    pub fn minor(&self) -> Option<(u32, u32)> {
        let mut numbers = self.0.split(['.', '-']).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    }

    /// Is it one of those that were tried?
    pub fn is_tried(&self) -> bool {
        self.minor().is_some_and(|minor| ((1, 14)..=(1, 18)).contains(&minor))
    }
}

impl Display for Version {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_application() {
        let of = |text| Version::in_application(text).map(|version| version.to_string());
        assert_eq!(
            of("{application,elixir,[{vsn,\"1.18.4\"}]}."),
            Some("1.18.4".to_owned())
        );
        assert_eq!(
            of("{application,elixir,\n [{description,\"x\"},\n  {vsn, \"1.14.0\"}"),
            Some("1.14.0".to_owned())
        );
        assert_eq!(of("{application,elixir,[]}."), None);
    }

    #[test]
    fn only_versions_that_were_tried_are_called_so() {
        let is_tried = |text: &str| Version(text.to_owned()).is_tried();
        for tried in ["1.14.0", "1.15.8", "1.18.4", "1.18.0-rc.0"] {
            assert!(is_tried(tried), "{tried}");
        }
        for other in ["1.13.4", "1.19.0", "1.21.0-dev", "2.0.0", "", "x"] {
            assert!(!is_tried(other), "{other}");
        }
    }
}
