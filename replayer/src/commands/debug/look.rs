//! The commands of `replay debug` that show where a process stands: its activations, variables, lines and messages.

use session::Error;
use session::subject::ShownBounds;

use super::{Shell, times};
use crate::commands::Out;
use crate::words::{count, safe};

/// Lines around the current one.
const AROUND: u32 = 5;
/// Limits: activations, and signals of a mailbox that are shown without --all; characters of a value.
const FRAMES: usize = 40;
const MAILBOX: usize = 40;
const CHARS: usize = 200;

impl Shell {
    /// The activation that is looked at: the one that was chosen, or the innermost of the program.
    pub(super) fn frame(&self) -> usize {
        self.frame.unwrap_or_else(|| self.at.own_activation(self.at.pid))
    }

    /// `bt [all]`: the activations, those of the library as one line.
    pub(super) fn backtrace(&self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let all = rest == "all" || self.show.all;
        let limit = if all { usize::MAX } else { FRAMES };
        let (frames, total) = self.at.activations(self.at.pid, 0, limit)?;
        if frames.is_empty() {
            writeln!(out.sink, "{} has no activations here", self.at.pid)?;
        }
        let here = self.frame();
        let mut folded = 0;
        for one in &frames {
            if !one.is_own && !all && one.number != here {
                folded += 1;
                continue;
            }
            fold(&mut folded, out)?;
            let mark = if one.number == here { '>' } else { ' ' };
            match &one.place {
                Some(place) => writeln!(
                    out.sink,
                    "{mark}{:>3}  {}, {}:{}",
                    one.number,
                    place.called(),
                    place.file,
                    place.line
                )?,
                None => writeln!(out.sink, "{mark}{:>3}  (no source)", one.number)?,
            }
        }
        fold(&mut folded, out)?;
        if total > frames.len() {
            writeln!(
                out.sink,
                "      … and {} more; `bt all` shows all",
                total - frames.len()
            )?;
        }
        Ok(())
    }

    /// `up`, `down`, `frame N`: looks at another activation.
    pub(super) fn choose_frame(&mut self, word: &str, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (_, total) = self.at.activations(self.at.pid, 0, 0)?;
        let here = self.frame();
        let wanted = match word {
            "frame" => rest.parse::<usize>().ok(),
            "up" => here.checked_add(usize::try_from(times(rest)?).unwrap_or(usize::MAX)),
            _ => here.checked_sub(usize::try_from(times(rest)?).unwrap_or(usize::MAX)),
        };
        let Some(number) = wanted.filter(|number| *number < total) else {
            let last = total.saturating_sub(1);
            return Err(Error::Usage(format!(
                "there is no such activation: {} has {}, from 0 (the innermost) to {last}; `bt` lists them",
                self.at.pid,
                count(total as u64, "activation")
            )));
        };
        self.frame = Some(number);
        self.list("", out)
    }

    /// `list [N]`: the lines around the current one, or around line N of the same file.
    pub(super) fn list(&self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let (frames, _) = self.at.activations(self.at.pid, self.frame(), 1)?;
        let Some(place) = frames.into_iter().next().and_then(|one| one.place) else {
            return Err(Error::NoTarget(format!("{} stands nowhere in a source", self.at.pid)));
        };
        let sources = self.at.session().sources();
        writeln!(out.sink, "{}, {}:{}", place.called(), place.file, place.line)?;
        let lines = match rest {
            "" => sources.quote_at(&place, AROUND),
            line => sources.quote(&place.file, u32::try_from(times(line)?).unwrap_or(u32::MAX), AROUND),
        };
        for line in lines {
            let mark = if line.line == place.line { '>' } else { ' ' };
            writeln!(out.sink, "{mark}{:>5}  {}", line.line, line.text)?;
        }
        Ok(())
    }

    /// `vars`: the variables of the activation.
    pub(super) fn vars(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let variables = self.at.variables(self.at.pid, self.frame());
        if variables.is_empty() {
            writeln!(out.sink, "no variable has a value here")?;
        }
        for one in variables {
            let value = match self.show.all {
                true => one.value,
                false => crate::words::cut(&one.value, CHARS),
            };
            writeln!(out.sink, "{} = {value}", one.name)?;
        }
        Ok(())
    }

    /// `mailbox`: the signals that have come and were not consumed.
    pub(super) fn mailbox(&self, out: &mut Out<'_>) -> Result<(), Error> {
        let bounds = ShownBounds {
            chars: CHARS,
            frames: 0,
            items: if self.show.all { usize::MAX } else { MAILBOX },
        };
        let names = session::called::ProcessNames::default();
        let view = session::shown::standing(&self.at.player, self.at.pid, &names, &bounds)?;
        let (mailbox, length) = view.map_or_else(|| (Vec::new(), 0), |view| (view.mailbox, view.mailbox_length));
        if length == 0 {
            writeln!(out.sink, "nothing is in the mailbox of {}", self.at.pid)?;
        }
        let left = length.saturating_sub(mailbox.len() as u64);
        for one in mailbox {
            writeln!(out.sink, "{}  {}", one.signal, safe(&one.content.to_string()))?;
        }
        if left > 0 {
            writeln!(out.sink, "… and {left} more")?;
        }
        Ok(())
    }

    /// Words that can be typed here: for completion.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        words.extend(
            self.at
                .variables(self.at.pid, self.frame())
                .into_iter()
                .map(|one| one.name),
        );
        if let Ok((listed, _)) = self.at.processes(FRAMES) {
            for one in listed {
                words.push(one.process.pid.to_string());
                words.extend(one.name.filter(|name| !name.contains(char::is_whitespace)));
            }
        }
        words.extend(
            self.at
                .session()
                .sources()
                .own_texts()
                .map(|(path, _)| format!("{}:", session::view::file_name(path))),
        );
        words
    }
}

fn fold(folded: &mut usize, out: &mut Out<'_>) -> Result<(), Error> {
    if *folded > 0 {
        let what = count(*folded as u64, "activation");
        writeln!(out.sink, "      … {what} of the library; `bt all` shows them")?;
        *folded = 0;
    }
    Ok(())
}
