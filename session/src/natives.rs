//! Compares the recorder's natives with ours: a trace is replayed only if every native that the run used still has the same meaning.

use interpreter::native::RETIRED;
use interpreter::vm::Program;
use log_format::NativeVersion;
use rustc_hash::FxHashMap;
use system::recorder;

use crate::error::Error;

/// Limit: natives that an error lists.
const NAMED: usize = 5;

/// A native whose meaning has changed (`module:function/arity`), and the oldest version that this tool can still execute.
type Older = (&'static str, u16);

/// A native in this list that is not retired calls `Native::version` to find out which of its versions the trace was recorded with.
/// `code:ensure_loaded/1` was a native until it had to run `-on_load`, and nodes had no environment of their own.
/// Whether a module is loaded, and what it says of itself, were no observations. Tokens were not those of a release.
const OLDER: &[Older] = &[
    ("code:ensure_loaded/1", 1),
    ("erlang:$node_start/1", 1),
    ("erlang:module_loaded/1", 1),
    ("code:is_loaded/1", 1),
    ("erlang:get_module_info/1", 1),
    ("erlang:get_module_info/2", 1),
    ("erlang:is_builtin/3", 1),
    ("erl_parse:parse_exprs/1", 1),
    ("erl_parse:$form/1", 1),
    ("erl_scan:$string/3", 1),
    ("erl_scan:$pieces/3", 1),
];

/// Natives that compiled code calls, and that no source names. The code is compiled anew for a replay, so they are there for every trace.
const OF_COMPILER: &[&str] = &["maps:$pairs/1"];

/// Removes natives from `program` that the recorder did not have, and sets the recorded versions of those that the run used. `recorded` is what
/// the trace says; a trace without a list (made by hand, or by another recorder) says nothing.
///
/// # Errors
/// A native that was used has another version here, or is missing; the error names it.
pub fn agree(recorded: &log_format::Program, program: &mut Program) -> Result<(), Error> {
    agree_with(recorded, program, OLDER)
}

fn agree_with(recorded: &log_format::Program, program: &mut Program, older: &[Older]) -> Result<(), Error> {
    if recorded.natives.is_empty() {
        return Ok(());
    }
    let ours: FxHashMap<String, u16> = by_name(&recorder::natives(program));
    let theirs = by_name(&recorded.natives);
    let used: Vec<&NativeVersion> = if recorded.used.is_empty() {
        // The recording did not end normally: everything that could have been used must be the same.
        recorded.natives.iter().collect()
    } else {
        let known = |at: &u32| recorded.natives.get(*at as usize);
        recorded.used.iter().filter_map(known).collect()
    };
    let is_older = |name: &str, then| older.iter().any(|(known, from)| *known == name && then >= Some(*from));
    let mut changed: Vec<String> = Vec::new();
    for native in used {
        let (name, then) = (&native.name, theirs.get(&native.name).copied());
        match ours.get(name).copied() {
            now if now == then => {}
            now if (then < now || now == Some(RETIRED)) && is_older(name, then) => {}
            Some(RETIRED) | None => changed.push(format!(
                "{} (version {}, no longer here)",
                crate::words::safe(name),
                native.version
            )),
            Some(now) => changed.push(format!(
                "{} (version {now} here, {} in the trace)",
                crate::words::safe(name),
                native.version
            )),
        }
    }
    if changed.is_empty() {
        for (name, _) in older {
            if let Some(then) = theirs.get(*name)
                && ours.get(*name) != Some(then)
            {
                program.as_in_version(name, *then);
            }
        }
        program.keep_natives(|n| {
            let name = format!("{}:{}/{}", n.module, n.name, n.arity);
            theirs.contains_key(&name) || OF_COMPILER.contains(&&*name)
        });
        return Ok(());
    }
    let more = match changed.len().saturating_sub(NAMED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    changed.truncate(NAMED);
    Err(Error::Program(format!(
        "the run used natives that work differently in this version of the tool: {}{more}; replay it with the tool that recorded it \
         (`replay info` names it), or record again",
        changed.join(", ")
    )))
}

/// If two natives have one name, the later one counts.
fn by_name(natives: &[NativeVersion]) -> FxHashMap<String, u16> {
    natives.iter().map(|n| (n.name.clone(), n.version)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use interpreter::native::Native;
    use system::natives::NATIVES;

    fn recorded(used: &[&str]) -> log_format::Program {
        let natives = recorder::natives(&Program::new(&[NATIVES]));
        let place = |name: &&str| natives.iter().rposition(|n| n.name == **name).unwrap() as u32;
        let used = used.iter().map(place).collect();
        log_format::Program {
            sources: Vec::new(),
            natives,
            used,
        }
    }

    #[test]
    fn what_is_used_must_be_the_same() {
        let mut same = recorded(&["erlang:send/2", "erlang:self/0"]);
        agree(&same, &mut Program::new(&[NATIVES])).unwrap();
        for native in same.natives.iter_mut().filter(|n| n.name == "erlang:send/2") {
            native.version += 1;
        }
        let refused = agree(&same, &mut Program::new(&[NATIVES])).unwrap_err().to_string();
        assert!(refused.contains("erlang:send/2 (version"), "{refused}");
        assert!(!refused.contains("self/0"), "{refused}");
        // A change of an unused native does not matter; if it is unknown whether it was used, it does.
        let mut other = same.clone();
        other.used = vec![other.natives.iter().position(|n| n.name == "erlang:self/0").unwrap() as u32];
        agree(&other, &mut Program::new(&[NATIVES])).unwrap();
        other.used.clear();
        agree(&other, &mut Program::new(&[NATIVES])).unwrap_err();
    }

    /// As if `erlang:whereis/1` were at its third version here, and the second could still be executed.
    #[test]
    fn an_older_version_that_is_still_carried_out_is_what_the_program_gets() {
        let third = |native: &Native| Native {
            version: if native.name == "whereis" && native.module == "erlang" {
                3
            } else {
                native.version
            },
            ..*native
        };
        let natives: &'static [Native] = NATIVES.iter().map(third).collect::<Vec<_>>().leak();
        let version = |program: &Program| {
            let of = |n: &&Native| (n.module, n.name, n.arity) == ("erlang", "whereis", 1);
            program.natives().find(of).map(|native| native.version)
        };
        let older: &[Older] = &[("erlang:whereis/1", 2)];
        for (then, accepted) in [(1, false), (2, true), (3, true), (4, false)] {
            let mut recorded = recorded(&["erlang:whereis/1"]);
            for native in recorded.natives.iter_mut().filter(|n| n.name == "erlang:whereis/1") {
                native.version = then;
            }
            let mut program = Program::new(&[natives]);
            assert_eq!(version(&program), Some(3));
            assert_eq!(
                agree_with(&recorded, &mut program, older).is_ok(),
                accepted,
                "version {then}"
            );
            assert_eq!(
                version(&program),
                Some(if accepted { then } else { 3 }),
                "version {then}"
            );
        }
    }

    /// A program of an older trace finds it, and no other program does.
    #[test]
    fn a_retired_native_is_there_for_older_traces_only() {
        let name = ["code", "ensure_loaded"].map(interpreter::atom::Atom::new);
        for (then, is_there) in [(RETIRED, false), (1, true)] {
            let mut recorded = recorded(&["erlang:self/0", "code:ensure_loaded/1"]);
            for native in recorded.natives.iter_mut().filter(|n| n.name == "code:ensure_loaded/1") {
                native.version = then;
            }
            let mut program = Program::new(&[NATIVES]);
            agree(&recorded, &mut program).unwrap();
            use interpreter::native::CodeInfo;
            assert_eq!(program.is_native(name[0], name[1], 1), is_there, "version {then}");
        }
    }

    /// A trace whose recorder compiled generators of maps otherwise.
    #[test]
    fn what_compiled_code_calls_is_there_for_every_trace() {
        let mut fewer = recorded(&["erlang:self/0"]);
        fewer.natives.retain(|n| !OF_COMPILER.contains(&&*n.name));
        fewer.used = vec![0];
        let mut program = Program::new(&[NATIVES]);
        agree(&fewer, &mut program).unwrap();
        use interpreter::native::CodeInfo;
        let name = ["maps", "$pairs"].map(interpreter::atom::Atom::new);
        assert!(program.is_native(name[0], name[1], 1));
    }

    #[test]
    fn a_native_that_is_gone_is_named() {
        let mut gone = recorded(&["erlang:self/0"]);
        gone.used.push(gone.natives.len() as u32);
        gone.natives.push(NativeVersion {
            name: "gone:away/3".to_owned(),
            version: 7,
        });
        let refused = agree(&gone, &mut Program::new(&[NATIVES])).unwrap_err().to_string();
        assert!(refused.contains("gone:away/3 (version 7, no longer here)"), "{refused}");
    }

    #[test]
    fn natives_that_the_recorder_did_not_have_do_not_hide_functions() {
        let mut fewer = recorded(&["erlang:self/0"]);
        fewer.natives.retain(|n| n.name != "lists:reverse/2");
        let mut program = Program::new(&[NATIVES]);
        let name = ["lists", "reverse"].map(interpreter::atom::Atom::new);
        let has = |program: &Program| {
            use interpreter::native::CodeInfo;
            program.is_native(name[0], name[1], 2)
        };
        assert!(has(&program));
        fewer.used.clear();
        agree(&fewer, &mut program).unwrap();
        assert!(!has(&program));
    }
}
