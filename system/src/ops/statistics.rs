//! Facts about the whole system.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::InputClass;

use crate::ops::{OpResult, Operation, TRUE, UNDEFINED, badarg};
use crate::state::process::ProcessActivity;
use crate::state::resources::Value;
use crate::step::Step;
use crate::world::World;

/// How far unique integers start below zero.
const UNIQUE_OFFSET: i64 = 576_460_752_303_423_488;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "unique_integer", 0, NativeClass::Input, unique_integer),
    Operation::new("erlang", "unique_integer", 1, NativeClass::Input, unique_integer),
    Operation::new("erlang", "statistics", 1, NativeClass::Input, statistics),
    Operation::new("erlang", "memory", 0, NativeClass::Input, memory),
    Operation::new("erlang", "memory", 1, NativeClass::Input, memory),
    Operation::new(
        "erlang",
        "system_info",
        1,
        NativeClass::Input,
        super::system_info::system_info,
    ),
    Operation::new("erlang", "$entropy", 0, NativeClass::Input, entropy),
];

fn unique_integer(step: &mut Step<'_>) -> OpResult {
    let [options] = step.args();
    let options = match options {
        Term::NONE => Vec::new(),
        options => step.process.machine.heap.list(options).ok_or_else(badarg)?,
    };
    let mut positive = false;
    for option in options {
        match option.as_atom().map(Atom::as_str) {
            Some("positive") => positive = true,
            Some("monotonic") => {}
            _ => return Err(badarg()),
        }
    }
    step.input(InputClass::Unique, |world, heap| {
        world.unique += 1;
        heap.make_int(match positive {
            true => world.unique,
            false => world.unique - UNIQUE_OFFSET,
        })
    })
}

/// A number that seeds the random numbers of a process.
fn entropy(step: &mut Step<'_>) -> OpResult {
    let seed = step.world.seed_beyond(step.process);
    step.input(InputClass::Random, |world, heap| {
        let seed = seed.unwrap_or_else(|| world.outside.entropy()) >> 6;
        heap.make_int(seed as i64)
    })
}

/// Bytes of an atom besides its name, and of an instruction. Estimates, in the order of OTP's.
const ATOM_BYTES: usize = 40;
const INSTRUCTION_BYTES: usize = 16;

fn memory(step: &mut Step<'_>) -> OpResult {
    let [what] = step.args();
    let single = what.as_atom().is_some();
    let known = |t: &Term| t.as_atom().is_some_and(|key| MEMORY.contains(&key.as_str()));
    let all = MEMORY.iter().map(|key| Term::atom(Atom::new(key))).collect();
    let asked: Vec<Term> = match what {
        Term::NONE => all,
        one if single => vec![one],
        list => step.process.machine.heap.list(list).ok_or_else(badarg)?,
    };
    if !asked.iter().all(known) {
        return Err(badarg());
    }
    let own = step.process.machine.words();
    step.input(InputClass::System, |sys, heap| {
        let words: usize = own + sys.table.iter().map(|q| q.machine.words()).sum::<usize>();
        let bytes = |key: Term| {
            let part = |key| match key {
                "processes" | "processes_used" => words * 8,
                "atom" | "atom_used" => Atom::count() * ATOM_BYTES,
                "binary" => interpreter::heap::bytes_outside(),
                "code" => sys.program.instructions() * INSTRUCTION_BYTES,
                "ets" => sys.tables.values().map(|table| table.contents.words() * 8).sum(),
                _ => 0,
            };
            let system = || ["atom", "binary", "code", "ets"].into_iter().map(part).sum::<usize>();
            Term::small(match key.as_atom().map_or("", Atom::as_str) {
                "system" => system(),
                "total" => system() + part("processes"),
                key => part(key),
            } as i64)
        };
        if single {
            return bytes(asked[0]);
        }
        let rows: Vec<Term> = asked.iter().map(|&key| heap.make_tuple(&[key, bytes(key)])).collect();
        heap.make_list(&rows)
    })
}

fn statistics(step: &mut Step<'_>) -> OpResult {
    let [what] = step.args();
    match what.as_atom().map(Atom::as_str) {
        Some("runtime" | "wall_clock") => step.input(InputClass::System, |sys, heap| {
            let total = (sys.now() / 1_000_000) as i64;
            let last = std::mem::replace(&mut sys.last_statistics, total);
            heap.make_tuple(&[Term::small(total), Term::small(total - last)])
        }),
        Some("reductions" | "exact_reductions") => step.input(InputClass::System, |sys, heap| {
            let total = Term::small(sys.total_actions as i64);
            heap.make_tuple(&[total, total])
        }),
        Some(key @ ("run_queue" | "total_run_queue_lengths" | "total_run_queue_lengths_all")) => {
            step.ready_processes(key)
        }
        Some(key @ ("run_queue_lengths" | "run_queue_lengths_all")) => step.ready_processes(key),
        Some(key @ ("active_tasks" | "active_tasks_all" | "total_active_tasks" | "total_active_tasks_all")) => {
            step.ready_processes(key)
        }
        Some("context_switches") => step.input(InputClass::System, |sys, heap| {
            heap.make_tuple(&[Term::small(sys.total_actions as i64), Term::small(0)])
        }),
        Some("garbage_collection") => {
            let mut work = step.world.work;
            work.collected(step.process);
            step.world.table.iter().for_each(|other| work.collected(other));
            step.input(InputClass::System, |_, heap| {
                let counts = [work.collections, work.reclaimed, 0].map(|count| Term::small(count as i64));
                heap.make_tuple(&counts)
            })
        }
        Some("scheduler_wall_time" | "scheduler_wall_time_all") => {
            let key = ["system_flag", "scheduler_wall_time"].map(|word| Term::atom(Atom::new(word)));
            let key = step.process.machine.heap.make_tuple(&key);
            let flag = step.env_resource(Term::atom(Atom::new("$system")), Some(key));
            step.input(InputClass::System, |sys, heap| {
                let on = matches!(sys.resources.newest(flag), Value::Term(value) if heap.import(&value) == TRUE);
                if !on {
                    return UNDEFINED;
                }
                // The one scheduler is always busy.
                let now = Term::small(sys.now() as i64);
                let row = heap.make_tuple(&[Term::small(1), now, now]);
                heap.make_list(&[row])
            })
        }
        // Not measured, which is how OTP answers unless it is told to measure.
        Some("microstate_accounting") => step.input(InputClass::System, |_, heap| {
            let [counters, id, kind, thread] =
                ["counters", "id", "type", "scheduler"].map(|word| Term::atom(Atom::new(word)));
            let states = ["aux", "check_io", "emulator", "gc", "other", "port", "sleep"];
            let none = states.map(|state| (Term::atom(Atom::new(state)), Term::small(0)));
            let none = interpreter::maps::from_pairs(heap, &none);
            let row = interpreter::maps::from_pairs(heap, &[(counters, none), (id, Term::small(1)), (kind, thread)]);
            heap.make_list(&[row])
        }),
        Some("io") => step.input(InputClass::System, |sys, heap| {
            let counts = [("input", sys.work.bytes_read), ("output", sys.work.bytes_written)];
            let pairs =
                counts.map(|(key, bytes)| heap.make_tuple(&[Term::atom(Atom::new(key)), Term::small(bytes as i64)]));
            heap.make_tuple(&pairs)
        }),
        _ => Err(badarg()),
    }
}

/// The items of `erlang:memory/1`.
pub(crate) const MEMORY: [&str; 9] = [
    "total",
    "processes",
    "processes_used",
    "system",
    "atom",
    "atom_used",
    "binary",
    "code",
    "ets",
];

impl Step<'_> {
    /// How many processes are ready (and for "active" tasks: the one that asks): a number, or for keys of single queues a list. There is one
    /// scheduler; the other queues of OTP, of jobs that block, are empty.
    fn ready_processes(&mut self, key: &str) -> OpResult {
        self.input(InputClass::System, |sys, heap| {
            let ready = sys.table.iter().filter(|q| q.state == ProcessActivity::Ready).count();
            let count = Term::small(ready as i64 + i64::from(key.contains("active")));
            let others = if key.ends_with("_all") { 2 } else { 1 };
            match key.starts_with("total") || key == "run_queue" {
                true => count,
                false => {
                    let mut queues = vec![Term::small(0); others + 1];
                    queues[0] = count;
                    heap.make_list(&queues)
                }
            }
        })
    }

    pub(crate) fn input_or_badarg(&mut self, make: impl FnOnce(&mut World, &mut Heap) -> Option<Term>) -> OpResult {
        let refused = Term::atom(Atom::new("$badarg"));
        let value = self.input(InputClass::System, |sys, heap| make(sys, heap).unwrap_or(refused))?;
        if value == refused { Err(badarg()) } else { Ok(value) }
    }
}
