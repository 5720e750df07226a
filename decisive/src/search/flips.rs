//! Other choices at a place, each with the run after it.

use log_format::{Action, ActionId, Kind, Pid, Resource, Tag};
use session::error::Error;
use session::player::Player;
use session::player::free::Choice;
use session::view::Act;

use super::note::{Came, Course};
use super::{Lab, Phase, price};
use crate::again::Again;
use crate::answer::{Bound, Class};
use crate::failure::{Outcome, Verdict};
use crate::guide::{Ended, Guide, Held, Plan, wait_of};
use crate::places::{Place, Places, Turn};

/// Of an input, so many other values are tried.
pub(super) const VALUES: u64 = 3;
/// Of what a process did to another one after an exit signal of that one did not end it, so much is looked at.
const USES: usize = 4;
/// Flips of inputs that are tried.
const INPUTS: u64 = 12;

impl<'r> Lab<'r> {
    pub(super) fn try_place(&mut self, places: &mut Places<'r>, turn: Turn) -> Result<(), Error> {
        let Turn {
            place, cost, waited, ..
        } = turn;
        if let Some(waited) = &waited
            && places.costs(&place, waited.clone())?.iter().all(|(one, _)| *one > cost)
        {
            places.cheap(&place, cost, waited.clone())?;
            return Ok(());
        }
        let Some(action) = self.record.action(place.action.pid, place.action.number.0)? else {
            return Ok(());
        };
        if matches!(action.kind, Kind::Input { .. }) {
            return self.try_input(place);
        }
        if self.follows_failure(&action)? {
            return Ok(());
        }
        let mut standing = self.stand(&place)?;
        let recorded = self.base.once();
        let made = Choice::of(&action);
        let choices = standing.choices(place.pid)?;
        let others: Vec<Choice> = match place.choice {
            Some(one) => choices.into_iter().filter(|choice| *choice == one).collect(),
            None => choices.into_iter().filter(|choice| *choice != made).collect(),
        };
        let others = match place.choice {
            Some(_) => others,
            None => {
                let is_new = |choice: &Choice| waited.as_ref().is_none_or(|waited| waited.contains(choice));
                places.cheap(&place, cost, others.into_iter().filter(is_new).collect())?
            }
        };
        let later = match others.is_empty() {
            true => None,
            false => self.stand_without_later_waits(&place)?,
        };
        for choice in others {
            // One place can have thousands of choices.
            if self.work >= self.work_upto(Phase::Nearest) {
                self.answer.stopped = Some(Bound::Work);
                break;
            }
            if !self.known.insert((place.action, place.pid, choice)) {
                continue;
            }
            let mut again = None;
            let (standing, place) = match &later {
                Some((player, place, choices)) if choices.contains(&choice) => (player, place),
                _ => {
                    again = self.could_be_again(&recorded, &place);
                    (&standing, &place)
                }
            };
            let mut player = standing.clone();
            if again.is_some() {
                player.keep_doings(true)?;
            }
            self.choose(&mut player, place.pid, choice)?;
            let (mut guide, came) = self.run_near(&mut player, None, again)?;
            let (took, unlink) = match made {
                Choice::Signal(tag) if came.verdict == Verdict::Passes => (
                    self.took(&mut guide, &player, place)?,
                    self.unlink(&player, place, tag)?,
                ),
                _ => (None, None),
            };
            if came.is_in_vain() {
                places.count_vain(place, choice)?;
            }
            self.note(standing, place.clone(), Course::taken(made, choice), came)?;
            let turn = match action.kind {
                Kind::Signal { waiting: false, .. } => self.turn_of(place.action)?,
                _ => None,
            };
            if let Some(one) = self.tried.last_mut().filter(|one| one.class == Class::NoSignal) {
                let made_by = one.made_by;
                let is_other = |by: &ActionId| Some(*by) != made_by;
                one.taken = turn.is_some();
                one.instead_by = turn.or(one.instead_by).or(took).filter(is_other);
                one.then = unlink;
            }
        }
        Ok(())
    }

    /// Is the action an end by an exit signal that the failure sent, or an end that the failure led to?
    fn follows_failure(&self, action: &Action) -> Result<bool, Error> {
        let mut at = action.kind.clone();
        // A chain of links goes back in the record, so it ends.
        while let Kind::Signal { tag, .. } = at {
            let Some(send) = self.record.history.find_send(tag)? else {
                break;
            };
            // Who failed before is a part of the failure, too.
            let root_ends =
                send.number.0 == self.record.length(send.pid) && self.failure.roots().any(|root| root == send.pid);
            if send == self.failure.action || root_ends {
                return Ok(true);
            }
            let Some(before) = self.record.action(send.pid, send.number.0)? else {
                break;
            };
            at = before.kind;
        }
        Ok(false)
    }

    /// The first message of another process that a process took because it was not ended: its send.
    fn took(&self, guide: &mut Guide<'_>, player: &Player, place: &Place) -> Result<Option<ActionId>, Error> {
        let from = place.kept.get(place.pid);
        for entry in player.history().stretch(place.pid, from, player.done(place.pid))? {
            let Kind::Rec(tag) = entry.action.kind else { continue };
            let by = self.cause(guide.tag(player.history(), tag)?)?;
            return Ok(by.filter(|by| by.pid != place.pid));
        }
        Ok(None)
    }

    /// The call with which a process would have left the one whose end has ended it.
    fn unlink(&self, player: &Player, place: &Place, signal: Tag) -> Result<Option<Act>, Error> {
        let Some(other) = signal.sender() else { return Ok(None) };
        let from = place.kept.get(place.pid);
        let done = player.history().stretch(place.pid, from, player.done(place.pid))?;
        let is_use = |action: &Action| {
            let mut uses = action.accesses.iter();
            action.kind == Kind::Access && uses.any(|one| one.resource == Resource::Alive(other) && !one.write)
        };
        let uses = done.iter().filter(|entry| is_use(&entry.action)).take(USES);
        let uses: Vec<ActionId> = uses.map(|entry| ActionId::new(place.pid, entry.number)).collect();
        if uses.is_empty() {
            return Ok(None);
        }
        let acts = session::scene::acts(&player.told()?, &uses, &self.bounds)?;
        let mut acts = acts.into_iter().flatten();
        Ok(acts.find(|act| act.native.is_some_and(|native| native.is_erlang("unlink"))))
    }

    /// Other values of an input.
    fn try_input(&mut self, place: Place) -> Result<(), Error> {
        if self.inputs >= INPUTS {
            return Ok(());
        }
        self.inputs += 1;
        let standing = self.stand(&place)?;
        for value in 0..VALUES {
            let mut player = standing.clone();
            let seed = self.limits.seed.wrapping_add(value);
            player.set_seed(seed);
            if !player.choices(place.pid)?.contains(&Choice::Step) {
                return Ok(());
            }
            self.choose(&mut player, place.pid, Choice::Step)?;
            let (_, came) = self.run_near(&mut player, None, None)?;
            if came.verdict == Verdict::Passes || value + 1 == VALUES {
                self.note(&standing, place, Course::taken(Choice::Step, Choice::Step), came)?;
                if let Some(one) = self.tried.last_mut() {
                    one.seed = seed;
                }
                return Ok(());
            }
        }
        Ok(())
    }

    /// Runs on from a place.
    pub(super) fn run(
        &mut self,
        mut player: Player,
        random: Option<u64>,
        held: Option<Held>,
    ) -> Result<(Verdict, Outcome), Error> {
        let (_, ends) = self.run_to_end(&mut player, random, held)?;
        Ok(ends)
    }

    /// Can it be told from the failure of the record how a run ends that is as recorded again?
    fn could_be_again(&self, recorded: &Player, place: &Place) -> Option<Again<'r>> {
        let is_recorded = self.waited.is_none() && !self.failure.is_none() && !self.limits.whole;
        is_recorded.then(|| Again::new(self.record, recorded.clone(), place))
    }

    /// Runs on near the record, up to where the run is as recorded again. If the failure is gone, it is measured what that needs.
    pub(super) fn run_near(
        &mut self,
        player: &mut Player,
        held: Option<Held>,
        again: Option<Again<'r>>,
    ) -> Result<(Guide<'r>, Came), Error> {
        let start = player.clone();
        let (mut guide, (verdict, outcome)) = match again {
            Some(again) => match self.run_up_to(player, again)? {
                (guide, None) => {
                    let mut came = Came::to(Verdict::Same, self.end.clone());
                    came.is_again = true;
                    return Ok((guide, came));
                }
                (guide, Some(ends)) => (guide, ends),
            },
            None => self.run_to_end(player, None, held)?,
        };
        let mut came = Came::to(verdict, outcome);
        if verdict != Verdict::Passes || !self.answer.fails {
            came.is_progress = match verdict {
                Verdict::Moved => true,
                Verdict::Same => self.failure.is_another_one(player, &mut guide),
                Verdict::Passes | Verdict::Another | Verdict::Cut => false,
            };
            return Ok((guide, came));
        }
        came.stall = self.longer_stall(player, &mut guide)?;
        if came.stall.is_none() {
            return Ok((guide, came));
        }
        // Perhaps only because waits came where they came in the record.
        let mut by_clock = start;
        let plan = Plan {
            strict: true,
            ..self.plan(&by_clock, None, held)
        };
        let (mut other, (verdict, outcome)) = self.run_by(&mut by_clock, plan)?;
        if verdict == Verdict::Passes && self.longer_stall(&by_clock, &mut other)?.is_none() {
            *player = by_clock;
            return Ok((other, Came::to(verdict, outcome)));
        }
        Ok((guide, came))
    }

    /// Runs on near the record, to the end, or up to where the run is as recorded again (`None`).
    fn run_up_to(
        &mut self,
        player: &mut Player,
        mut again: Again<'r>,
    ) -> Result<(Guide<'r>, Option<(Verdict, Outcome)>), Error> {
        let plan = Plan {
            near: true,
            ..self.plan(player, None, None)
        };
        let before = player.replayed();
        let mut guide = Guide::new(self.record, plan);
        let mut since = None;
        let ended = loop {
            if again.is_so(player, guide.step)? {
                self.count_steps(guide.step + again.repeated);
                self.count_replayed(player.replayed().saturating_sub(before));
                return Ok((guide, None));
            }
            if let Err(ended) = guide.go_on(player)? {
                break ended;
            }
            if self.is_far_behind(player, &mut guide, &mut since)? {
                break Ended::Cut;
            }
        };
        self.work = self.work.saturating_add(again.repeated.saturating_mul(self.weight));
        self.count_replayed(player.replayed().saturating_sub(before));
        let ends = self.judge(player, ended, &mut guide)?;
        Ok((guide, Some(ends)))
    }

    /// Makes a choice in place of the recorded one.
    pub(super) fn choose(&mut self, player: &mut Player, pid: Pid, choice: Choice) -> Result<(), Error> {
        self.waits_for_time = match choice {
            Choice::Timeout => wait_of(player, pid) != Some(0),
            Choice::Message(tag) => player.look(|system| system.timed(tag)).is_some(),
            Choice::Step | Choice::Signal(_) | Choice::Arrived(_) | Choice::Pick(_) => false,
        };
        player.choose(pid, choice)?;
        Ok(())
    }

    pub(super) fn run_to_end(
        &mut self,
        player: &mut Player,
        random: Option<u64>,
        held: Option<Held>,
    ) -> Result<(Guide<'r>, (Verdict, Outcome)), Error> {
        let plan = self.plan(player, random, held);
        self.run_by(player, plan)
    }

    pub(super) fn plan(&self, from: &Player, random: Option<u64>, held: Option<Held>) -> Plan {
        Plan {
            random,
            calm: self.calm,
            waited: self.waited,
            held,
            entry: self.failure.entry(),
            steps: self.continuation(from),
            stall: random.and(self.stall.flatten()).map(|ms| ms.max(price::ALWAYS)),
            ..Plan::default()
        }
    }

    fn run_by(&mut self, player: &mut Player, plan: Plan) -> Result<(Guide<'r>, (Verdict, Outcome)), Error> {
        let before = player.replayed();
        let mut guide = Guide::new(self.record, plan);
        let mut since = None;
        let ended = loop {
            if let Err(ended) = guide.go_on(player)? {
                break ended;
            }
            if self.is_far_behind(player, &mut guide, &mut since)? {
                break Ended::Cut;
            }
        };
        self.count_replayed(player.replayed().saturating_sub(before));
        let ends = self.judge(player, ended, &mut guide)?;
        Ok((guide, ends))
    }

    /// Need a continuation be followed no longer, because it has got past the failure? It is looked now and then.
    fn is_far_behind(&self, player: &Player, guide: &mut Guide<'r>, since: &mut Option<u64>) -> Result<bool, Error> {
        const STEPS: u64 = 256;
        Ok(guide.step.is_multiple_of(STEPS) && self.failure.is_far_behind(player, guide, since)?)
    }

    fn judge(&mut self, player: &Player, ended: Ended, guide: &mut Guide<'r>) -> Result<(Verdict, Outcome), Error> {
        self.count_steps(guide.step);
        self.work = self.work.saturating_add(guide.judged);
        let verdict = self.failure.judge(player, ended, guide)?;
        Ok((verdict, self.failure.outcome(player, ended, verdict)))
    }
}
