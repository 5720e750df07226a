//! Who caused what, and the order in which actions are drawn: depth first from what is explained, each cause just before it is needed. Most sends
//! then stand right before their receives.

/// No action.
pub const NONE: i32 = -1;

/// The actions of a page with their causes. Actions are named by their place in the list.
#[derive(Debug, Default)]
pub struct Graph {
    /// The action before of the same process, or the spawn.
    pub before: Vec<i32>,
    /// The send of what was received.
    pub signal: Vec<i32>,
    /// The writers of what was read, and the ends that were observed: reader and writer, by reader.
    pub reads: Vec<(i32, i32)>,
    /// Uses of shared things that are no causes, but came earlier: what had been read before it was written over, and what had been written over.
    /// Later and earlier, by the later one.
    pub uses: Vec<(i32, i32)>,
}

/// The parts of a list that is sorted by its first numbers.
fn of(list: &[(i32, i32)], action: i32) -> impl Iterator<Item = i32> + '_ {
    let from = list.partition_point(|(one, _)| *one < action);
    list[from..]
        .iter()
        .take_while(move |(one, _)| *one == action)
        .map(|(_, other)| *other)
}

impl Graph {
    /// What must be drawn above an action; the send comes last.
    fn needs(&self, action: i32) -> impl Iterator<Item = i32> + '_ {
        let at = action as usize;
        std::iter::once(self.before[at])
            .chain(of(&self.uses, action))
            .chain(of(&self.reads, action))
            .chain(std::iter::once(self.signal[at]))
            .filter(|one| *one != NONE)
    }

    /// Are all causes above what they lead to?
    fn holds(&self, order: &[i32]) -> bool {
        let mut place = vec![0; order.len()];
        for (at, action) in order.iter().enumerate() {
            place[*action as usize] = at;
        }
        let is_above = |action: usize, one: i32| one == NONE || place[one as usize] < place[action];
        let own = (0..order.len()).all(|at| is_above(at, self.before[at]) && is_above(at, self.signal[at]));
        own && self.reads.iter().all(|(at, one)| is_above(*at as usize, *one))
    }

    /// Is any action of `marked` a cause of this one, or the action itself?
    fn leads_from(&self, marked: &[bool], action: i32) -> bool {
        let mut seen = vec![false; self.before.len()];
        let mut open = vec![action];
        while let Some(one) = open.pop() {
            if std::mem::replace(&mut seen[one as usize], true) {
                continue;
            }
            if marked[one as usize] {
                return true;
            }
            open.extend(self.needs(one));
        }
        false
    }

    /// An order in which all can happen. `first`: what is explained, and then the others in this order. `rivals`: receives, each with a message
    /// that could have come first; it is drawn before the receive where it could have been. `later`: an action, and one that is drawn above it
    /// although it is no cause of it, unless that is impossible.
    pub fn order(&mut self, first: &[i32], rivals: &[(i32, i32)], later: &[(i32, i32)]) -> Vec<i32> {
        let order = self.drawn(first, rivals, later);
        if self.holds(&order) {
            return order;
        }
        // The uses of a damaged trace can contradict its causes.
        self.uses.clear();
        self.drawn(first, rivals, later)
    }

    fn drawn(&self, first: &[i32], rivals: &[(i32, i32)], later: &[(i32, i32)]) -> Vec<i32> {
        let count = self.before.len();
        let mut order = Vec::with_capacity(count);
        let mut done = vec![false; count];
        let mut open = vec![false; count];
        for root in first.iter().copied().chain(0..count as i32) {
            if root == NONE || done[root as usize] {
                continue;
            }
            let mut stack = vec![(root, self.to_draw(root, rivals, later, &mut open))];
            while let Some((action, needed)) = stack.last_mut() {
                let action = *action;
                match needed.pop() {
                    Some(one) if done[one as usize] || open[one as usize] => {}
                    Some(one) => {
                        let needs = self.to_draw(one, rivals, later, &mut open);
                        stack.push((one, needs));
                    }
                    None => {
                        stack.pop();
                        open[action as usize] = false;
                        done[action as usize] = true;
                        order.push(action);
                    }
                }
            }
        }
        order
    }

    /// What is to be drawn before an action, the first at the end. Marks the action as open.
    fn to_draw(&self, action: i32, rivals: &[(i32, i32)], later: &[(i32, i32)], open: &mut [bool]) -> Vec<i32> {
        open[action as usize] = true;
        let mut list: Vec<i32> = self.needs(action).collect();
        let send = self.signal[action as usize];
        let could_be = |(at, rival): &&(i32, i32)| *at == action && !self.leads_from(open, *rival);
        let found: Vec<i32> = rivals.iter().filter(could_be).map(|(_, rival)| *rival).collect();
        if !found.is_empty() && send != NONE {
            list.retain(|one| *one != send);
            list.extend(found);
            list.push(send);
        }
        let above: Vec<i32> = later.iter().filter(could_be).map(|(_, above)| *above).collect();
        let end = list.len() - usize::from(send != NONE);
        list.splice(end..end, above);
        list.reverse();
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two processes send to a third: 0, 1 and 2, 3; it receives at 4 and 5.
    fn two_senders() -> Graph {
        Graph {
            before: vec![NONE, 0, NONE, 2, NONE, 4],
            signal: vec![NONE, NONE, NONE, NONE, 1, 3],
            reads: vec![(5, 0)],
            uses: Vec::new(),
        }
    }

    #[test]
    fn what_was_read_stands_above_the_next_write() {
        let mut graph = two_senders();
        graph.reads.clear();
        graph.uses = vec![(0, 2)];
        assert_eq!(graph.order(&[5], &[], &[]), [2, 0, 1, 4, 3, 5]);
        // A trace whose uses contradict its causes.
        graph.uses = vec![(0, 5)];
        assert_eq!(graph.order(&[5], &[], &[]), [0, 1, 4, 2, 3, 5]);
    }

    #[test]
    fn causes_come_before_what_they_lead_to() {
        let mut graph = two_senders();
        for first in [vec![5], vec![4], vec![], vec![NONE]] {
            let order = graph.order(&first, &[], &[]);
            let place = |action: i32| order.iter().position(|one| *one == action).expect("all are there");
            assert_eq!(order.len(), 6);
            for action in 0..6 {
                assert!(graph.needs(action).all(|one| place(one) < place(action)), "{order:?}");
            }
        }
        assert_eq!(graph.order(&[5], &[], &[]), [0, 1, 4, 2, 3, 5]);
    }

    #[test]
    fn a_message_that_could_have_come_first_stands_before_the_receive() {
        let mut graph = two_senders();
        assert_eq!(graph.order(&[5], &[(4, 3)], &[]), [2, 3, 0, 1, 4, 5]);
        // Unless it was sent because of it.
        let mut graph = two_senders();
        graph.reads = vec![(2, 4)];
        assert_eq!(graph.order(&[5], &[(4, 3)], &[]), [0, 1, 4, 2, 3, 5]);
    }

    #[test]
    fn what_came_first_is_drawn_above_what_came_after_it() {
        let mut graph = two_senders();
        graph.reads.clear();
        // Without a cause between them: the first action of one sender, and that of the other.
        assert_eq!(graph.order(&[5], &[], &[(0, 2)]), [2, 0, 1, 4, 3, 5]);
        assert_eq!(graph.order(&[5], &[], &[(2, 0)]), [0, 1, 4, 2, 3, 5]);
        // What it leads to cannot stand above it.
        assert_eq!(graph.order(&[5], &[], &[(0, 5)]), [0, 1, 4, 2, 3, 5]);
        // What is no cause stands right above what is explained.
        assert_eq!(graph.order(&[4], &[], &[(4, 3)]), [2, 3, 0, 1, 4, 5]);
    }
}
