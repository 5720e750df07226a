//! The natives of the recorder against ours: a trace is replayed only where every native that the run used still means the same.

use interpreter::vm::Program;
use log_format::NativeVersion;
use rustc_hash::FxHashMap;
use system::recorder;

use crate::error::Error;

/// At most so many natives are named in a refusal.
const NAMED: usize = 5;

/// Natives whose meaning has changed, with the oldest version of which traces are replayed as they were recorded: by what the log holds, or because
/// the native asks for its version.
const OLDER: &[(&str, u16)] = &[
    ("code:ensure_loaded/1", 1),
    ("code:is_loaded/1", 1),
    ("erlang:$counter_add/4", 1),
    ("erlang:binary_to_term/2", 1),
    ("erlang:cancel_timer/2", 1),
    ("erlang:halt/2", 1),
    ("erlang:link/1", 1),
    ("erlang:memory/1", 1),
    ("erlang:module_loaded/1", 1),
    ("erlang:monitor/2", 1),
    ("erlang:monitor/3", 1),
    ("erlang:read_timer/2", 1),
    ("erlang:register/2", 1),
    ("erlang:send/3", 1),
    ("erlang:send_nosuspend/2", 1),
    ("erlang:send_nosuspend/3", 1),
    ("erlang:spawn_request/1", 1),
    ("erlang:spawn_request/2", 1),
    ("erlang:spawn_request/3", 1),
    ("erlang:spawn_request/4", 1),
    ("erlang:spawn_request/5", 1),
    ("erlang:whereis/1", 1),
    ("ets:info/2", 1),
    ("ets:insert/2", 1),
    ("ets:insert_new/2", 1),
    ("ets:last/1", 1),
    ("ets:match/1", 1),
    ("ets:match/3", 1),
    ("ets:match_object/1", 1),
    ("ets:match_object/3", 1),
    ("ets:new/2", 1),
    ("ets:next/2", 1),
    ("ets:prev/2", 1),
    ("ets:select/1", 1),
    ("ets:select/3", 1),
    ("ets:select_replace/2", 1),
    ("ets:update_counter/4", 1),
    ("os:getenv/1", 1),
    ("os:getenv/2", 1),
    ("os:putenv/2", 1),
    ("os:unsetenv/1", 1),
    ("erlang:universaltime_to_localtime/1", 1),
    ("erlang:localtime_to_universaltime/1", 1),
    ("erlang:localtime_to_universaltime/2", 1),
];

fn is_older(name: &str, then: Option<u16>) -> bool {
    OLDER.iter().any(|(older, from)| *older == name && then >= Some(*from))
}

/// Names in `program` stand for a native only where the recorder had one of that name; natives that the run used must have the version that
/// they had then. `recorded` is what the trace says; a trace without a list (made by hand, or by another recorder) says nothing.
///
/// # Errors
/// A native that was used has another version here, or is gone: the refusal names it.
pub fn agree(recorded: &log_format::Program, program: &mut Program) -> Result<(), Error> {
    if recorded.natives.is_empty() {
        return Ok(());
    }
    let ours: FxHashMap<String, u16> = by_name(&recorder::natives(program));
    let theirs = by_name(&recorded.natives);
    let used: Vec<&NativeVersion> = if recorded.used.is_empty() {
        // The recording did not come to its end: whatever could have been used must be the same.
        recorded.natives.iter().collect()
    } else {
        let known = |at: &u32| recorded.natives.get(*at as usize);
        recorded.used.iter().filter_map(known).collect()
    };
    let mut changed: Vec<String> = Vec::new();
    for native in used {
        let (name, then) = (&native.name, theirs.get(&native.name).copied());
        match ours.get(name).copied() {
            now if now == then => {}
            now if then < now && is_older(name, then) => {}
            Some(now) => changed.push(format!(
                "{} (version {now} here, {} in the trace)",
                crate::words::safe(name),
                native.version
            )),
            None => changed.push(format!(
                "{} (version {}, no longer here)",
                crate::words::safe(name),
                native.version
            )),
        }
    }
    if changed.is_empty() {
        for (name, _) in OLDER {
            if let Some(then) = theirs.get(*name)
                && ours.get(*name) != Some(then)
            {
                program.as_in_version(name, *then);
            }
        }
        program.keep_natives(|n| theirs.contains_key(&format!("{}:{}/{}", n.module, n.name, n.arity)));
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

/// Where two natives have one name, the later one is meant.
fn by_name(natives: &[NativeVersion]) -> FxHashMap<String, u16> {
    natives.iter().map(|n| (n.name.clone(), n.version)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        // A change of what was not used does not matter; where that is not known, it does.
        let mut other = same.clone();
        other.used = vec![other.natives.iter().position(|n| n.name == "erlang:self/0").unwrap() as u32];
        agree(&other, &mut Program::new(&[NATIVES])).unwrap();
        other.used.clear();
        agree(&other, &mut Program::new(&[NATIVES])).unwrap_err();
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
