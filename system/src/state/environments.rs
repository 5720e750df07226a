//! The environment variables of the nodes that the program has started.

use std::collections::BTreeMap;

/// The variables of the nodes that the program has started, as far as they differ from those outside.
#[derive(Clone, Debug, Default)]
pub struct Environments {
    pub(crate) nodes: BTreeMap<u16, Environment>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// `None`: not set.
    pub(crate) changed: BTreeMap<String, Option<String>>,
    /// The time zone, as `TZ` said when the node began. None: that of the machine.
    pub(crate) zone: Option<String>,
}

impl Environments {
    /// A node begins. `given`: what it was started with.
    pub(crate) fn begins(&mut self, node: u16, from: u16, given: Vec<(String, Option<String>)>) {
        let mut environment = self.nodes.get(&from).cloned().unwrap_or_default();
        environment.changed.extend(given);
        environment.zone = environment.changed.get("TZ").cloned().flatten();
        self.nodes.insert(node, environment);
    }

    /// The time zone of a node, unless it is the machine's.
    pub(crate) fn zone(&self, node: u16) -> Option<&str> {
        self.nodes.get(&node)?.zone.as_deref()
    }

    pub(crate) fn changed(&self, node: u16) -> Option<&BTreeMap<String, Option<String>>> {
        self.nodes.get(&node).map(|environment| &environment.changed)
    }
}
