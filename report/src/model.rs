//! The data of a page: the actions that it holds, as columns in the order in which they are drawn, and what is told of them.

use log_format::ActionId;

use crate::Input;
use crate::columns::Columns;
use crate::files::Files;
use crate::gather::{Gathered, Gathering, NO_CAUSE, index_of, last_of};
use crate::graph::NONE;
use crate::head::{self, Head, Late, LeadWords, Race, ShownLead, StepWords, StoryStep};
use crate::pick::{self, PageContents};
use crate::processes::LaneName;
use crate::watch::{self, Scene};
use decisive::Class;
use session::Goal;
use session::error::Error;
use session::view::{Act, ActKind, Printed};
use session::words::{count, number};
use why::story::Why;

/// The data of a page.
pub struct Model {
    got: Gathered,
    output: Vec<Printed>,
    /// What the page does not hold.
    pub left_out: Vec<String>,
}

/// Replays what the page holds, and gathers what it shows.
///
/// # Errors
/// The trace is damaged; the replay diverges.
pub fn gather(input: &Input<'_>) -> Result<Model, Error> {
    let trace = input.session.trace();
    let mut told = head::told(input.why);
    // What is explained is always there.
    let found = input.found.id();
    if let Err(at) = told.binary_search(&found)
        && found.number.0 > 0
    {
        told.insert(at, found);
    }
    let mut left_out: Vec<String> = input.about.trouble.iter().cloned().collect();
    let choose = |whole| pick::choose(trace, input.causes, &told, input.actions, whole);
    let mut choice = choose(true)?;
    let scene = match seen(input, &choice, &told) {
        Ok(scene) => scene,
        Err(error) if choice.is_whole && input.causes.actions() < trace.totals().counts.actions => {
            // What is no cause may need a value that the trace does not hold.
            left_out.push(format!(
                "Only the causes are here, because the whole run cannot be replayed: {error}."
            ));
            choice = choose(false)?;
            seen(input, &choice, &told)?
        }
        Err(error) => return Err(error),
    };
    let mut model = Model {
        got: Gathering::new(input, &choice, &scene)?.run(&told)?,
        output: scene.output,
        left_out,
    };
    model.say_what_is_missing(input, &choice);
    Ok(model)
}

fn seen(input: &Input<'_>, choice: &PageContents, told: &[ActionId]) -> Result<Scene, Error> {
    let goal = match choice.is_whole {
        true => Goal::everything(),
        false => Goal::causes(input.causes.clone()),
    };
    watch::watch(input.session, input.found, &choice.picked, told, &goal)
}

impl Model {
    /// How many actions the page holds.
    pub fn actions(&self) -> u64 {
        self.got.held.values().map(|(_, numbers)| numbers.len() as u64).sum()
    }

    /// Says what is not in the page.
    fn say_what_is_missing(&mut self, input: &Input<'_>, choice: &PageContents) {
        let (held, causes) = (self.actions(), input.causes.actions());
        if !choice.has_causes {
            self.left_out.push(format!(
                "Of the {} causes, {} are here: those that the story names, and the last ones before the failure. Counts of causes are of what \
                 is here. `replay report --actions all` holds all.",
                number(causes),
                number(held)
            ));
        } else if !choice.is_whole && causes < input.why.of_actions {
            self.left_out.push(format!(
                "Only the causes are here: {} of the run's {}.",
                number(causes),
                count(input.why.of_actions, "action")
            ));
        }
        if self.got.without_variables {
            let text =
                "The states are large: variables are here of the actions that the story names, and of some others.";
            self.left_out.push(text.to_owned());
        }
        let bare = Files::without_text(&self.got.files);
        if !bare.is_empty() {
            self.left_out.push(format!(
                "Of long sources, only the lines around the steps are here: {}.",
                bare.join(", ")
            ));
        }
        for one in self.output.iter().filter(|one| one.left_out > 0) {
            self.left_out.push(format!(
                "Of the output of {}, only the last {} are here.",
                one.pid,
                count(one.bytes - one.left_out, "byte")
            ));
        }
    }

    /// Did a receive time out here?
    fn is_timeout(&self, at: i32) -> bool {
        let kind = self.got.rows.kind[at as usize];
        self.got.kinds.all()[kind as usize] == ActKind::After.word()
    }

    /// The index of an action before ordering.
    fn index(&self, id: ActionId) -> i32 {
        index_of(&self.got.held, id)
    }

    /// The data as the page needs it: the head as JSON, and the bulk.
    ///
    /// # Errors
    /// None: memory can be written.
    pub fn encode(&mut self, input: &Input<'_>) -> Result<(String, Vec<u8>), Error> {
        let trace = input.session.trace();
        let target = match input.found.runs_on {
            true => self
                .got
                .waits
                .get(&input.found.pid.to_string())
                .copied()
                .unwrap_or(NONE),
            false => self.index(input.found.id()),
        };
        let (races, order_of_two, alone) = self.races(input.why);
        let rivals = races.iter().filter(|race| !self.is_timeout(race.at));
        let rivals: Vec<(i32, i32)> = rivals.map(|race| (race.at, race.rival)).collect();
        // Of several that wait, the one that is explained comes last.
        let waits = input
            .why
            .waits
            .iter()
            .filter_map(|wait| self.got.waits.get(&wait.pid).copied());
        let mut first: Vec<i32> = waits.filter(|wait| *wait != target).collect();
        first.push(target);
        // What decided and what is likely stands above what is explained, even if it is no cause of it.
        let mut later: Vec<(i32, i32)> = order_of_two.chunks_exact(2).map(|pair| (pair[1], pair[0])).collect();
        // A message that came after a timeout stands below it.
        let timeouts = races.iter().filter(|race| race.decisive && self.is_timeout(race.at));
        later.extend(timeouts.map(|race| (race.rival, race.at)));
        let likely = input.why.likely.iter().flat_map(|likely| &likely.named);
        let likely = likely.map(|id| self.index(*id));
        let raced = races
            .iter()
            .map(|race| race.at)
            .chain(order_of_two.iter().chain(&alone).copied());
        let beside = likely.chain(raced).filter(|at| ![NONE, target].contains(at));
        let beside = beside.filter(|at| self.got.rows.flags[*at as usize] & NO_CAUSE != 0);
        later.extend(beside.map(|at| (target, at)));
        let is_cause = |at: &i32| self.got.rows.flags[*at as usize] & NO_CAUSE == 0;
        first.extend((0..self.got.rows.lane.len() as i32).filter(is_cause));
        let order = self.got.graph.order(&first, &rivals, &later);
        let mut place_of = vec![NONE; order.len()];
        for (place, at) in order.iter().enumerate() {
            place_of[*at as usize] = place as i32;
        }
        let put = |at: i32| if at == NONE { NONE } else { place_of[at as usize] };
        let here = |id: ActionId| put(self.index(id));
        let act = |act: &Act| here(head::id(act));
        let head = Head {
            version: 2,
            about: input.about,
            lead: self.lead(input, &put),
            steps: steps(input, (&act, &here)),
            beside: &input.words.beside,
            notes: &input.words.notes,
            left_out: &self.left_out,
            target: put(target),
            races: races
                .into_iter()
                .map(|race| Race {
                    at: put(race.at),
                    rival: put(race.rival),
                    ..race
                })
                .collect(),
            order: order_of_two.into_iter().map(put).collect(),
            alone: alone.into_iter().map(put).collect(),
            late: late(input.why, &act),
            variables: variables(input.why),
            counts: [
                input.why.of_actions,
                input.causes.actions(),
                self.actions(),
                trace.totals().processes,
                input.causes.processes() as u64,
                input.why.causes,
            ],
        };
        let head = serde_json::to_string(&head).map_err(|error| Error::Bug(error.to_string()))?;
        let bulk = self
            .bulk(&order, &place_of)
            .map_err(|error| Error::Bug(error.to_string()))?;
        Ok((head, bulk))
    }

    /// What stands first, with the places of what it names.
    fn lead<'a>(&self, input: &Input<'a>, put: &impl Fn(i32) -> i32) -> Vec<ShownLead<'a>> {
        let likely = input.why.likely.iter();
        let birth = |pid| input.session.trace().process(pid).ok()?.parent;
        let named = likely
            .clone()
            .flat_map(|likely| &likely.named)
            .map(|id| self.index(*id));
        let waits = likely.flat_map(|likely| &likely.waiting);
        // A wait that has no row is shown by what its process did last, or by its creation.
        let waits = waits.map(|pid| match self.got.waits.get(&pid.to_string()) {
            Some(wait) => *wait,
            None => match last_of(&self.got.held, *pid) {
                NONE => birth(*pid).map_or(NONE, |spawn| self.index(spawn)),
                last => last,
            },
        });
        let mut named: Vec<i32> = named.chain(waits).map(put).filter(|at| *at != NONE).collect();
        named.sort_unstable();
        named.dedup();
        let shown = |lead: &'a LeadWords| ShownLead {
            actions: if lead.kind.is_likely() {
                named.clone()
            } else {
                Vec::new()
            },
            lead,
        };
        input.words.lead.iter().map(shown).collect()
    }

    /// Messages that could have come first, the decisive ones first; pairs of other actions whose order decided; and actions that decided alone.
    fn races(&self, why: &Why) -> (Vec<Race>, Vec<i32>, Vec<i32>) {
        let mut races: Vec<Race> = Vec::new();
        let (mut order, mut alone) = (Vec::new(), Vec::new());
        for flip in why.decided.iter().flat_map(head::flips) {
            let side = |side: &decisive::Side| side.act.as_ref().map_or(NONE, |act| self.index(head::id(act)));
            let (at, made, instead) = (self.index(head::id(&flip.at)), side(&flip.made), side(&flip.instead));
            match flip.class {
                Class::Message | Class::MessageLast | Class::MessageForTimeout if at != NONE && instead != NONE => {
                    races.push(Race {
                        at,
                        rival: instead,
                        decisive: true,
                    });
                }
                _ if made != NONE && instead != NONE && made != instead => order.extend([made, instead]),
                _ => alone.extend([at].into_iter().filter(|at| *at != NONE)),
            }
        }

        for one in &why.instead {
            let at = self.index(one.receive);
            let rival = self.index(head::id(&one.sent));
            let known = |race: &Race| (race.at, race.rival) == (at, rival);
            if at != NONE && rival != NONE && !races.iter().any(known) {
                races.push(Race {
                    at,
                    rival,
                    decisive: false,
                });
            }
        }
        (races, order, alone)
    }

    fn bulk(&self, order: &[i32], place_of: &[i32]) -> serde_json::Result<Vec<u8>> {
        let mut columns = Columns::default();
        let sorted = |column: &[i32]| -> Vec<i32> { order.iter().map(|at| column[*at as usize]).collect() };
        let rows = &self.got.rows;
        let plain = [
            ("lane", &rows.lane),
            ("number", &rows.number),
            ("kind", &rows.kind),
            ("peer", &rows.peer),
            ("place", &rows.place),
            ("content", &rows.content),
            ("label", &rows.label),
            ("uses", &rows.uses),
            ("target", &rows.target),
            ("flags", &rows.flags),
        ];
        for (name, column) in plain {
            columns.add(name, &sorted(column));
        }
        let put = |at: i32| if at == NONE { NONE } else { place_of[at as usize] };
        // As the distance back: small numbers, which pack well.
        let signal = order
            .iter()
            .enumerate()
            .map(|(place, at)| match put(self.got.graph.signal[*at as usize]) {
                NONE => NONE,
                sent => place as i32 - sent,
            });
        columns.add("signal", &signal.collect::<Vec<_>>());
        let mut reads: Vec<(i32, i32)> = self
            .got
            .graph
            .reads
            .iter()
            .map(|(at, by)| (put(*at), put(*by)))
            .collect();
        reads.sort_unstable();
        columns.add("reader", &reads.iter().map(|one| one.0).collect::<Vec<_>>());
        columns.add("writer", &reads.iter().map(|one| one.1).collect::<Vec<_>>());
        let mut variables: Vec<(i32, i32, i32)> = rows
            .variables
            .iter()
            .map(|(at, name, value)| (put(*at), *name, *value))
            .collect();
        // Variables of one action stay in the order of binding.
        variables.sort_by_key(|one| one.0);
        columns.add("variable_at", &variables.iter().map(|one| one.0).collect::<Vec<_>>());
        columns.add("variable_name", &variables.iter().map(|one| one.1).collect::<Vec<_>>());
        columns.add("variable_value", &variables.iter().map(|one| one.2).collect::<Vec<_>>());
        let (starts, texts, briefs) = self.got.uses.columns();
        columns.add("use_start", &starts);
        columns.add("use_text", &texts);
        columns.add("use_brief", &briefs);
        columns.json("kinds", &self.got.kinds.all())?;
        columns.json("texts", &self.got.texts.all())?;
        columns.json("places", &self.got.places)?;
        columns.json("files", &self.got.files)?;
        let lanes = self.got.lanes.iter().map(|lane| {
            let (pid, name) = (lane.pid.to_string(), LaneName::of(lane));
            (pid, name, lane.parent, lane.actions, lane.node.as_deref())
        });
        columns.json("lanes", &lanes.collect::<Vec<_>>())?;
        columns.json("output", &self.output)?;
        Ok(columns.pack())
    }
}

/// The steps of the story. `act`, `here`: the place of an action.
fn steps(input: &Input<'_>, (act, here): (&impl Fn(&Act) -> i32, &impl Fn(ActionId) -> i32)) -> Vec<StoryStep> {
    let links = input.why.links.iter().zip(&input.words.steps);
    let step = |(link, words): (&why::story::Link, &StepWords)| StoryStep {
        a: act(&link.act),
        s: link.sent.as_ref().map_or(NONE, |sent| act(&sent.act)),
        because: link.because,
        asked: link
            .request()
            .map_or_else(Vec::new, |asked| vec![here(asked.receive), here(asked.send)]),
        words: words.clone(),
        changes: link.changes.clone(),
    };
    links.map(step).collect()
}

/// Answers that came too late, as far as the page holds them.
fn late(why: &Why, act: &impl Fn(&Act) -> i32) -> Vec<Late> {
    let all = why.gave_up.iter().map(|one| Late {
        timeout: act(&one.timeout),
        asked: act(&one.asked),
        late: act(&one.late),
        first: one.first,
    });
    all.filter(|one| ![one.timeout, one.asked, one.late].contains(&NONE))
        .collect()
}

/// The variables of what is explained, in the program's own code.
fn variables(why: &Why) -> Vec<(String, String)> {
    let known = why
        .process
        .frames
        .first()
        .map(|frame| frame.variables.as_slice())
        .unwrap_or_default();
    let pair = |variable: &session::view::Variable| Some((variable.name.clone(), variable.value.clone()?));
    known.iter().filter_map(pair).collect()
}
