//! Questions to a graph of universes.

use super::{Edge, Map};

/// A set of groups of endings.
type Set = Vec<u64>;

/// A graph, with what answers need.
pub struct AskedGraph<'m> {
    /// The graph.
    pub map: &'m Map,
    /// For each state: how many paths lead from it to ends.
    paths: Vec<u64>,
    /// And how many lead to it.
    ways: Vec<u64>,
    /// And which groups of endings are possible.
    possible: Vec<Set>,
    /// The group of each ending.
    classes: Vec<u32>,
    groups: u32,
}

/// The universes that end alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// The number of the group.
    pub group: u32,
    /// One of its endings.
    pub ending: u32,
    /// How many universes.
    pub universes: u64,
    /// How many different endings.
    pub endings: u32,
    /// In how many states.
    pub states: u32,
    /// The fewest choices.
    pub choices: u32,
    /// The fewest actions.
    pub actions: u64,
}

/// A way from the first choice to an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WayToEnd {
    /// Its choices.
    pub edges: Vec<Edge>,
    /// The number of the universe, from 1.
    pub universe: u64,
}

/// A choice on a way, and how many universes go on from there, before it and after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WayTurn {
    /// The choice.
    pub edge: Edge,
    /// Before it: universes that end as asked, and all.
    pub before: (u64, u64),
    /// After it.
    pub after: (u64, u64),
    /// Is there another choice at this place that prevents it?
    pub can_prevent: bool,
}

/// Where it is decided that universes end in some way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decisive {
    /// The shortest way there, choice by choice.
    pub way: WayToEnd,
    /// The choices of the way.
    pub turns: Vec<WayTurn>,
    /// The first choice of the way where there is another one that prevents it.
    pub first: Option<usize>,
    /// The choice of the way after which it is unavoidable. `None`: it is from the start, or is not before the end.
    pub last: Option<usize>,
    /// Is it unavoidable from the start?
    pub always: bool,
    /// All choices of the graph after which it is unavoidable and before which it is not, each with the number of universes that go through it.
    pub all: Vec<(Edge, u64)>,
}

fn add(set: &mut Set, other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
}

impl<'m> AskedGraph<'m> {
    /// Looks at a graph.
    #[must_use]
    pub fn of(map: &'m Map) -> Self {
        Self::grouped(map, map.endings.iter().map(|ending| ending.group).collect())
    }

    /// The same, with other groups of endings. `classes`: the group of each.
    #[must_use]
    pub fn grouped(map: &'m Map, classes: Vec<u32>) -> Self {
        let groups = classes.iter().copied().max().unwrap_or(0);
        let words = groups as usize / 64 + 1;
        let states = map.states();
        let (mut paths, mut ways) = (vec![0_u64; states], vec![0_u64; states]);
        let mut possible: Vec<Set> = vec![vec![0; words]; states];
        let put = |set: &mut Set, ending: u32| {
            let group = classes.get(ending as usize).copied().unwrap_or(0);
            set[group as usize / 64] |= 1 << (group % 64);
        };
        for (state, ending) in &map.open {
            put(&mut possible[*state as usize], *ending);
        }
        for state in (0..states).rev() {
            if let Some(ending) = map.ends[state] {
                paths[state] = 1;
                put(&mut possible[state], ending);
            }
            for edge in map.edges_of(state as u32) {
                paths[state] = paths[state].saturating_add(paths[edge.to as usize]);
                let other = std::mem::take(&mut possible[edge.to as usize]);
                add(&mut possible[state], &other);
                possible[edge.to as usize] = other;
            }
        }
        if let Some(first) = ways.first_mut() {
            *first = 1;
        }
        for edge in &map.edges {
            ways[edge.to as usize] = ways[edge.to as usize].saturating_add(ways[edge.from as usize]);
        }
        Self {
            map,
            paths,
            ways,
            possible,
            classes,
            groups,
        }
    }

    /// How many universes go through a state.
    #[must_use]
    pub fn through(&self, state: u32) -> u64 {
        self.ways[state as usize].saturating_mul(self.paths[state as usize])
    }

    /// How many go through a choice.
    #[must_use]
    pub fn through_edge(&self, edge: Edge) -> u64 {
        self.ways[edge.from as usize].saturating_mul(self.paths[edge.to as usize])
    }

    /// How many universes go on from a state.
    #[must_use]
    pub fn from(&self, state: u32) -> u64 {
        self.paths[state as usize]
    }

    /// Is this group possible from a state?
    #[must_use]
    pub fn is_possible(&self, state: u32, group: u32) -> bool {
        self.possible[state as usize][group as usize / 64] >> (group % 64) & 1 == 1
    }

    /// Is it certain?
    #[must_use]
    pub fn is_certain(&self, state: u32, group: u32) -> bool {
        let set = &self.possible[state as usize];
        self.is_possible(state, group) && set.iter().map(|word| word.count_ones()).sum::<u32>() == 1
    }

    /// The groups that are possible from a state.
    #[must_use]
    pub fn groups_from(&self, state: u32) -> Vec<u32> {
        (0..=self.groups)
            .filter(|group| self.is_possible(state, *group))
            .collect()
    }

    fn group_of(&self, state: u32) -> Option<u32> {
        let ending = self.map.ends[state as usize]?;
        self.classes.get(ending as usize).copied()
    }

    /// For each state, how many paths lead to ends of a group.
    fn paths_to(&self, group: u32) -> Vec<u64> {
        let mut paths = vec![0_u64; self.map.states()];
        for state in (0..self.map.states() as u32).rev() {
            let own = u64::from(self.group_of(state) == Some(group));
            let edges = self.map.edges_of(state).iter();
            paths[state as usize] = edges.fold(own, |sum, edge| sum.saturating_add(paths[edge.to as usize]));
        }
        paths
    }

    /// For each state, the fewest choices to an end of a group, without going through a state.
    fn distances(&self, group: u32, without: Option<u32>) -> Vec<Option<u32>> {
        let mut far = vec![None; self.map.states()];
        for state in (0..self.map.states() as u32).rev() {
            if Some(state) == without {
                continue;
            }
            if self.group_of(state) == Some(group) {
                far[state as usize] = Some(0);
                continue;
            }
            let next = self.map.edges_of(state).iter().filter_map(|edge| far[edge.to as usize]);
            far[state as usize] = next.min().map(|far: u32| far + 1);
        }
        far
    }

    /// The ends by group, failures first, then the most frequent.
    #[must_use]
    pub fn ends(&self) -> Vec<Ends> {
        let mut all: std::collections::BTreeMap<u32, (Ends, std::collections::BTreeSet<u32>)> =
            std::collections::BTreeMap::new();
        for length in &self.map.lengths {
            let Some(ending) = self.map.ends[length.end as usize] else {
                continue;
            };
            let group = self.classes[ending as usize];
            let (ends, endings) = all.entry(group).or_insert_with(|| {
                let none = Ends {
                    group,
                    ending,
                    universes: 0,
                    endings: 0,
                    states: 0,
                    choices: 0,
                    actions: u64::MAX,
                };
                (none, std::collections::BTreeSet::new())
            });
            ends.universes += length.universes;
            ends.actions = ends.actions.min(length.actions);
            endings.insert(ending);
        }
        for state in 0..self.map.states() as u32 {
            if let Some((ends, _)) = self.group_of(state).and_then(|group| all.get_mut(&group)) {
                ends.states += 1;
            }
        }
        let mut ends: Vec<Ends> = all
            .into_values()
            .map(|(ends, endings)| Ends {
                endings: endings.len() as u32,
                choices: self.distances(ends.group, None).first().copied().flatten().unwrap_or(0),
                ending: endings.first().copied().unwrap_or(ends.ending),
                ..ends
            })
            .collect();
        ends.sort_by_key(|ends| ends.group);
        ends
    }

    /// The shortest way to an end of a group, without going through a state.
    #[must_use]
    pub fn way(&self, group: u32, without: Option<u32>) -> Option<WayToEnd> {
        let far = self.distances(group, without);
        let mut state = 0;
        let mut edges = Vec::new();
        let mut left = (*far.first()?)?;
        while left > 0 {
            left -= 1;
            let next = self
                .map
                .edges_of(state)
                .iter()
                .find(|edge| far[edge.to as usize] == Some(left));
            let next = *next?;
            edges.push(next);
            state = next.to;
        }
        let universe = self.number(&edges);
        Some(WayToEnd { edges, universe })
    }

    /// The choices to a state, as few as possible.
    #[must_use]
    pub fn to_state(&self, state: u32) -> Vec<Edge> {
        let depths = self.map.depths();
        let mut edges = Vec::new();
        let mut at = state;
        while at != 0 {
            let before = |edge: &&Edge| edge.to == at && depths[edge.from as usize] < depths[at as usize];
            let Some(edge) = self
                .map
                .edges
                .iter()
                .filter(before)
                .min_by_key(|edge| depths[edge.from as usize])
            else {
                break;
            };
            edges.push(*edge);
            at = edge.from;
        }
        edges.reverse();
        edges
    }

    /// The number of the universe that goes this way: its place among all paths.
    fn number(&self, edges: &[Edge]) -> u64 {
        let before = edges.iter().map(|edge| {
            let others = self.map.edges_of(edge.from).iter();
            let others = others.take_while(|other| *other != edge);
            others.map(|other| self.paths[other.to as usize]).sum::<u64>()
        });
        before.sum::<u64>() + 1
    }

    /// The way of the universe with this number.
    #[must_use]
    pub fn universe(&self, number: u64) -> Option<WayToEnd> {
        let mut left = number.checked_sub(1)?;
        let mut state = 0;
        if left >= *self.paths.first()? {
            return None;
        }
        let mut edges = Vec::new();
        while self.map.ends[state as usize].is_none() {
            let next = self.map.edges_of(state).iter().find(|edge| {
                let here = self.paths[edge.to as usize];
                let is_it = left < here;
                if !is_it {
                    left -= here;
                }
                is_it
            });
            let next = *next?;
            edges.push(next);
            state = next.to;
        }
        Some(WayToEnd {
            edges,
            universe: number,
        })
    }

    /// Where it is decided that universes end in this group. `None`: none does.
    #[must_use]
    pub fn decisive(&self, group: u32) -> Option<Decisive> {
        let way = self.way(group, None)?;
        let to = self.paths_to(group);
        let count = |state: u32| (to[state as usize], self.paths[state as usize]);
        let turn = |edge: &Edge| WayTurn {
            edge: *edge,
            before: count(edge.from),
            after: count(edge.to),
            can_prevent: self
                .map
                .edges_of(edge.from)
                .iter()
                .any(|other| !self.is_possible(other.to, group)),
        };
        let turns: Vec<WayTurn> = way.edges.iter().map(turn).collect();
        let decides = |edge: &Edge| self.is_certain(edge.to, group) && !self.is_certain(edge.from, group);
        let all = self.map.edges.iter().filter(|edge| decides(edge));
        let mut all: Vec<(Edge, u64)> = all.map(|edge| (*edge, self.through_edge(*edge))).collect();
        all.sort_by_key(|(_, universes)| std::cmp::Reverse(*universes));
        Some(Decisive {
            first: turns.iter().position(|turn| turn.can_prevent),
            last: way.edges.iter().position(decides),
            always: self.is_certain(0, group),
            turns,
            way,
            all,
        })
    }

    /// The other choices at the same place after which this group is not possible; if there is none, those after which it is not certain.
    #[must_use]
    pub fn instead(&self, edge: Edge, group: u32) -> Vec<Edge> {
        let others = self.map.edges_of(edge.from).iter().copied();
        let (prevent, allow): (Vec<Edge>, Vec<Edge>) = others
            .filter(|other| *other != edge && !self.is_certain(other.to, group))
            .partition(|other| !self.is_possible(other.to, group));
        if prevent.is_empty() { allow } else { prevent }
    }

    /// Where two universes part: how many choices they share.
    #[must_use]
    pub fn shared(one: &WayToEnd, other: &WayToEnd) -> usize {
        one.edges
            .iter()
            .zip(&other.edges)
            .take_while(|(one, other)| one == other)
            .count()
    }

    /// How many universes of each group go through a state, and how many do not.
    #[must_use]
    pub fn around(&self, state: u32) -> Vec<(u32, u64, u64)> {
        let ends = self.ends();
        let around = ends.iter().map(|ends| {
            let through = self.ways[state as usize].saturating_mul(self.paths_to(ends.group)[state as usize]);
            (ends.group, through, ends.universes.saturating_sub(through))
        });
        around.collect()
    }
}
