//! What test runners note of tests. A runner (the library's EUnit and Common Test, or any other) calls `erlang:'$test'/3` when a test begins
//! and when it has ended; nothing is found out from printed texts. With `erlang:'$tell'/1` it hands details to the caller of the run (`tracer test`).

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::NativeClass;
use interpreter::print::{self, Style};
use interpreter::term::Term;
use log_format::{InputClass, Kind, TestNote};

use crate::ids;
use crate::observer::Detail;
use crate::ops::{OK, OpResult, Operation, badarg, text};
use crate::step::Step;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$test", 3, NativeClass::Output, test),
    Operation::new("erlang", "$tell", 1, NativeClass::Pure, tell),
    Operation::new("erlang", "$prepared", 0, NativeClass::Pure, prepared),
    Operation::new("erlang", "$order", 0, NativeClass::Input, order),
];

/// Limits: characters of a reason and frames of a stack in the trace.
const REASON_CHARS: usize = 2000;
const FRAMES: usize = 20;

/// `'$test'(Process, Name, Note)`: the test that this process runs began, passed, was skipped, or failed.
///
/// Name: a string, binary or atom. Note: `began`, `passed`, `skipped`, or `{failed, Class, Reason, Stack}` with the stack of an exception.
fn test(step: &mut Step<'_>) -> OpResult {
    let [of, name, note] = step.args();
    let of = ids::to_log(of.as_pid().ok_or_else(badarg)?);
    let heap = &step.process.machine.heap;
    let name = text(heap, name).ok_or_else(badarg)?;
    let style = Style::unicode(&*step.world.program);
    let (noted, value) = match (note.as_atom().map(Atom::as_str), heap.tuple(note)) {
        (Some("began"), _) => (TestNote::Began, None),
        (Some("passed"), _) => (TestNote::Passed, None),
        (Some("skipped"), _) => (TestNote::Skipped, None),
        (_, Some(&[failed, class, reason, stack])) if failed.as_atom() == Some(Atom::new("failed")) => {
            let class = class.as_atom().ok_or_else(badarg)?;
            let term = print::short(heap, reason, REASON_CHARS, &style);
            let failed = TestNote::Failed {
                reason: format!("{} {term}", class.as_str()),
                stack: frames(heap, stack, &style),
            };
            (failed, Some(reason))
        }
        _ => return Err(badarg()),
    };
    step.expect(
        |kind| matches!(kind, Kind::Test { note, .. } if note.word() == noted.word()),
        || format!("note that the test {name} {}", noted.word()),
    )?;
    let tests = &mut step.world.tests;
    match noted {
        TestNote::Began => tests.began += 1,
        TestNote::Failed { .. } => tests.failed += 1,
        TestNote::Passed | TestNote::Skipped => {}
    }
    if step.process.mode.log().is_none() {
        step.world.outside.told(vec![noted.word().to_owned(), name.clone()]);
    }
    let name = step.world.resources.text(&name);
    let kind = Kind::Test { of, name, note: noted };
    step.commit(kind, 0, value.map_or(Detail::None, Detail::Value));
    Ok(OK)
}

/// `'$tell'([Word, …])`: tells the caller of the run about a test. Words are texts, atoms and integers. The program cannot see any effect, so
/// nothing is logged, and a replay has nobody to tell.
fn tell(step: &mut Step<'_>) -> OpResult {
    let [words] = step.args();
    let heap = &step.process.machine.heap;
    let words = heap.list(words).ok_or_else(badarg)?;
    let words: Option<Vec<String>> = words.into_iter().map(|word| part(heap, word)).collect();
    let words = words.ok_or_else(badarg)?;
    if step.process.mode.log().is_none() {
        step.world.outside.told(words);
    }
    Ok(OK)
}

/// `'$prepared'()`: several tests are about to run, and their order is to be chosen next. Runs of a hunt begin here, so that each has its own order.
fn prepared(step: &mut Step<'_>) -> OpResult {
    step.world.tests.are_prepared = true;
    Ok(OK)
}

/// `'$order'()`: a number that decides the order of the tests; 0: it is that of the runner.
fn order(step: &mut Step<'_>) -> OpResult {
    let beyond = step.world.seed_beyond(step.process);
    step.input(InputClass::Random, |world, heap| {
        let drawn = || world.outside.entropy();
        let seed = beyond.or_else(|| world.tests.is_order_drawn.then(drawn));
        seed.map_or(Term::small(0), |seed| heap.make_int((seed >> 6) as i64))
    })
}

/// A text that need not be UTF-8, or an integer.
fn part(heap: &Heap, word: Term) -> Option<String> {
    if let Some(bytes) = heap.bytes(word) {
        return Some(String::from_utf8_lossy(&bytes).into_owned());
    }
    word.as_small()
        .map(|number| number.to_string())
        .or_else(|| text(heap, word))
}

/// How the names of Elixir's modules begin.
const ELIXIR: &str = "Elixir.";

/// A function as Elixir writes it: `Bank.transfer/2`, `BankTest."test adds"/1`, `:lists.map/2`.
fn in_elixir(module: &str, function: &str, arity: i64) -> String {
    let module = match module.strip_prefix(ELIXIR) {
        Some(module) => module.to_owned(),
        None => format!(":{module}"),
    };
    let is_plain = !function.contains(|c: char| c.is_whitespace() || c == '"');
    match is_plain {
        true => format!("{module}.{function}/{arity}"),
        false => format!("{module}.{function:?}/{arity}"),
    }
}

/// A stack trace as text, a line for each function: `bank:transfer/2 (bank.erl:12)`, of a program in Elixir as Elixir writes it.
fn frames(heap: &Heap, stack: Term, style: &Style<'_>) -> String {
    let frames = heap.list(stack).unwrap_or_default();
    let module_of = |frame: &Term| heap.tuple(*frame)?.first()?.as_atom();
    let is_elixir = frames
        .iter()
        .filter_map(module_of)
        .any(|module| module.as_str().starts_with(ELIXIR));
    let lines = frames.into_iter().take(FRAMES).filter_map(|frame| {
        let &[module, function, arity, location] = heap.tuple(frame)? else {
            return None;
        };
        let arity = match heap.list(arity) {
            Some(arguments) => i64::try_from(arguments.len()).ok()?,
            None => arity.as_small()?,
        };
        let name = |atom| print::short(heap, atom, REASON_CHARS, style);
        let function = match (is_elixir, module.as_atom(), function.as_atom()) {
            (true, Some(module), Some(function)) => in_elixir(module.as_str(), function.as_str(), arity),
            _ => format!("{}:{}/{arity}", name(module), name(function)),
        };
        let part = |key: &str| {
            heap.list(location)?
                .into_iter()
                .find_map(|pair| match heap.tuple(pair)? {
                    &[name, value] if name.as_atom()?.as_str() == key => Some(value),
                    _ => None,
                })
        };
        let place = part("file")
            .and_then(|file| text(heap, file))
            .zip(part("line")?.as_small());
        Some(place.map_or(function.clone(), |(file, line)| format!("{function} ({file}:{line})")))
    });
    lines.collect::<Vec<_>>().join("\n")
}
