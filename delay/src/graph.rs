//! A graph whose longest paths are times. It knows nothing of programs.

/// A node.
pub type Node = u32;

/// An edge: `to` comes at least `ms` milliseconds after `from`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// What comes first.
    pub from: Node,
    /// What comes later.
    pub to: Node,
    /// How much later, at least.
    pub ms: u64,
    /// Does it make `to` possible? Otherwise `to` could have come without it, and was held up.
    pub enables: bool,
}

/// The edges of a run.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Node,
    edges: Vec<Edge>,
}

/// When everything came.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// The longest path to each node.
    pub time: Vec<u64>,
    /// The longest path whose last edge makes the node possible.
    pub ready: Vec<u64>,
    /// For a node that was held up: the node that it had to wait for.
    pub by: Vec<Option<Node>>,
}

/// The edges form a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// Its edges, each by its place in the order in which they were added.
    pub edges: Vec<usize>,
}

impl Graph {
    /// Adds a node.
    pub const fn node(&mut self) -> Node {
        self.nodes += 1;
        self.nodes - 1
    }

    /// Adds so many nodes; returns the first.
    pub const fn add(&mut self, count: u32) -> Node {
        let first = self.nodes;
        self.nodes += count;
        first
    }

    /// Adds an edge.
    pub fn edge(&mut self, from: Node, to: Node, ms: u64, enables: bool) {
        if from != to {
            self.edges.push(Edge { from, to, ms, enables });
        }
    }

    /// The edge that was added at this place.
    #[must_use]
    pub fn edge_at(&self, place: usize) -> Option<Edge> {
        self.edges.get(place).copied()
    }

    /// How many edges there are.
    #[must_use]
    pub const fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Drops all edges and nodes that came after these.
    pub fn cut_back(&mut self, nodes: Node, edges: usize) {
        self.nodes = nodes;
        self.edges.truncate(edges);
    }

    /// The number of nodes.
    #[must_use]
    pub const fn nodes(&self) -> Node {
        self.nodes
    }

    /// Is there a path? The cost is linear in nodes and edges.
    #[must_use]
    pub fn reaches(&self, from: Node, to: Node) -> bool {
        let mut after: Vec<Vec<Node>> = vec![Vec::new(); self.nodes as usize];
        for edge in &self.edges {
            after[edge.from as usize].push(edge.to);
        }
        let mut seen = vec![false; self.nodes as usize];
        let mut next = vec![from];
        while let Some(node) = next.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node as usize], true) {
                next.extend(&after[node as usize]);
            }
        }
        false
    }

    /// The longest paths. The cost is linear in nodes and edges.
    ///
    /// # Errors
    /// The edges form a cycle.
    pub fn solve(&self) -> Result<Times, Cycle> {
        let n = self.nodes as usize;
        // The edges by their first nodes, packed.
        let mut starts = vec![0_u32; n + 1];
        let mut before = vec![0_u32; n];
        for edge in &self.edges {
            starts[edge.from as usize + 1] += 1;
            before[edge.to as usize] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut fill = starts.clone();
        let mut packed = vec![0_u32; self.edges.len()];
        for (place, edge) in (0_u32..).zip(&self.edges) {
            let at = &mut fill[edge.from as usize];
            packed[*at as usize] = place;
            *at += 1;
        }
        let mut times = Times {
            time: vec![0; n],
            ready: vec![0; n],
            by: vec![None; n],
        };
        let mut free: Vec<Node> = (0..self.nodes).filter(|node| before[*node as usize] == 0).collect();
        let mut done = 0;
        while let Some(node) = free.pop() {
            done += 1;
            let at = node as usize;
            for place in &packed[starts[at] as usize..starts[at + 1] as usize] {
                let edge = self.edges[*place as usize];
                let to = edge.to as usize;
                let then = times.time[at].saturating_add(edge.ms);
                if edge.enables {
                    times.ready[to] = times.ready[to].max(then);
                }
                if then > times.time[to] {
                    times.time[to] = then;
                    times.by[to] = Some(node);
                }
                before[to] -= 1;
                if before[to] == 0 {
                    free.push(edge.to);
                }
            }
        }
        if done < n {
            return Err(self.cycle(&before));
        }
        Ok(times)
    }

    /// A cycle among the nodes that still wait for others.
    fn cycle(&self, waits: &[u32]) -> Cycle {
        // Each of them waits for another one of them.
        let mut into: Vec<Option<usize>> = vec![None; waits.len()];
        for (place, edge) in self.edges.iter().enumerate() {
            if waits[edge.from as usize] > 0 && waits[edge.to as usize] > 0 {
                into[edge.to as usize] = Some(place);
            }
        }
        let mut at = waits.iter().position(|n| *n > 0);
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut seen = vec![false; waits.len()];
        while let Some(node) = at {
            if std::mem::replace(&mut seen[node], true) {
                let start = path.iter().position(|(known, _)| *known == node).unwrap_or(0);
                let edges = path[start..].iter().map(|(_, place)| *place).collect();
                return Cycle { edges };
            }
            at = into[node].map(|place| {
                path.push((node, place));
                self.edges[place].from as usize
            });
        }
        Cycle { edges: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_had_to_wait_for_an_edge_that_does_not_enable_was_held_up() {
        // A timeout of 500 ms came before a message that was sent at 0.
        let mut graph = Graph::default();
        let [start, timeout, sent, arrival] = [graph.node(), graph.node(), graph.node(), graph.node()];
        graph.edge(start, timeout, 500, true);
        graph.edge(start, sent, 0, true);
        graph.edge(sent, arrival, 0, true);
        graph.edge(timeout, arrival, 0, false);
        let times = graph.solve().unwrap_or_default();
        assert_eq!(times.time, [0, 500, 0, 500]);
        assert_eq!(times.ready, [0, 500, 0, 0]);
        assert_eq!(times.by[arrival as usize], Some(timeout));
    }

    #[test]
    fn a_cycle_is_impossible() {
        let mut graph = Graph::default();
        let [a, b, c] = [graph.node(), graph.node(), graph.node()];
        graph.edge(a, b, 0, true);
        graph.edge(b, c, 0, false);
        graph.edge(c, b, 0, true);
        let found = graph.solve().err().map(|cycle| cycle.edges);
        assert!(found == Some(vec![1, 2]) || found == Some(vec![2, 1]), "{found:?}");
        graph.cut_back(3, 2);
        assert!(graph.solve().is_ok());
    }
}
