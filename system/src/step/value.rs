//! Logged values: inputs and observations.

use interpreter::etf::DecodeError;
use interpreter::heap::Heap;
use interpreter::term::Term;
use log_format::{ActionId, InputClass, Kind};

use crate::answers::{self, Answers};
use crate::observer::Detail;
use crate::ops::OpResult;
use crate::outside::Touched;
use crate::state::feed::{Feed, REDACTED};
use crate::state::mode::Decides;
use crate::step::{Interrupt, Step};
use crate::terms;
use crate::world::World;

/// Does the simulated outside of a replay provide it too?
const fn is_simulated(class: InputClass) -> bool {
    matches!(class, InputClass::File | InputClass::Env)
}

/// What makes a value. It is called once at most. Not generic: what is below is compiled once, and not for each native.
type Make<'a> = &'a mut dyn FnMut(&mut World, &mut Heap) -> Term;

/// What makes a value, to be called through a pointer.
fn once(make: impl FnOnce(&mut World, &mut Heap) -> Term) -> impl FnMut(&mut World, &mut Heap) -> Term {
    let mut make = Some(make);
    move |world, heap| make.take().expect("invariant: a value is made once")(world, heap)
}

/// The module of the library that knows the code path.
const CODE_PATH: &str = "retell_path";

impl Step<'_> {
    /// A value from outside: obtained now, or taken from the log.
    pub(crate) fn input(&mut self, class: InputClass, make: impl FnOnce(&mut World, &mut Heap) -> Term) -> OpResult {
        self.any_input(class, 0, &mut once(make))
    }

    /// As [`Self::input`], in a step that also sends this many signals.
    pub(crate) fn input_and_send(
        &mut self,
        class: InputClass,
        sends: u32,
        make: impl FnOnce(&mut World, &mut Heap) -> Term,
    ) -> OpResult {
        self.any_input(class, sends, &mut once(make))
    }

    fn any_input(&mut self, class: InputClass, sends: u32, make: Make<'_>) -> OpResult {
        self.expect(|k| matches!(k, Kind::Input { .. }), || "read an input".to_owned())?;
        let (term, value) = match self.process.mode.decides() {
            Decides::Follow(_) => self.logged_input(class, make)?,
            Decides::Driven => self.given_input(class, make)?,
            Decides::Record | Decides::Beyond { .. } if self.world.answers.is_some() => {
                let made = self.made_input(class, make);
                let unknown = self.is_unknown(class);
                match unknown.then(|| self.answered(class)).transpose()?.flatten() {
                    Some(answer) => answer,
                    None => made,
                }
            }
            Decides::Record | Decides::Beyond { .. } => self.made_input(class, make),
        };
        self.commit(Kind::Input { value }, sends, Detail::Value(term));
        Ok(term)
    }

    /// An input, taken from the log.
    fn logged_input(&mut self, class: InputClass, make: Make<'_>) -> Result<(Term, Vec<u8>), Interrupt> {
        let value = match self.process.mode.logged_kind() {
            Some(Kind::Input { value }) => value.clone(),
            _ => Vec::new(),
        };
        let is_beyond = self.process.mode.log().is_some_and(Feed::is_beyond);
        if is_simulated(class) && is_beyond {
            // Its effects on its simulated world beyond the log are repeated; the value is the logged one.
            make(self.world, &mut self.process.machine.heap);
        }
        let term = match InputClass::split(&value) {
            Some((_, Some(bytes))) => self.decode(bytes)?,
            Some((class, None)) => {
                let found = format!("an input of class {}", class.word());
                return Err(self.diverges(REDACTED, found));
            }
            None => self.decode(&[])?,
        };
        Ok((term, value))
    }

    /// An input that the caller gives; otherwise a new one.
    fn given_input(&mut self, class: InputClass, make: Make<'_>) -> Result<(Term, Vec<u8>), Interrupt> {
        let given = self.world.given();
        let Some((value, bytes)) = given
            .as_ref()
            .and_then(|value| Some((value, InputClass::split(value)?.1?)))
        else {
            let (term, value) = self.made_input(class, make);
            let unknown = self.is_unknown(class);
            if unknown && let Some(answer) = self.answered(class)? {
                self.note_outside(class);
                return Ok(answer);
            }
            if let Some(held) = self.world.purpose.held_back_mut()
                && class.is_of_the_outside()
                && unknown
            {
                held.invented = Some(self.process.pid);
            }
            return Ok((term, value));
        };
        // Changes to files and the environment are also made in the simulated world.
        let (touched, other) = match is_simulated(class) {
            true => {
                let made = make(self.world, &mut self.process.machine.heap);
                let touched = self.world.outside.last_touched();
                if touched == Touched::Ground {
                    // It counts as it is now.
                    let question = self.question();
                    if let Some(answers) = &mut self.world.answers {
                        answers.note(question);
                    }
                    let now = class.wrap(&terms::encode(&self.process.machine.heap, made));
                    return Ok((made, now));
                }
                let same = || terms::encode(&self.process.machine.heap, made) == bytes;
                (touched, touched == Touched::Found && !same())
            }
            false => (Touched::Unknown, false),
        };
        let term = self.decode(bytes)?;
        let question = self.question();
        if let Some(answers) = &mut self.world.answers {
            answers.note(question);
        }
        if let Some(held) = self.world.purpose.held_back_mut() {
            held.took_outside |= touched == Touched::Unknown
                && matches!(class, InputClass::File | InputClass::Stdin | InputClass::Command);
            held.other_files |= other;
        }
        Ok((term, value.clone()))
    }

    /// Has the simulated outside nothing of what was just asked for?
    fn is_unknown(&self, class: InputClass) -> bool {
        let is_unknown = !is_simulated(class) || self.world.outside.last_touched() == Touched::Unknown;
        is_unknown && !self.seeks_object()
    }

    /// Is a beam file looked for where nobody has looked when recorded? What is wanted of it, clauses or texts for a message, is not there. Modules are not
    /// loaded this way.
    fn seeks_object(&self) -> bool {
        let asked = |answers: &Answers| answers.knows(self.question());
        let Some(false) = self.world.answers.as_ref().map(asked) else {
            return false;
        };
        let place = self.process.machine.location(&self.world.program);
        place.is_some_and(|place| place.module.as_str() == CODE_PATH)
    }

    fn question(&self) -> Option<u64> {
        answers::question(self.world.program.native(self.native), &self.process.machine)
    }

    /// The recorded value for the current question, whoever asked when recorded.
    fn answered(&mut self, class: InputClass) -> Result<Option<(Term, Vec<u8>)>, Interrupt> {
        if !class.is_of_the_outside() {
            return Ok(None);
        }
        let question = self.question();
        let Some(value) = self
            .world
            .answers
            .as_mut()
            .and_then(|answers| answers.answer(question, class))
        else {
            return Ok(None);
        };
        match InputClass::split(&value) {
            Some((known, Some(bytes))) if known == class => Ok(Some((self.decode(bytes)?, value.clone()))),
            _ => Ok(None),
        }
    }

    /// A value was given that the simulated outside does not have.
    fn note_outside(&mut self, class: InputClass) {
        if let Some(held) = self.world.purpose.held_back_mut() {
            held.took_outside |= matches!(class, InputClass::File | InputClass::Stdin | InputClass::Command);
        }
    }

    /// An input that is obtained now.
    fn made_input(&mut self, class: InputClass, make: Make<'_>) -> (Term, Vec<u8>) {
        let term = make(self.world, &mut self.process.machine.heap);
        let value = if self.sink.redacts(class) {
            class.redacted()
        } else {
            class.wrap(&terms::encode(&self.process.machine.heap, term))
        };
        (term, value)
    }

    /// A value that others can change: read now, or taken from the log.
    pub(crate) fn observe(
        &mut self,
        of: Option<ActionId>,
        make: impl FnOnce(&mut World, &mut Heap) -> Term,
    ) -> OpResult {
        self.any_observation(of, 0, &mut once(make))
    }

    /// As [`Self::observe`], in a step that also sends this many signals.
    pub(crate) fn observe_and_send(
        &mut self,
        of: Option<ActionId>,
        sends: u32,
        make: impl FnOnce(&mut World, &mut Heap) -> Term,
    ) -> OpResult {
        self.any_observation(of, sends, &mut once(make))
    }

    fn any_observation(&mut self, of: Option<ActionId>, sends: u32, make: Make<'_>) -> OpResult {
        self.expect(
            |k| matches!(k, Kind::Observe { .. }),
            || "observe the state of the system".to_owned(),
        )?;
        let (of, value) = match self.process.mode.decides() {
            Decides::Follow(feed) => match feed.head_kind() {
                Some(Kind::Observe { of, value }) => (*of, Some(value.clone())),
                _ => (of, Some(Vec::new())),
            },
            Decides::Driven => (of, self.world.given()),
            Decides::Record | Decides::Beyond { .. } => (of, None),
        };
        let (term, value) = match value {
            Some(value) => (self.decode(&value)?, value),
            None => {
                let term = make(self.world, &mut self.process.machine.heap);
                let value = terms::encode(&self.process.machine.heap, term);
                (term, value)
            }
        };
        self.commit(Kind::Observe { of, value }, sends, Detail::Value(term));
        Ok(term)
    }

    pub(crate) fn decode(&mut self, value: &[u8]) -> OpResult {
        if value.is_empty() {
            return Err(self.diverges(REDACTED, "it was left out of the trace (an observation)"));
        }
        loop {
            let damaged = match terms::decode(&self.world.program, &mut self.process.machine.heap, value) {
                Ok(term) => return Ok(term),
                // The process that created the fun may not be part of the replay.
                Err(DecodeError::Unloaded(module)) => !self.world.load(module),
                Err(_) => true,
            };
            if damaged {
                return Err(self.diverges("use the logged value", "the logged value is damaged"));
            }
        }
    }
}
