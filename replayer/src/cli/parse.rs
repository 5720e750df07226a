//! Parses a command line.

use super::verbs::{VERBS, WITH_VALUE};
use super::{Cli, Command};
use crate::commands::run::Move;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::Path;

/// Parses a command line.
///
/// # Errors
/// It is wrong, or asks for help.
pub fn parse(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    if let Some(message) = unknown_verb(&arguments) {
        return Err(command.error(clap::error::ErrorKind::InvalidSubcommand, message));
    }
    let matches = command.try_get_matches_from_mut(with_verb(arguments))?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let (Command::Run(run), Some((_, given))) = (&mut cli.command, matches.subcommand()) {
        let places = |name: &str| given.indices_of(name).into_iter().flatten();
        let until = places("until").zip(run.until.iter().cloned().map(Move::Until));
        let back = places("back").zip(run.back.iter().cloned().map(Move::Back));
        let mut moves: Vec<(usize, Move)> = until.chain(back).collect();
        moves.sort_by_key(|(at, _)| *at);
        run.moves = moves.into_iter().map(|(_, one)| one).collect();
        if let Some(Move::Back(_)) = run.moves.first() {
            return Err(command.error(
                clap::error::ErrorKind::ArgumentConflict,
                "--back comes before --until: at the beginning there is nothing to go back over",
            ));
        }
    }
    Ok(cli)
}

/// The error for a first word that is neither a verb nor a trace, if it certainly should be a verb: it looks like one and a trace or a target
/// follows, or it is nearly one.
pub(super) fn unknown_verb(arguments: &[OsString]) -> Option<String> {
    let mut rest = arguments.iter().skip(1).map(|argument| argument.to_str());
    let word = first_word(&mut rest)?;
    let looks_like_one = word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    if VERBS.contains(&word) || !looks_like_one || is_trace(word) {
        return None;
    }
    let followed = rest.next().flatten().is_some_and(|next| !next.starts_with('-'));
    let mut near: Vec<(usize, &str)> = VERBS
        .iter()
        .map(|verb| (log_format::distance(word, verb), *verb))
        .collect();
    near.retain(|(far, verb)| *far <= 2 && *far < verb.len().min(word.len()));
    near.sort_unstable();
    if near.is_empty() && !followed {
        return None;
    }
    let known = match near.as_slice() {
        [] => format!("expected one of {}", VERBS.join(", ")),
        near => {
            let verbs: Vec<String> = near.iter().take(3).map(|(_, verb)| format!("`{verb}`")).collect();
            format!("did you mean {}?", verbs.join(" or "))
        }
    };
    Some(format!(
        "`{word}` is not a command, and there is no trace of that name: {known}"
    ))
}

/// The first word that is no option and no value of one.
fn first_word<'a>(rest: &mut impl Iterator<Item = Option<&'a str>>) -> Option<&'a str> {
    loop {
        let text = rest.next()??;
        match text {
            "-h" | "--help" | "-V" | "--version" | "--" => return None,
            _ if WITH_VALUE.contains(&text) => drop(rest.next()),
            _ if text.starts_with('-') => {}
            word => return Some(word),
        }
    }
}

/// Is this the verb of a command line?
#[must_use]
pub fn is_verb(arguments: &[OsString], verb: &str) -> bool {
    let mut rest = arguments.iter().skip(1).map(|argument| argument.to_str());
    first_word(&mut rest) == Some(verb)
}

pub(super) fn is_trace(word: &str) -> bool {
    Path::new(word).exists() || crate::store::resolve(std::ffi::OsStr::new(word)).is_ok_and(|path| path.exists())
}

/// Puts the verb `run` in front if there is no verb: `replay --until TARGET TRACE`.
#[must_use]
pub fn with_verb(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut rest = arguments.iter().skip(1);
    let mut needs_verb = false;
    while let Some(argument) = rest.next() {
        let Some(text) = argument.to_str() else {
            needs_verb = true;
            break;
        };
        if matches!(text, "--until" | "--back" | "--when" | "--where")
            || text.starts_with("--until=")
            || text == "--all"
        {
            needs_verb = true;
        }
        if text == "--" {
            needs_verb = true;
            break;
        }
        if WITH_VALUE.contains(&text) {
            rest.next();
        } else if !text.starts_with('-') {
            needs_verb = !VERBS.contains(&text);
            break;
        } else if matches!(text, "-h" | "--help" | "-V" | "--version") {
            return arguments;
        }
    }
    if !needs_verb {
        return arguments;
    }
    let mut out = arguments;
    let at = out.len().min(1);
    out.insert(at, OsString::from("run"));
    out
}

#[cfg(test)]
#[path = "../../../tests/options.rs"]
mod options_alike;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::cli::shared::Format;

    #[test]
    fn a_verb_that_is_none_is_told_with_those_that_are_near() {
        let told = |arguments: &[&str]| {
            let arguments: Vec<OsString> = std::iter::once("replay")
                .chain(arguments.iter().copied())
                .map(OsString::from)
                .collect();
            unknown_verb(&arguments)
        };
        for (typed, near) in [
            ("cuases", "`causes`"),
            ("whyy", "`why`"),
            ("staet", "`state`"),
            ("concequences", "`consequences`"),
        ] {
            let message = told(&[typed, "t.bin"]).unwrap_or_default();
            assert!(message.contains(&format!("did you mean {near}")), "{typed}: {message}");
        }
        assert!(
            told(&["--json", "xyz", "t.bin"])
                .unwrap_or_default()
                .contains("expected one of run, why")
        );
        assert!(told(&["whyy"]).is_some());
        for fine in [
            &["why", "error", "t.bin"][..],
            &["t.bin"],
            &["mytrace"],
            &["--until", "error", "t.bin"],
            &["--help"],
            &[],
        ] {
            assert_eq!(told(fine), None, "{fine:?}");
        }
    }

    fn parse(arguments: &[&str]) -> Result<Cli, clap::Error> {
        let all = std::iter::once("replay")
            .chain(arguments.iter().copied())
            .map(OsString::from)
            .collect();
        super::parse(all)
    }

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
        let verbs: Vec<String> = Cli::command()
            .get_subcommands()
            .map(|c| c.get_name().to_owned())
            .collect();
        for verb in &verbs {
            assert!(VERBS.contains(&verb.as_str()), "{verb} is not in VERBS");
        }
        assert_eq!(verbs.len() + 1, VERBS.len(), "VERBS holds the verbs and `help`");
    }

    #[test]
    fn options_that_mean_the_same_are_called_the_same() {
        options_alike::check("replay", &Cli::command());
    }

    #[test]
    fn every_option_with_a_value_is_known() {
        let mut all = vec![Cli::command()];
        all.extend(Cli::command().get_subcommands().cloned());
        for command in all {
            for argument in command
                .get_arguments()
                .filter(|a| a.get_action().takes_values() && !a.is_positional())
            {
                if let Some(long) = argument.get_long() {
                    assert!(WITH_VALUE.contains(&format!("--{long}").as_str()), "--{long}");
                }
                if let Some(short) = argument.get_short() {
                    assert!(WITH_VALUE.contains(&format!("-{short}").as_str()), "-{short}");
                }
            }
        }
    }

    #[test]
    fn run_is_the_verb_where_there_is_none() {
        for arguments in [
            &["--until", "rec:4", "trace.bin"][..],
            &["trace.bin", "--until", "rec:4"],
            &["--until=rec:4", "trace.bin"],
            &["--json", "--until", "rec:4", "trace.bin"],
            &["run", "--until", "rec:4", "trace.bin"],
            &["--format", "json", "run", "--until", "rec:4", "trace.bin"],
        ] {
            let cli = parse(arguments).unwrap();
            let Command::Run(run) = cli.command else {
                panic!("{arguments:?}")
            };
            assert_eq!(
                (run.until.first().map(String::as_str), run.trace),
                (Some("rec:4"), PathBuf::from("trace.bin")),
                "{arguments:?}"
            );
        }
        assert!(matches!(parse(&["trace.bin"]).unwrap().command, Command::Run(_)));
        assert!(matches!(parse(&["./info"]).unwrap().command, Command::Run(_)));
        assert!(matches!(
            parse(&["--until", "info", "t"]).unwrap().command,
            Command::Run(_)
        ));
    }

    #[test]
    fn verbs_take_a_target_or_none() {
        for (words, expected) in [
            (&["state", "t.bin"][..], ("error", "t.bin")),
            (&["state", "rec:1", "t.bin"], ("rec:1", "t.bin")),
            (&["state", "rec:1", "--all", "t.bin"], ("rec:1", "t.bin")),
        ] {
            let Command::State(state) = parse(words).unwrap().command else {
                panic!()
            };
            assert_eq!(state.place.parts().unwrap(), (expected.0, Path::new(expected.1)));
        }
        let Command::State(state) = parse(&["state", "a", "b", "c"]).unwrap().command else {
            panic!()
        };
        assert!(state.place.parts().is_err());
        assert_eq!(parse(&["info", "t", "--json"]).unwrap().format(), Format::Json);
        assert_eq!(
            parse(&["--format", "json", "info", "t"]).unwrap().format(),
            Format::Json
        );
        assert!(parse(&[]).is_err());
        assert!(parse(&["info"]).is_err());
        assert!(parse(&["info", "a", "b"]).is_err());
    }
}
