//! `erlang:system_info/1`: the answers of OTP on Unix with as many schedulers as the settings of the run say.

use interpreter::atom::Atom;
use interpreter::heap::Heap;
use interpreter::newer::Newer;
use interpreter::term::Term;
use syntax::Release;

use crate::ops::{OpResult, badarg};
use crate::step::Step;
use crate::world::World;

pub(super) fn system_info(step: &mut Step<'_>) -> OpResult {
    let [what] = step.args();
    if let Some(parts) = step.process.machine.heap.tuple(what) {
        let words: Vec<Option<&str>> = parts.iter().map(|part| part.as_atom().map(Atom::as_str)).collect();
        return match words[..] {
            [Some("wordsize"), Some("external" | "internal")] => step.input_or_badarg(|_, _| Some(Term::small(8))),
            // As where an allocator is switched off.
            [Some("allocator" | "allocator_sizes"), Some(name)] if ALLOCATORS.contains(&name) => {
                step.input_or_badarg(|_, _| Some(Term::atom(Atom::new("false"))))
            }
            _ => Err(badarg()),
        };
    }
    let key = what.as_atom().ok_or_else(badarg)?.as_str();
    step.input_or_badarg(|world, heap| {
        let found = number(world, key).map(|number| heap.make_int(number));
        found
            .or_else(|| word(key).map(|word| Term::atom(Atom::new(word))))
            .or_else(|| text(world.program.release(), key).map(|text| heap.make_string(&text)))
            .or_else(|| compound(world, heap, key))
    })
}

fn number(world: &World, key: &str) -> Option<i64> {
    Some(match key {
        "wordsize" => 8,
        "schedulers"
        | "schedulers_online"
        | "logical_processors"
        | "logical_processors_available"
        | "logical_processors_online"
        | "dirty_cpu_schedulers"
        | "dirty_cpu_schedulers_online" => world.limits.schedulers.into(),
        "scheduler_id" | "thread_pool_size" => 1,
        "dirty_io_schedulers" => 10,
        "process_count" => world.table.living() as i64,
        "process_limit" => world.limits.processes as i64,
        "atom_limit" => 1_048_576,
        "atom_count" => Atom::count() as i64,
        "port_limit" => 65_536,
        // Those of `erlang:ports/0`.
        "port_count" => 3,
        "creation" | "trace_control_word" => 0,
        "ets_limit" => 8192,
        "ets_count" => world.tables.len() as i64,
        "compat_rel" => world.program.release().number().into(),
        "context_reductions" => 4000,
        "outstanding_system_requests_limit" => 4,
        "delayed_node_table_gc" => 60,
        "dist_buf_busy_limit" => 1_048_576,
        // Monotonic time starts with the clock of the run.
        "start_time" => world.started as i64,
        "end_time" => i64::MAX,
        _ => return None,
    })
}

fn word(key: &str) -> Option<&'static str> {
    Some(match key {
        "smp_support" | "threads" | "time_correction" | "kernel_poll" | "eager_check_io" => "true",
        "debug_compiled" | "lock_checking" | "lock_counting" | "dynamic_trace_probes" | "ets_realloc_moves" => "false",
        "tolerant_timeofday" | "multi_scheduling" => "enabled",
        "time_warp_mode" => "no_time_warp",
        "emu_flavor" => "emu",
        "emu_type" | "build_type" => "opt",
        "endian" => "little",
        "message_queue_data" => "on_heap",
        "heap_type" => "private",
        "scheduler_bind_type" => "unbound",
        "modified_timing_level" | "cpu_topology" => "undefined",
        "update_cpu_info" => "unchanged",
        "dynamic_trace" => "none",
        "system_logger" => "logger",
        _ => return None,
    })
}

/// The version of the runtime system of a release: of the last patch, but for 25 of the reference's.
fn runtime(release: Release) -> &'static str {
    match release.number() {
        25 => "13.1.5",
        26 => "14.2.5",
        27 => "15.2.7",
        _ => "16.4",
    }
}

fn text(release: Release, key: &str) -> Option<String> {
    let erts = runtime(release);
    Some(match key {
        "otp_release" => release.to_string(),
        "version" => erts.to_owned(),
        "system_version" => format!("Erlang/OTP {release} [erts-{erts}] [tracer]\n"),
        _ => constant(release, key)?.to_owned(),
    })
}

fn constant(release: Release, key: &str) -> Option<&'static str> {
    Some(match key {
        "system_architecture" => "tracer",
        "machine" => "BEAM",
        "driver_version" => "3.3",
        "nif_version" if Newer::NativeInterface217.is_in(release) => "2.17",
        "nif_version" => "2.16",
        _ => return None,
    })
}

/// Defaults of spawn options.
const FLAGS: [(&str, i64); 3] = [
    ("min_bin_vheap_size", 46_422),
    ("min_heap_size", 233),
    ("fullsweep_after", 65_535),
];

/// OTP's allocators; there is one here, the system's.
const ALLOCATORS: [&str; 10] = [
    "temp_alloc",
    "sl_alloc",
    "std_alloc",
    "ll_alloc",
    "eheap_alloc",
    "ets_alloc",
    "fix_alloc",
    "literal_alloc",
    "binary_alloc",
    "driver_alloc",
];

/// What OTP counts apart. It takes no memory of its own here.
const AREAS: [&str; 19] = [
    "sys_misc",
    "static",
    "atom_space",
    "atom_table",
    "module_table",
    "export_table",
    "export_list",
    "register_table",
    "fun_table",
    "module_refs",
    "loaded_code",
    "dist_table",
    "node_table",
    "bits_bufs_size",
    "bif_timer",
    "process_table",
    "port_table",
    "ets_misc",
    "external_alloc",
];

fn compound(world: &World, heap: &mut Heap, key: &str) -> Option<Term> {
    let atom = |word: &str| Term::atom(Atom::new(word));
    if let Some((flag, value)) = FLAGS.iter().find(|(flag, _)| *flag == key) {
        return Some(heap.make_tuple(&[atom(flag), Term::small(*value)]));
    }
    Some(match key {
        "alloc_util_allocators" => {
            let names = ALLOCATORS.map(atom);
            heap.make_list(&names)
        }
        "allocated_areas" => {
            let areas: Vec<Term> = AREAS
                .iter()
                .map(|area| heap.make_tuple(&[atom(area), Term::small(0)]))
                .collect();
            heap.make_list(&areas)
        }
        "taints" | "multi_scheduling_blockers" | "dist_ctrl" => Term::NIL,
        "garbage_collection" => {
            let flags = [("max_heap_size", 0)].into_iter().chain(FLAGS);
            let rows: Vec<Term> = flags
                .map(|(flag, value)| heap.make_tuple(&[atom(flag), Term::small(value)]))
                .collect();
            heap.make_list(&rows)
        }
        "scheduler_bindings" => heap.make_tuple(&[atom("unbound")]),
        "sequential_tracer" => heap.make_tuple(&[atom("sequential_tracer"), atom("false")]),
        "heap_sizes" => {
            let sizes: Vec<Term> = heap_sizes().into_iter().map(Term::small).collect();
            heap.make_list(&sizes)
        }
        "snifs" => {
            let natives: Vec<Term> = natives()
                .map(|(module, name, arity)| {
                    heap.make_tuple(&[atom(module), atom(name), Term::small(i64::from(arity))])
                })
                .collect();
            heap.make_list(&natives)
        }
        "procs" | "loaded" | "info" | "dist" => {
            let text = format!("=processes:{}\n=tables:{}\n", world.table.living(), world.tables.len());
            heap.make_binary(text.as_bytes())
        }
        _ => return None,
    })
}

/// The possible sizes of heaps in OTP 25, in words: like Fibonacci numbers, then growing by a fifth.
fn heap_sizes() -> Vec<i64> {
    let mut sizes = vec![12, 38];
    while let [.., before, last] = sizes[..]
        && last < 1 << 56
    {
        sizes.push(if last < 833_026 {
            before + last + 1
        } else {
            last + last / 5
        });
    }
    sizes
}

/// Functions that are not written in Erlang, without those that only the tool's own library calls.
fn natives() -> impl Iterator<Item = (&'static str, &'static str, u8)> {
    let pure = interpreter::natives::all()
        .iter()
        .flat_map(|table| table.iter())
        .map(|native| (native.module, native.name, native.arity));
    let others = super::NATIVES
        .iter()
        .map(|native| (native.module, native.name, native.arity));
    pure.chain(others).filter(|(_, name, _)| !name.starts_with('$'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn heaps_have_the_sizes_of_otp() {
        let sizes = super::heap_sizes();
        assert_eq!(sizes[..6], [12, 38, 51, 90, 142, 233]);
        assert!(
            sizes
                .windows(4)
                .any(|some| some == [833_026, 999_631, 1_199_557, 1_439_468])
        );
    }
}
