//! Flips for people: one replay finds the places and contents of their actions.

use causality::Point;
use log_format::{ActionId, ActionNo, Kind, Pid, Tag, Trace};
use rustc_hash::FxHashMap;
use session::Session;
use session::error::Error;
use session::player::{Player, Stopped};
use session::scene::Scene;
use session::subject::ShownBounds;
use session::view::{Act, ActKind, SourcePlace};

use crate::answer::{Class, Flip, Side};
use crate::record::Record;
use crate::search::Tried;

/// Callers of the program that are told.
const CALLERS: usize = 2;
/// Ends of which the last lines are looked for; lines, and actions, that are gone through for one.
const ENDS: usize = 6;
const LINES: usize = 200;
const TURN: u64 = 64;
/// Steps back from what the library did to what the program did.
const HOPS: usize = 8;

/// The actions of some flips, as people know them.
pub(crate) struct Told {
    acts: FxHashMap<ActionId, (Act, Vec<SourcePlace>)>,
    /// Where processes were created.
    births: FxHashMap<Pid, ActionId>,
    /// What ended processes, by their ends.
    origins: FxHashMap<ActionId, ActionId>,
    /// What led to an action, the nearest first.
    ways: FxHashMap<ActionId, Vec<ActionId>>,
    /// For ends without a place: the last lines of the program before them. `None`: none is known.
    lasts: FxHashMap<ActionId, Option<SourcePlace>>,
}

impl Told {
    pub(crate) fn of(session: &Session, flips: &[&Tried], bounds: &ShownBounds) -> Result<Self, Error> {
        let trace = session.trace();
        let mut ids: Vec<ActionId> = Vec::new();
        for one in flips {
            ids.push(one.place.action);
            ids.extend(one.made_by);
            ids.extend(one.instead_by);
        }
        // What only a continuation has cannot be told from the trace.
        ids.retain(|id| {
            let process = trace.process(id.pid);
            process.is_ok_and(|process| id.number <= process.counts.last_action())
        });
        let mut origins = FxHashMap::default();
        for id in ids.clone().into_iter().filter(|id| id.number > ActionNo(0)) {
            if let Kind::Signal { tag, .. } = trace.action(id.pid, id.number)?.kind
                && let Some(origin) = trace.find_send(tag)?
            {
                origins.insert(id, origin);
                ids.push(origin);
            }
        }
        let mut ways = FxHashMap::default();
        for id in ids.clone().into_iter().filter(|id| id.number > ActionNo(0)) {
            let way = way_to(trace, id)?;
            ids.extend(&way);
            ways.insert(id, way);
        }
        let mut births = FxHashMap::default();
        for id in ids.clone() {
            if let Some(birth) = trace.process(id.pid)?.parent {
                births.insert(id.pid, birth);
                ids.push(birth);
            }
        }
        ids.retain(|id| id.number > ActionNo(0));
        ids.sort_unstable();
        ids.dedup();
        let Some(first) = ids.first() else {
            return Ok(Self {
                acts: FxHashMap::default(),
                births,
                origins,
                ways,
                lasts: FxHashMap::default(),
            });
        };
        let upto = causality::causes_of_all(trace, ids.iter().copied())?;
        let found = Point::from(*first);
        let system = session::scene::replay(session, &found, upto, &ids, bounds)?;
        let names = session::shown::names(&system);
        let scene = Scene::new(session, &system, &names);
        let mut acts = FxHashMap::default();
        for id in ids {
            if let Some(act) = scene.act(id.pid, id.number.0)? {
                acts.insert(id, (act, callers(&scene, id)));
            }
        }
        Ok(Self {
            acts,
            births,
            origins,
            ways,
            lasts: FxHashMap::default(),
        })
    }

    /// Finds the last lines before the ends of processes that a flip is about.
    pub(crate) fn last_lines(&mut self, player: &mut Player, record: &Record, one: &Tried) -> Result<(), Error> {
        for end in [one.made_by, one.instead_by].into_iter().flatten() {
            let Some((act, _)) = self.acts.get(&end) else { continue };
            if act.kind == ActKind::Exit
                && act.place.is_none()
                && self.lasts.len() < ENDS
                && !self.lasts.contains_key(&end)
            {
                let last = last_line(player, record, end)?;
                self.lasts.insert(end, last);
            }
        }
        Ok(())
    }

    /// Can it be told: are all its actions in the trace, and is it no input that the library gets?
    pub(crate) fn can_tell(&self, one: &Tried) -> bool {
        let at = self.acts.get(&one.place.action);
        let mut sides = [one.made_by, one.instead_by].into_iter().flatten();
        let is_known = sides.all(|id| id.number == ActionNo(0) || self.acts.contains_key(&id));
        is_known && at.is_some_and(|(act, _)| one.class != Class::Input || act.place.is_some())
    }

    fn side(&self, by: Option<ActionId>, after: Option<u64>) -> Side {
        let known = by.and_then(|by| self.acts.get(&by));
        let born = by.and_then(|by| self.acts.get(self.births.get(&by.pid)?));
        let has_place = known.is_none_or(|(act, _)| act.place.is_some());
        let way = by.filter(|_| !has_place).and_then(|by| self.ways.get(&by));
        let mut way = way.into_iter().flatten().filter_map(|id| self.acts.get(id));
        Side {
            root: way.find(|(act, _)| act.place.is_some()).map(|(act, _)| act.clone()),
            taken: false,
            act: known.map(|(act, _)| act.clone()),
            after,
            last: by.and_then(|by| self.lasts.get(&by)?.clone()),
            only_then: false,
            origin: by
                .and_then(|by| self.acts.get(self.origins.get(&by)?))
                .map(|(act, _)| act.clone()),
            callers: known.map_or_else(Vec::new, |(_, callers)| callers.clone()),
            started: match known {
                Some((act, _)) if act.place.is_none() => born.and_then(|(act, _)| act.place.clone()),
                _ => None,
            },
        }
    }

    pub(crate) fn flip(&self, one: &Tried) -> Option<Flip> {
        let mut involved = one.involved();
        involved.extend(
            one.involved()
                .iter()
                .filter_map(|id| self.origins.get(id))
                .copied()
                .collect::<Vec<_>>(),
        );
        let mut instead = self.side(one.instead_by, one.instead_after);
        instead.taken = one.taken;
        if let Some(then) = &one.then {
            instead.act = Some(then.clone());
            instead.only_then = true;
        }
        Some(Flip {
            number: 0,
            class: one.class,
            at: self.acts.get(&one.place.action)?.0.clone(),
            made: self.side(one.made_by, one.made_after),
            instead,
            verdict: one.verdict,
            outcome: one.outcome.clone(),
            otherwise: one.otherwise,
            as_recorded: one.as_recorded,
            apart: one.apart,
            stall: one.stall,
            weak: one.weak.clone(),
            kept: one.place.kept.actions(),
            involved,
            way: one.way(),
        })
    }
}

/// What led to an action that the library did: what ended the process, or the message that it had received last, and so on back.
fn way_to(trace: &Trace, id: ActionId) -> Result<Vec<ActionId>, Error> {
    let mut way = Vec::new();
    let mut at = id;
    while way.len() < HOPS {
        let tag = match trace.action(at.pid, at.number)?.kind {
            Kind::Signal { tag, .. } => Some(tag),
            _ => last_taken(trace, at)?,
        };
        let Some(send) = tag.map(|tag| trace.find_send(tag)).transpose()?.flatten() else {
            break;
        };
        if send.number == ActionNo(0) || way.contains(&send) {
            break;
        }
        way.push(send);
        at = send;
    }
    Ok(way)
}

/// What a process had received last before an action, not long before.
fn last_taken(trace: &Trace, id: ActionId) -> Result<Option<Tag>, Error> {
    for n in (id.number.0.saturating_sub(TURN).max(1)..id.number.0).rev() {
        match trace.action(id.pid, ActionNo(n))?.kind {
            Kind::Rec(tag) => return Ok(Some(tag)),
            // Then it did that because nothing came.
            Kind::After => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
}

/// The last line of the program that a process came to before its end, since it had last received something.
fn last_line(player: &mut Player, record: &Record, end: ActionId) -> Result<Option<SourcePlace>, Error> {
    let mut from = end.number.0 - 1;
    while from > 0 && from + TURN > end.number.0 {
        let action = record.action(end.pid, from)?;
        if action.is_some_and(|action| matches!(action.kind, Kind::Rec(_) | Kind::After)) {
            break;
        }
        from -= 1;
    }
    if from == 0 {
        return Ok(None);
    }
    let start = causality::causes(player.session().trace(), ActionId::new(end.pid, from))?;
    player.go_to_cut(&start, &[])?;
    let mut last = player.stands(end.pid).map(|standing| standing.place);
    for _ in 0..LINES {
        let moved = player.step_over(end.pid, 1)?;
        if moved.stopped != Stopped::Reached || player.done(end.pid) >= end.number.0 {
            break;
        }
        last = player.stands(end.pid).map(|standing| standing.place).or(last);
    }
    Ok(last)
}

/// The places of the program that called the function in which an action was done.
fn callers(scene: &Scene<'_>, id: ActionId) -> Vec<SourcePlace> {
    let Some(seen) = scene.seen.get(&id) else {
        return Vec::new();
    };
    let places = seen.frames.iter().filter_map(|frame| frame.place.as_ref());
    let mut own = places.filter(|place| scene.sources.owns(&place.file));
    let Some(inner) = own.next() else {
        return Vec::new();
    };
    let mut found: Vec<SourcePlace> = Vec::new();
    for place in own {
        if found.len() < CALLERS && place.line != inner.line && found.iter().all(|known| known.line != place.line) {
            found.push(place.clone());
        }
    }
    found
}
