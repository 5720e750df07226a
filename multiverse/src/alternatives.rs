//! What could have come otherwise in a universe.

use causality::accesses;
pub use causality::are_in_conflict;
use log_format::{Access, Action, ActionId, Cut, InputClass, Kind, Pid, Resource, Tag};
use rustc_hash::{FxHashMap, FxHashSet};
use session::Error;
use session::player::Suffixes;
use session::player::free::Choice;
use session::player::future::Futures;
use session::player::history::History;

/// A place in a universe where it could have gone another way: all that does not depend on `action` is done, and then another choice is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlternativePlace {
    /// The action that is taken back, with all that depends on it.
    pub action: ActionId,
    /// What is kept.
    pub kept: Cut,
    /// Whose choice it is.
    pub pid: Pid,
    /// Which choice to make instead. `None`: any other one that the process has there.
    pub choice: Option<Choice>,
}

/// A choice that differs from what the universe did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternative {
    /// Where.
    pub place: AlternativePlace,
    /// What is done instead.
    pub choice: Choice,
}

/// The logs of one universe, and what can be asked of them.
pub struct UniverseLogs<'h> {
    futures: Futures<'h>,
    all: Cut,
    /// Every action, process by process.
    actions: FxHashMap<Pid, Vec<Action>>,
    pids: Vec<Pid>,
    /// Could an exit signal have come somewhere?
    signals: bool,
    /// Does a process observe another one? Then the order of that and of any action of the other one matters.
    observations: bool,
}

impl<'h> UniverseLogs<'h> {
    /// Reads the logs.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn of(history: &'h History) -> Result<Self, Error> {
        let pids = history.processes()?;
        let mut actions = FxHashMap::default();
        let mut all = Cut::default();
        for &pid in &pids {
            let length = history.length(pid)?.unwrap_or(0);
            all.set(pid, length);
            let log: Vec<Action> = history.stretch(pid, 0, length)?.into_iter().map(|e| e.action).collect();
            actions.insert(pid, log);
        }
        let signals = exit_signals_are_possible(actions.values());
        let observations = actions
            .values()
            .flatten()
            .any(|action| matches!(action.kind, Kind::Observe { of: Some(_), .. }));
        Ok(Self {
            futures: Futures::of(history)?,
            all,
            actions,
            pids,
            signals,
            observations,
        })
    }

    /// How many actions there are.
    #[must_use]
    pub fn actions(&self) -> u64 {
        self.all.actions()
    }

    /// An action.
    #[must_use]
    pub fn action(&self, id: ActionId) -> Option<&Action> {
        let place = usize::try_from(id.number.0.checked_sub(1)?).ok()?;
        self.actions.get(&id.pid)?.get(place)
    }

    /// All actions, process by process.
    pub fn list(&self) -> impl Iterator<Item = (ActionId, &Action)> {
        self.pids.iter().flat_map(|pid| {
            self.actions[pid]
                .iter()
                .zip(1..)
                .map(|(action, n)| (ActionId::new(*pid, n), action))
        })
    }

    /// What is left when an action is taken back, with all that depends on it.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn without(&self, action: ActionId) -> Result<Cut, Error> {
        Ok(self.before(&self.futures.after(action)?))
    }

    fn before(&self, future: &Suffixes) -> Cut {
        future.left_of(&self.all)
    }

    /// The place after all that was done, where an action would come that is not in these logs.
    #[must_use]
    pub fn place_after_all(&self, action: ActionId) -> AlternativePlace {
        AlternativePlace {
            action,
            kept: self.all.clone(),
            pid: action.pid,
            choice: None,
        }
    }

    /// All places where the universe could have gone another way: of each action, that of its own process, and those where a conflicting
    /// action of another process comes first instead. `None` if `late` said so meanwhile: a long log has many.
    ///
    /// # Errors
    /// If the trace is damaged.
    pub fn places(&self, late: impl Fn() -> bool) -> Result<Option<Vec<AlternativePlace>>, Error> {
        let mut places = Vec::new();
        for (id, action) in self.list() {
            if late() {
                return Ok(None);
            }
            let chooses = chooses(action);
            let conflicts = self.observations || accesses(id.pid, action).next().is_some();
            if !chooses && !conflicts && !self.signals {
                continue;
            }
            let future = self.futures.after(id)?;
            let kept = self.before(&future);
            if chooses || self.signals {
                places.push(AlternativePlace {
                    action: id,
                    kept: kept.clone(),
                    pid: id.pid,
                    choice: None,
                });
            }
            // A signal to itself ends it with the step that sends it: nothing comes in between.
            let first = match action.kind {
                Kind::Signal { tag, .. } if tag.sender() == Some(id.pid) && id.number.0 > 1 => {
                    ActionId::new(id.pid, id.number.0 - 1)
                }
                _ => id,
            };
            for other in future.starts().filter(|start| start.pid != id.pid) {
                if let Some(late) = self.action(other)
                    && are_in_conflict((id, action), (other, late))
                {
                    let kept = match first == id {
                        true => kept.clone(),
                        false => self.before(&self.futures.after(first)?),
                    };
                    places.push(AlternativePlace {
                        action: first,
                        kept,
                        pid: other.pid,
                        choice: Some(Choice::of(late)),
                    });
                }
            }
        }
        // The order of the list must not depend on hashing.
        places.sort_by_key(|place| (place.action, place.pid));
        Ok(Some(places))
    }
}

/// The version of the life of a process that has ended.
const DEAD: u64 = 2;

/// Could the process have done something else there?
fn chooses(action: &Action) -> bool {
    let of_the_dead =
        |access: &Access| !access.write && matches!(access.resource, Resource::Alive(_)) && access.version.0 == DEAD;
    match action.kind {
        Kind::Rec(_) | Kind::After | Kind::Signal { .. } | Kind::Drop { .. } | Kind::Observe { .. } => true,
        // A link to a process that has ended: it may have heard of the end.
        Kind::Access => action.accesses.iter().any(of_the_dead),
        Kind::Input { ref value } => InputClass::picked(value).is_some(),
        _ => false,
    }
}

/// Could an exit signal end a process somewhere? Not if everything that was sent was received and nothing ended abnormally.
fn exit_signals_are_possible<'a>(logs: impl Iterator<Item = &'a Vec<Action>>) -> bool {
    let (mut sent, mut received) = (0_u64, FxHashSet::default());
    for action in logs.flatten() {
        sent += u64::from(action.sends);
        match action.kind {
            Kind::Signal { .. } => return true,
            Kind::Exit { class } if class != log_format::ExitClass::Normal => return true,
            _ => {}
        }
        if let Some(tag @ Tag::Sent { .. }) = action.kind.consumed() {
            received.insert(tag);
        }
    }
    sent > received.len() as u64
}

#[cfg(test)]
mod tests {
    use log_format::{ExitClass, SendNo, Version};

    use super::*;

    const TAG: Tag = Tag::Sent {
        by: Pid(2),
        k: SendNo(1),
    };

    fn reads_life(version: u64) -> Action {
        Action {
            accesses: vec![Access::read(Resource::Alive(Pid(2)), Version(version), None)],
            ..Action::new(Kind::Access)
        }
    }

    #[test]
    fn who_takes_a_message_or_hears_of_an_end_could_have_done_something_else() {
        assert!(chooses(&Action::new(Kind::Rec(TAG))));
        assert!(chooses(&Action::new(Kind::After)));
        assert!(!chooses(&Action::new(Kind::Send)));
        assert!(!chooses(&Action::new(Kind::Exit {
            class: ExitClass::Error
        })));
        // A look at the life of a process: only one that has ended may have been heard of.
        assert!(chooses(&reads_life(DEAD)));
        assert!(!chooses(&reads_life(DEAD - 1)));
    }

    #[test]
    fn only_a_number_that_was_picked_is_a_choice_among_inputs() {
        let input = |value| Action::new(Kind::Input { value });
        assert!(chooses(&input(InputClass::pick(3))));
        assert!(!chooses(&input(InputClass::Random.wrap(&[131, 97, 3]))));
        assert!(!chooses(&input(Vec::new())));
    }

    #[test]
    fn exit_signals_are_possible_if_something_was_not_received_or_ended_badly() {
        let possible = |logs: &[Vec<Action>]| exit_signals_are_possible(logs.iter());
        let (send, received) = (Action::new(Kind::Send), Action::new(Kind::Rec(TAG)));
        let ends = |class| Action::new(Kind::Exit { class });
        let normal = || ends(ExitClass::Normal);
        assert!(!possible(&[
            vec![send.clone(), normal()],
            vec![received.clone(), normal()]
        ]));
        // One signal is on its way.
        assert!(possible(&[vec![send.clone(), send.clone()], vec![received.clone()]]));
        assert!(possible(&[
            vec![send.clone(), ends(ExitClass::Exit)],
            vec![received.clone()]
        ]));
        // The same signal is not received twice.
        assert!(possible(&[vec![send.clone(), send], vec![received.clone(), received]]));
        assert!(!possible(&[]));
    }
}
