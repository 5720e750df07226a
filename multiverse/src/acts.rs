//! What was done in a universe, act by act, in an order in which it can be done: for whoever makes a graph of universes.

use std::ops::ControlFlow;

use interpreter::heap::Fragment;
use log_format::{Access, Action, Kind, Pid, Tag};
use rustc_hash::FxHashMap;
use session::Error;
use session::content::Content;
use session::player::Player;
use system::observer::{ActionEvent, Fact, Observer};

use crate::identity::Name;
use crate::said::{CHARS, Said};

/// What a process did, and what it depended on.
pub(crate) struct Act<'a> {
    pub pid: Pid,
    /// `None`: it waits for ever, though something was sent to it. That was dropped.
    pub kind: Option<&'a Kind>,
    /// A signal that had arrived before, as the choice says.
    pub arrived: Option<Tag>,
    pub accesses: Vec<Access>,
    /// How many signals it sent.
    pub sends: u64,
    pub said: &'a Said,
}

impl<'a> Act<'a> {
    pub const fn stuck(pid: Pid, said: &'a Said) -> Self {
        Self {
            pid,
            kind: None,
            arrived: None,
            accesses: Vec::new(),
            sends: 0,
            said,
        }
    }
}

/// Who hears of acts.
pub(crate) trait Ear {
    /// `text`: the message with a tag, as text.
    fn hear(&mut self, act: &Act<'_>, text: &dyn Fn(Tag) -> Option<Content>);
}

/// Hears a replay.
#[derive(Default)]
struct Listener {
    acts: Vec<(Pid, Action, Said)>,
    sent: FxHashMap<Tag, Fragment>,
}

impl Observer for Listener {
    type Log = ();

    fn hears_sends(&self) -> bool {
        true
    }
    fn born(&mut self, _: Pid, _: Option<&()>, _: u16) {}
    fn acted(&mut self, (): &mut ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn action(&mut self, (): &mut (), event: &ActionEvent<'_>) {
        self.acts.push((event.pid, event.action.clone(), Said::of(event)));
    }
    fn learned(&mut self, fact: Fact) {
        if let Fact::Sent { tag, message, .. } = fact {
            self.sent.insert(tag, message);
        }
    }
}

/// Tells what a player has done.
pub(crate) fn of_player(player: &Player, ear: &mut impl Ear) -> Result<(), Error> {
    let heard = player.replay_for(Listener::default())?;
    let program = player.look(|system| std::sync::Arc::clone(&system.program));
    let text = |tag: Tag| Some(Content::of_fragment(heard.sent.get(&tag)?, &program, CHARS));
    for (pid, action, said) in &heard.acts {
        let act = Act {
            pid: *pid,
            kind: Some(&action.kind),
            arrived: None,
            accesses: causality::accesses(*pid, action).collect(),
            sends: u64::from(action.sends),
            said,
        };
        ear.hear(&act, &text);
    }
    Ok(())
}

/// The name of the state in which a player rests. `None`: it is not known.
pub(crate) fn standing(player: &Player) -> Option<Name> {
    player
        .look(|system| system.standing())
        .map(|bytes| Name::of_bytes(&bytes))
}
