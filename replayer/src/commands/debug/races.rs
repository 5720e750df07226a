//! The commands of `replay debug` that try other choices: races, flip.

use decisive::{Answer, Flip, Limits};
use log_format::ActionId;

use super::{MarkedPosition, Shell, times};
use crate::commands::races::Races;
use crate::commands::{Out, run};
use crate::render;
use crate::view::NextCommand;
use crate::words::count;
use causality::Point;
use session::Session;
use session::error::Error;
use session::player::Player;

/// The mark that the first flip sets: what was recorded, where the session stood.
const RECORD: &str = "record";
/// The mark that every flip sets.
const BEFORE: &str = "before";

/// What `races` has listed, and the run that it is about.
pub(super) struct ListedRaces {
    flips: Vec<Flip>,
    session: Session,
    player: Player,
}

impl Shell {
    /// `races [TARGET | here]`: what could have come the other way, the decisive ones first, numbered for `flip`.
    pub(super) fn races(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let session = self.at.player.told()?;
        let bounds = run::bounds(out, self.show);
        let limits = Limits {
            soon: false,
            ..Limits::default()
        };
        let found = match rest {
            "" => self.failure(&session)?,
            "here" => None,
            target => Some(self.found(&session, target)?),
        };
        let answer = match &found {
            Some(found) => decisive::search(&session, found, limits, &bounds)?,
            None => None,
        };
        let (target, mut answer) = match (found, answer) {
            (Some(found), Some(answer)) => (found.target.to_string(), answer),
            (found, _) => {
                let from = found
                    .as_ref()
                    .map_or_else(|| self.here(&session), |found| Ok(found.id()))?;
                let failure = self.failure(&session)?;
                let answer = decisive::search_from(&session, failure.as_ref(), from, limits, &bounds)?;
                (from.to_string(), answer)
            }
        };
        self.rename(&session, &mut answer)?;
        let flips: Vec<Flip> = answer.flips().cloned().collect();
        let next = flips.first().map(|_| NextCommand {
            command: "flip 1".to_owned(),
            what: "go there, and take the other choice".to_owned(),
        });
        let view = Races {
            target,
            answer,
            next: next.into_iter().collect(),
        };
        out.view(&view, self.show, render::races::races)?;
        self.listed = Some(ListedRaces {
            flips,
            session,
            player: self.at.player.clone(),
        });
        Ok(())
    }

    /// The failure of the run in the session, if it fails.
    fn failure(&self, session: &Session) -> Result<Option<Point>, Error> {
        match self.found(session, "error") {
            Ok(found) => Ok(Some(found)),
            Err(Error::NoTarget(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the current process did last, or its birth.
    fn here(&self, session: &Session) -> Result<ActionId, Error> {
        let pid = self.at.pid;
        let done = self.at.player.done(pid);
        if done > 0 {
            return Ok(ActionId::new(pid, done));
        }
        let birth = match session.trace().has(pid)? {
            true => session.trace().process(pid)?.parent,
            false => None,
        };
        birth.ok_or_else(|| {
            Error::NoTarget(format!(
                "{pid} has done nothing yet, so nothing could have gone another way; go on first, or name a target: races error"
            ))
        })
    }

    /// Names the receives as this session does.
    fn rename(&self, session: &Session, answer: &mut Answer) -> Result<(), Error> {
        let Some(numbers) = session.numbers() else {
            return Ok(());
        };
        let lists = [&mut answer.decisive, &mut answer.leaning, &mut answer.others];
        for flip in lists.into_iter().flatten() {
            numbers.rename(&mut flip.at)?;
            for side in [&mut flip.made, &mut flip.instead] {
                for act in side.act.iter_mut().chain(&mut side.origin) {
                    numbers.rename(act)?;
                }
            }
        }
        Ok(())
    }

    /// `flip N`: goes there in the run that `races` was about, and takes the other choice.
    pub(super) fn flip(&mut self, rest: &str, out: &mut Out<'_>) -> Result<(), Error> {
        let number = times(rest)?;
        let Some(listed) = &self.listed else {
            return Err(Error::Usage("there is no list yet; `races` makes one".to_owned()));
        };
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let Some(flip) = at.and_then(|at| listed.flips.get(at)) else {
            return Err(Error::Usage(format!(
                "there is no flip {number}; `races` listed {}",
                count(listed.flips.len() as u64, "choice")
            )));
        };
        let mut player = listed.player.clone();
        flip.way.take(&listed.session, &mut player)?;
        player.set_seed(self.seed);
        let pid = flip.way.pid();
        player.observe(pid)?;
        let text = render::races::sentence(flip);
        let kept = flip.kept;
        let dropped = listed.player.history().total().saturating_sub(kept);
        if !self.at.player.history().has_branches() {
            self.set_mark(RECORD);
        }
        self.set_mark(BEFORE);
        (self.at.player, self.at.pid) = (player, pid);
        self.offered.clear();
        let layout = out.layout(self.show);
        writeln!(out.sink, "{}", render::text::wrap(&text, layout.width))?;
        writeln!(
            out.sink,
            "{} kept, {} dropped from the logs; `goto {BEFORE}` goes back",
            count(kept, "action"),
            count(dropped, "action")
        )?;
        self.place(out)
    }

    /// Remembers the position by a name.
    pub(super) fn set_mark(&mut self, name: &str) {
        self.marks.retain(|mark| mark.name != name);
        self.marks.push(MarkedPosition {
            name: name.to_owned(),
            player: self.at.player.clone(),
            subject: self.at.pid,
        });
    }
}
