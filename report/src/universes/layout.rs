//! Where nodes and edges of a small graph are drawn: in layers, by the longest way from the first node (Sugiyama's method, in its simplest form).

use std::collections::BTreeMap;

/// Pixels: a node, its lines, the space between.
pub(super) const WIDTH: i64 = 250;
pub(super) const LINE: i64 = 17;
const PADDING: i64 = 10;
const APART: i64 = 36;
const BETWEEN: i64 = 96;
/// How wide an edge is that goes past a layer.
const PASSING: i64 = 30;
/// How often the order in the layers is improved.
const SWEEPS: usize = 6;

/// Where a node is.
pub(super) struct NodePlace {
    pub x: i64,
    pub y: i64,
    pub height: i64,
}

/// A drawing.
pub(super) struct Drawn {
    pub width: i64,
    pub height: i64,
    pub places: Vec<NodePlace>,
    /// A path for each edge.
    pub lines: Vec<String>,
    /// Where the label of each edge is.
    pub labels: Vec<(i64, i64)>,
}

/// Where the first line of a node stands.
pub(super) const fn first_line() -> i64 {
    PADDING + 12
}

/// `sizes`: the lines of each node.
pub(super) fn layout(sizes: &[usize], edges: &[(usize, usize)]) -> Drawn {
    let layers = layers(sizes.len(), edges);
    let mut grid = Grid::new(edges, &layers);
    for sweep in 0..SWEEPS {
        grid.improve(sweep % 2 == 0);
    }
    grid.draw(sizes, edges)
}

/// The layer of each node. An edge that leads back is ignored.
fn layers(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0; nodes];
    // A graph without circles is done after as many rounds as it has nodes.
    for _ in 0..nodes.min(200) {
        let mut changed = false;
        for (from, to) in edges.iter().filter(|(from, to)| from < to) {
            if layer[*to] <= layer[*from] {
                layer[*to] = layer[*from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    layer
}

/// A node, or a place where an edge goes past a layer.
struct Spot {
    node: Option<usize>,
    layer: usize,
    up: Vec<usize>,
    down: Vec<usize>,
}

struct Grid {
    spots: Vec<Spot>,
    /// The spots of each layer, from left to right.
    rows: Vec<Vec<usize>>,
    /// The spots that each edge goes through.
    ways: Vec<Vec<usize>>,
}

impl Grid {
    fn new(edges: &[(usize, usize)], layers: &[usize]) -> Self {
        let last = layers.iter().copied().max().unwrap_or(0);
        let mut grid = Self {
            spots: Vec::new(),
            rows: vec![Vec::new(); last + 1],
            ways: Vec::new(),
        };
        for (node, layer) in layers.iter().enumerate() {
            grid.put(Some(node), *layer);
        }
        for (from, to) in edges {
            let mut way = vec![*from];
            if layers[*from] < layers[*to] {
                for layer in layers[*from] + 1..layers[*to] {
                    way.push(grid.put(None, layer));
                }
            }
            way.push(*to);
            for pair in way
                .windows(2)
                .filter(|pair| grid.spots[pair[0]].layer < grid.spots[pair[1]].layer)
                .map(<[usize]>::to_vec)
                .collect::<Vec<_>>()
            {
                grid.spots[pair[0]].down.push(pair[1]);
                grid.spots[pair[1]].up.push(pair[0]);
            }
            grid.ways.push(way);
        }
        grid
    }

    fn put(&mut self, node: Option<usize>, layer: usize) -> usize {
        let spot = self.spots.len();
        self.spots.push(Spot {
            node,
            layer,
            up: Vec::new(),
            down: Vec::new(),
        });
        self.rows[layer].push(spot);
        spot
    }

    /// Orders each layer by where its neighbours are.
    fn improve(&mut self, downwards: bool) {
        let count = self.rows.len();
        for step in 1..count {
            let layer = if downwards { step } else { count - 1 - step };
            let places: BTreeMap<usize, usize> =
                self.rows.iter().flat_map(|row| row.iter().copied().zip(0..)).collect();
            let mut row = std::mem::take(&mut self.rows[layer]);
            row.sort_by_key(|spot| {
                let near = match downwards {
                    true => &self.spots[*spot].up,
                    false => &self.spots[*spot].down,
                };
                let sum: usize = near.iter().filter_map(|other| places.get(other)).sum();
                match near.len() {
                    0 => places.get(spot).copied().unwrap_or(0) * 1000,
                    n => sum * 1000 / n,
                }
            });
            self.rows[layer] = row;
        }
    }

    fn width(&self, spot: usize) -> i64 {
        if self.spots[spot].node.is_some() {
            WIDTH
        } else {
            PASSING
        }
    }

    fn draw(&self, sizes: &[usize], edges: &[(usize, usize)]) -> Drawn {
        let row_width = |row: &Vec<usize>| row.iter().map(|spot| self.width(*spot) + APART).sum::<i64>() + APART;
        let width = self.rows.iter().map(row_width).max().unwrap_or(0).max(600);
        let height_of = |node: usize| 2 * PADDING + LINE * sizes[node] as i64;
        let mut at: Vec<(i64, i64, i64)> = vec![(0, 0, 0); self.spots.len()];
        let mut y = APART;
        for row in &self.rows {
            let mut x = APART + (width - row_width(row)) / 2;
            let nodes = row.iter().filter_map(|spot| self.spots[*spot].node);
            let most = nodes.map(height_of).max().unwrap_or(0);
            for spot in row {
                let height = self.spots[*spot].node.map_or(most, height_of);
                at[*spot] = (x, y, height);
                x += self.width(*spot) + APART;
            }
            y += most + BETWEEN;
        }
        let middle = |spot: usize| at[spot].0 + self.width(spot) / 2;
        let (mut lines, mut labels) = (Vec::new(), Vec::new());
        let mut seen: BTreeMap<(usize, usize), i64> = BTreeMap::new();
        for (way, edge) in self.ways.iter().zip(edges) {
            let nth = seen.entry(*edge).or_default();
            // Edges between the same nodes stand side by side.
            let aside = (*nth + 1) / 2 * if *nth % 2 == 0 { 44 } else { -44 };
            *nth += 1;
            let (first, last) = (way[0], way[way.len() - 1]);
            let mut path = format!("M{} {}", middle(first) + aside, at[first].1 + at[first].2);
            let mut before = (middle(first) + aside, at[first].1 + at[first].2);
            labels.push((before.0, before.1 + 16));
            for spot in way.iter().skip(1) {
                let x = middle(*spot) + if *spot == last { aside } else { 0 };
                let to = (x, at[*spot].1 - if *spot == last { 2 } else { 0 });
                let bend = ((to.1 - before.1) / 2).max(20);
                path.push_str(&format!(
                    " C{} {} {} {} {} {}",
                    before.0,
                    before.1 + bend,
                    to.0,
                    to.1 - bend,
                    to.0,
                    to.1
                ));
                if *spot == way[1] {
                    labels.pop();
                    labels.push((
                        before.0 + (to.0 - before.0) * 4 / 5,
                        before.1 + (to.1 - before.1) / 2 + 4,
                    ));
                }
                before = to;
                if *spot != last {
                    before.1 += at[*spot].2;
                    path.push_str(&format!(" L{} {}", before.0, before.1));
                }
            }
            lines.push(path);
        }
        Drawn {
            width,
            height: y - BETWEEN + APART,
            places: (0..sizes.len())
                .map(|node| NodePlace {
                    x: at[node].0,
                    y: at[node].1,
                    height: height_of(node),
                })
                .collect(),
            lines,
            labels: spread(labels),
        }
    }
}

/// Moves labels that would cover each other apart.
fn spread(mut labels: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    for at in 0..labels.len() {
        for _ in 0..6 {
            let here = labels[at];
            let covers = |other: &(i64, i64)| (other.0 - here.0).abs() < 190 && (other.1 - here.1).abs() < 13;
            if !labels[..at].iter().any(covers) {
                break;
            }
            labels[at].1 += 13;
        }
    }
    labels
}
