//! Names of actions and processes, in a form that can be pasted.

use log_format::{Action, ActionId, Counts, Device, Kind, Node, Pid, Trace};

/// How many actions of the kinds that targets count a log has, up to some action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ActionTally {
    /// Actions, sends, receives.
    pub counts: Counts,
    /// `after` actions.
    pub timeouts: u64,
    /// `output` actions.
    pub outputs: u64,
}

impl ActionTally {
    /// Counts one more action.
    #[inline]
    pub fn add(&mut self, action: &Action) {
        self.counts.add(action);
        match action.kind {
            Kind::After => self.timeouts += 1,
            Kind::Output { .. } => self.outputs += 1,
            _ => {}
        }
    }
}

/// An action as a target. `tally` counts the log up to and including this action; `base` is the number of receives before the process.
#[must_use]
pub fn target(pid: Pid, action: &Action, tally: &ActionTally, base: u64) -> String {
    match &action.kind {
        Kind::Spawn { child, .. } => format!("spawn:{child}"),
        Kind::Send if action.sends == 1 => format!("sent:{pid}/{}", tally.counts.sends),
        Kind::Rec(_) => format!("rec:{}", base + tally.counts.receives),
        Kind::After => format!("timeout:{pid}/{}", tally.timeouts),
        Kind::Output { .. } => format!("output:{pid}/{}", tally.outputs),
        Kind::Signal { .. } => format!("signal:{pid}"),
        Kind::Exit { .. } => format!("exit:{pid}"),
        Kind::Halt { .. } => "halt".to_owned(),
        // Any other is named by its number.
        _ => ActionId::new(pid, tally.counts.actions).to_string(),
    }
}

/// The other process of an action, as far as the log knows it.
#[must_use]
pub fn peer(action: &Action) -> Option<Pid> {
    match &action.kind {
        Kind::Spawn { child, .. } | Kind::SpawnFailed { child, .. } => Some(*child),
        Kind::Observe {
            of: Some(ActionId { pid, .. }),
            ..
        } => Some(*pid),
        kind => kind.consumed().and_then(log_format::Tag::sender),
    }
}

/// The name of a node.
#[must_use]
pub fn node_name(trace: &Trace, node: Node) -> String {
    let nodes = trace.nodes().unwrap_or_default();
    nodes
        .get(usize::from(node.0))
        .map_or_else(|| format!("node {node}"), |name| crate::words::safe(name))
}

/// A device for people.
#[must_use]
pub fn device(trace: &Trace, device: Device) -> String {
    match device {
        Device::Stdout => "standard output".to_owned(),
        Device::Stderr => "standard error".to_owned(),
        Device::Other(id) => trace.text(id).map_or_else(|_| format!("text {id}"), crate::words::safe),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use log_format::{ExitClass, SendNo, Tag};

    #[test]
    fn actions_are_named_by_their_place_among_their_kind() {
        let p = Pid(7);
        let rec = Kind::Rec(Tag::Sent {
            by: Pid(1),
            k: SendNo(1),
        });
        let log = [
            (Action::new(Kind::Send), "sent:0.7.0/1"),
            (Action::new(rec.clone()), "rec:41"),
            (Action::new(Kind::After), "timeout:0.7.0/1"),
            (Action::new(Kind::Send).with_sends(2), "event:0.7.0/4"),
            (Action::new(rec), "rec:42"),
            (Action::new(Kind::After), "timeout:0.7.0/2"),
            (
                Action::new(Kind::Output {
                    device: Device::Stdout,
                    bytes: 3,
                }),
                "output:0.7.0/1",
            ),
            (Action::new(Kind::Send), "sent:0.7.0/4"),
            (
                Action::new(Kind::Spawn {
                    child: Pid(9),
                    node: None,
                }),
                "spawn:0.9.0",
            ),
            (Action::new(Kind::Access), "event:0.7.0/10"),
            (Action::new(Kind::Halt { code: 1 }), "halt"),
            (
                Action::new(Kind::Exit {
                    class: ExitClass::Error,
                }),
                "exit:0.7.0",
            ),
        ];
        let mut tally = ActionTally::default();
        for (action, expected) in log {
            tally.add(&action);
            assert_eq!(target(p, &action, &tally, 40), expected);
        }
    }
}
