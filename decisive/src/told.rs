//! Flips for people: one replay finds the places and contents of their actions.

use log_format::{ActionId, ActionNo, Kind, Pid};
use rustc_hash::FxHashMap;
use session::Session;
use session::error::Error;
use session::scene::Scene;
use session::subject::Bounds;
use session::targets::Found;
use session::view::{Act, Place};

use crate::answer::{Class, Flip, Side};
use crate::search::Tried;

/// Callers of the program that are told.
const CALLERS: usize = 2;

/// The actions of some flips, as people know them.
pub(crate) struct Told {
    acts: FxHashMap<ActionId, (Act, Vec<Place>)>,
    /// Where processes were created.
    births: FxHashMap<Pid, ActionId>,
    /// What ended processes, by their ends.
    origins: FxHashMap<ActionId, ActionId>,
}

impl Told {
    pub(crate) fn of(session: &Session, flips: &[&Tried], bounds: &Bounds) -> Result<Self, Error> {
        let trace = session.trace();
        let mut ids: Vec<ActionId> = Vec::new();
        for one in flips {
            ids.push(one.place.action);
            ids.extend(one.made_by);
            ids.extend(one.instead_by);
        }
        let mut origins = FxHashMap::default();
        for id in ids.clone().into_iter().filter(|id| id.number > ActionNo(0)) {
            if let Kind::Signal { tag, .. } = trace.action(id.pid, id.number)?.kind
                && let Some(origin) = trace.find_send(tag)?
            {
                origins.insert(id, origin);
                ids.push(origin);
            }
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
            });
        };
        let upto = causality::causes_of_all(trace, ids.iter().copied())?;
        let found = Found {
            target: String::new(),
            pid: first.pid,
            action: first.number,
            runs_on: false,
            others: Vec::new(),
            notes: Vec::new(),
        };
        let system = session::scene::replay(session, &found, upto, &ids, bounds)?;
        let names = session::shown::names(&system);
        let scene = Scene::new(session, &system, &names);
        let mut acts = FxHashMap::default();
        for id in ids {
            if let Some(act) = scene.act(id.pid, id.number.0)? {
                acts.insert(id, (act, callers(&scene, id)));
            }
        }
        Ok(Self { acts, births, origins })
    }

    /// Is it an input that the program itself gets?
    pub(crate) fn is_own(&self, one: &Tried) -> bool {
        one.class != Class::Input
            || self
                .acts
                .get(&one.place.action)
                .is_some_and(|(act, _)| act.place.is_some())
    }

    fn side(&self, by: Option<ActionId>, after: Option<u64>) -> Side {
        let known = by.and_then(|by| self.acts.get(&by));
        let born = by.and_then(|by| self.acts.get(self.births.get(&by.pid)?));
        Side {
            act: known.map(|(act, _)| act.clone()),
            after,
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
        Some(Flip {
            number: 0,
            class: one.class,
            at: self.acts.get(&one.place.action)?.0.clone(),
            made: self.side(one.made_by, one.made_after),
            instead: self.side(one.instead_by, one.instead_after),
            verdict: one.verdict,
            outcome: one.outcome.clone(),
            otherwise: one.otherwise,
            as_recorded: one.as_recorded,
            apart: one.apart,
            weak: one.weak.clone(),
            kept: one.place.kept.actions(),
            involved,
            way: one.way(),
        })
    }
}

/// The places of the program that called the function in which an action was done.
fn callers(scene: &Scene<'_>, id: ActionId) -> Vec<Place> {
    let Some(seen) = scene.seen.get(&id) else {
        return Vec::new();
    };
    let places = seen.frames.iter().filter_map(|frame| frame.place.as_ref());
    let mut own = places.filter(|place| scene.sources.owns(&place.file));
    let Some(inner) = own.next() else {
        return Vec::new();
    };
    let mut found: Vec<Place> = Vec::new();
    for place in own {
        if found.len() < CALLERS && place.line != inner.line && found.iter().all(|known| known.line != place.line) {
            found.push(place.clone());
        }
    }
    found
}
