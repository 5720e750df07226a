//! The options of `spawn_opt` and `spawn_request`.

use interpreter::atom::Atom;
use interpreter::newer::Newer;
use interpreter::term::Term;
use syntax::Release;

use crate::ops::badopt;
use crate::state::flags::Flags;
use crate::state::process::Process;
use crate::state::rare::AliasMode;
use crate::step::Interrupt;

/// The options of a spawn.
#[derive(Default)]
pub(crate) struct SpawnOptions {
    pub link: bool,
    pub monitor: bool,
    /// The exit signal of the link, or the message of the monitor, is a priority message.
    pub urgent: [bool; 2],
    /// `spawn_monitor`: a fun with arguments is refused at once.
    pub fun_of_no_arguments: bool,
    /// The options of the 'DOWN' message.
    pub tag: Option<interpreter::heap::Fragment>,
    pub alias: Option<AliasMode>,
    /// `spawn_request`: which replies are wanted, and the first element of the reply.
    pub request: Option<(Replies, Option<interpreter::heap::Fragment>)>,
    /// The options in the form of OTP's warning about a failed spawn.
    pub shown: String,
    /// The initial flags of the new process.
    pub flags: Flags,
}

/// Which replies of `spawn_request` are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replies {
    All,
    None,
    Errors,
    Successes,
}

/// The options of `spawn_opt` and, with `request`, of `spawn_request`.
pub(crate) fn spawn_options(
    p: &mut Process,
    list: Term,
    request: bool,
    release: Release,
) -> Result<SpawnOptions, Interrupt> {
    let heap = &mut p.machine.heap;
    let priority_messages = Newer::PriorityMessages.is_in(release);
    let mut options = SpawnOptions::default();
    let mut replies = Replies::All;
    let mut reply_tag = None;
    for option in heap.list(list).ok_or_else(badopt)? {
        if let Some(word) = option.as_atom() {
            match word.as_str() {
                "link" => options.link = true,
                "monitor" => options.monitor = true,
                _ => return Err(badopt()),
            }
            continue;
        }
        let Some(&[key, value]) = heap.tuple(option) else {
            return Err(badopt());
        };
        match (key.as_atom().map(Atom::as_str), value.as_atom().map(Atom::as_str)) {
            (Some("monitor"), _) => {
                options.monitor = true;
                for detail in heap.list(value).ok_or_else(badopt)? {
                    if priority_messages && detail.as_atom() == Some(Atom::new("priority")) {
                        options.urgent[1] = true;
                        continue;
                    }
                    let Some(&[key, value]) = heap.tuple(detail) else {
                        return Err(badopt());
                    };
                    match (key.as_atom().map(Atom::as_str), value.as_atom().map(Atom::as_str)) {
                        (Some("tag"), _) => options.tag = Some(heap.export(value)),
                        (Some("alias"), Some("explicit_unalias")) => options.alias = Some(AliasMode::Explicit),
                        (Some("alias"), Some("demonitor")) => options.alias = Some(AliasMode::Demonitor),
                        (Some("alias"), Some("reply_demonitor")) => options.alias = Some(AliasMode::ReplyDemonitor),
                        _ => return Err(badopt()),
                    }
                }
            }
            (Some("link"), _) if priority_messages => {
                options.link = true;
                for detail in heap.list(value).ok_or_else(badopt)? {
                    if detail.as_atom() != Some(Atom::new("priority")) {
                        return Err(badopt());
                    }
                    options.urgent[0] = true;
                }
            }
            (
                Some(
                    flag @ ("priority" | "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" | "max_heap_size"
                    | "message_queue_data" | "scheduler" | "async_dist"),
                ),
                _,
            ) => {
                options.flags.set(heap, flag, value, release).ok_or_else(badopt)?;
            }
            (Some("reply"), Some(which)) if request => {
                replies = match which {
                    "yes" => Replies::All,
                    "no" => Replies::None,
                    "error_only" => Replies::Errors,
                    "success_only" => Replies::Successes,
                    _ => return Err(badopt()),
                };
            }
            (Some("reply_tag"), _) if request => reply_tag = Some(heap.export(value)),
            _ => return Err(badopt()),
        }
    }
    if request {
        options.request = Some((replies, reply_tag));
    }
    Ok(options)
}
