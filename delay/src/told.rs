//! The stall of a failure, for people: one replay finds the places and contents of what was held up.

use causality::{NoSuchTarget, Point};
use log_format::{ActionId, ActionNo, Kind, Status, TestNote, Trace};
use serde::Serialize;
use session::called::ProcessNames;
use session::error::Error;
use session::scene::Scene;
use session::subject::ShownBounds;
use session::view::Act;
use session::watch::Watcher;
use session::words::{count, cut, number};
use session::{Goal, Session};

use crate::measure::{Held, Measure, What};
use crate::probe::ACTIONS;

/// Limit: characters of a message in a sentence.
const MESSAGE: usize = 60;

/// What is said of a run that needs no stall.
pub const NONE: &str = "none is needed";

/// What is known of the stall of a failure.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Told {
    /// The stall in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// It can be more: a limit was reached.
    pub at_least: bool,
    /// What was held up the longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldUp>,
    /// Does it need free delivery inside a node?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_delivery: Option<bool>,
    /// If it does: the message that came too late, and the one that overtook it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overtaken: Option<(Act, Act)>,
    /// Why something is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// The stall in words.
    pub text: String,
    /// Why it needs free delivery, or why that is not known, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<String>,
}

/// What was held up, and until what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HeldUp {
    /// Which sort of thing.
    pub what: What,
    /// What the process did late; or the send of the signal that came late. `None`: it did nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Act>,
    /// The process that was held up.
    pub pid: String,
    /// What came first, although it need not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Act>,
}

/// Is this the failure of the run, or a test that failed?
///
/// # Errors
/// The trace is damaged.
pub fn is_failure(trace: &Trace, found: &Point) -> Result<bool, Error> {
    if found.action != ActionNo(0)
        && !found.runs_on
        && matches!(
            trace.action(found.pid, found.action)?.kind,
            Kind::Test {
                note: TestNote::Failed { .. },
                ..
            }
        )
    {
        return Ok(true);
    }
    match causality::Target::Error.resolve(trace) {
        Ok(failure) => Ok(failure.is_at(found)),
        Err(NoSuchTarget::Trace(error)) => Err(error.into()),
        Err(_) => Ok(false),
    }
}

/// Measures the run of a session, if it has at most `most` actions.
///
/// # Errors
/// Why that is not possible.
pub fn measure(session: &Session, most: u64) -> Result<Measure, String> {
    if let Some(why) = out_of_reach(session.trace(), most) {
        return Err(why);
    }
    let replay = |probe| Ok::<_, Error>(session.replay(&Goal::everything(), probe)?.into_observer());
    match Measure::ended(replay) {
        Ok(Some(measure)) => Ok(measure),
        Ok(None) => Err("what the receives could have taken cannot be put in an order".to_owned()),
        // To measure needs more than the causes of the failure, and so perhaps a value that was left out of the trace.
        Err(error) => Err(error.to_string()),
    }
}

impl Told {
    /// Nothing is known, because of this.
    #[must_use]
    pub fn unknown(why: String) -> Self {
        Self {
            text: format!("not known: {why}"),
            unknown: Some(why),
            ..Self::default()
        }
    }

    /// Needs the run neither a stall nor free delivery, as far as is known?
    #[must_use]
    pub fn needs_nothing(&self) -> bool {
        self.ms == Some(0) && self.free_delivery != Some(true)
    }

    /// The stall of what was found, in a run of at most `most` actions.
    ///
    /// # Errors
    /// The trace is damaged. (If it cannot be replayed as a whole, the stall is not known.)
    pub fn of(session: &Session, found: &Point, most: u64, bounds: &ShownBounds) -> Result<Self, Error> {
        match measure(session, most) {
            Ok(measure) => Self::measured(session, found, &measure, bounds),
            Err(why) => Ok(Self::unknown(why)),
        }
    }

    /// What a measure says of what was found.
    ///
    /// # Errors
    /// The trace is damaged; the replay diverges.
    pub fn measured(session: &Session, found: &Point, measure: &Measure, bounds: &ShownBounds) -> Result<Self, Error> {
        let stall = measure.stall((!found.runs_on).then(|| found.id()));
        let free_delivery = measure.needs_free_delivery();
        let overtaken = measure.overtaken();
        let mut ids: Vec<ActionId> = overtaken.into_iter().flat_map(|(late, first)| [late, first]).collect();
        ids.extend(
            stall
                .held
                .iter()
                .flat_map(|held| std::iter::once(held.id).chain(held.after)),
        );
        let seen = Seen::of(session, ids, bounds)?;
        let held = match stall.held {
            Some(held) => Some(seen.held(session, held)?),
            None => None,
        };
        let overtaken = match overtaken {
            Some((late, first)) => seen.act(session, late)?.zip(seen.act(session, first)?),
            None => None,
        };
        let mut told = Self {
            ms: Some(stall.ms),
            at_least: !measure.is_complete(),
            held,
            free_delivery,
            overtaken,
            unknown: (!measure.is_complete())
                .then(|| "too many messages wait at one time to try all of them".to_owned()),
            text: String::new(),
            delivery: None,
        };
        told.text = told.of_time();
        told.delivery = told.of_delivery();
        Ok(told)
    }

    /// The stall in words.
    fn of_time(&self) -> String {
        let least = if self.at_least { "at least " } else { "" };
        match (&self.held, self.ms.unwrap_or(0)) {
            (Some(held), ms) if ms > 0 => {
                format!(
                    "this run happens only if something stalls for {least}{} ms: {}",
                    number(ms),
                    held.in_words()
                )
            }
            _ if self.at_least => "no stall was found, but it can need one".to_owned(),
            _ => NONE.to_owned(),
        }
    }

    /// What it needs of delivery in words.
    fn of_delivery(&self) -> Option<String> {
        const ORDER: &str = "was sent before it, causally, to the same process of one node";
        match (self.free_delivery, &self.overtaken) {
            (Some(true), Some((late, first))) => Some(format!(
                "needs free delivery: {} overtakes {}, which {ORDER}",
                message(first),
                message(late)
            )),
            (Some(true), None) => Some(format!(
                "needs free delivery: a message overtakes another one that {ORDER}"
            )),
            (Some(false), _) => None,
            (None, _) => Some("not known: the run is too large to tell if a message overtook its cause".to_owned()),
        }
    }
}

/// Why the stall of a run cannot be measured.
fn out_of_reach(trace: &Trace, most: u64) -> Option<String> {
    let actions = trace.totals().counts.actions;
    let most = most.min(ACTIONS as u64);
    if trace.is_slice() {
        return Some("the trace is a slice, which holds what happened, and a stall is about what did not".to_owned());
    }
    if matches!(trace.status(), Status::Incomplete { .. }) {
        return Some("the trace is incomplete".to_owned());
    }
    (actions > most).then(|| {
        format!(
            "the run has {}; measured are runs of at most {}",
            count(actions, "action"),
            number(most)
        )
    })
}

impl HeldUp {
    fn in_words(&self) -> String {
        let held = match (self.what, &self.act) {
            (What::Signal, Some(act)) => message(act),
            (What::Process, Some(act)) => format!("{} before {}", who(act), placed(act)),
            (What::Rest, Some(act)) => format!("{} after {}", who(act), placed(act)),
            (_, None) => format!("{} from its start", self.pid),
        };
        match &self.after {
            Some(after) if after.native.is_some_and(session::native::NativeName::sets_timer) => {
                format!(
                    "{held}, until the timer had expired that {} set at {}",
                    who(after),
                    placed(after)
                )
            }
            Some(after) => format!("{held}, until after {} at {}", who(after), placed(after)),
            None => held,
        }
    }
}

/// A process with its name.
fn who(act: &Act) -> String {
    match &act.name {
        Some(name) => format!("{} {name}", act.pid),
        None => act.pid.to_string(),
    }
}

/// An action by its place.
fn placed(act: &Act) -> String {
    match &act.place {
        Some(place) => format!("{} [{}]", place.short(), act.target),
        None => format!("[{}]", act.target),
    }
}

/// A signal by its send.
fn message(act: &Act) -> String {
    use session::view::ActKind;
    let to = act.peer.map_or_else(String::new, |peer| format!(" to {peer}"));
    match (act.kind, &act.content) {
        (ActKind::Exit | ActKind::Signal, _) => format!("the report of the end of {} at {}", who(act), placed(act)),
        (_, Some(content)) => format!(
            "{} from {}{to}, sent at {}",
            cut(&content.noun(false), MESSAGE),
            who(act),
            placed(act)
        ),
        (_, None) => format!("a signal from {}{to}, sent at {}", who(act), placed(act)),
    }
}

/// What a replay saw of some actions.
struct Seen {
    system: Option<system::System<Watcher>>,
    names: ProcessNames,
}

impl Seen {
    fn of(session: &Session, mut ids: Vec<ActionId>, bounds: &ShownBounds) -> Result<Self, Error> {
        let trace = session.trace();
        ids.retain(|id| id.number > ActionNo(0));
        ids.sort_unstable();
        ids.dedup();
        let Some(first) = ids.first() else {
            return Ok(Self {
                system: None,
                names: ProcessNames::default(),
            });
        };
        let upto = causality::causes_of_all(trace, ids.iter().copied())?;
        let found = Point::from(*first);
        let system = session::scene::replay(session, &found, upto, &ids, bounds)?;
        let names = session::shown::names(&system);
        Ok(Self {
            system: Some(system),
            names,
        })
    }

    fn act(&self, session: &Session, id: ActionId) -> Result<Option<Act>, Error> {
        let Some(system) = &self.system else { return Ok(None) };
        Scene::new(session, system, &self.names).act(id.pid, id.number.0)
    }

    fn held(&self, session: &Session, held: Held) -> Result<HeldUp, Error> {
        Ok(HeldUp {
            what: held.what,
            act: self.act(session, held.id)?,
            pid: held.id.pid.to_string(),
            after: match held.after {
                Some(after) => self.act(session, after)?,
                None => None,
            },
        })
    }
}
