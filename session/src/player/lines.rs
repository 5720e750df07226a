//! When a process reaches another line: activations are told apart by their depth of the stack.

/// Lines by depth of the stack, innermost last.
#[derive(Clone, Debug, Default)]
pub struct StackLines(Vec<(usize, u32)>);

impl StackLines {
    /// A function was entered: the next line at this depth is a new one.
    pub fn enter(&mut self, depth: usize) {
        while self.0.last().is_some_and(|(at, _)| *at >= depth) {
            self.0.pop();
        }
    }

    /// Is this another line than before, or another activation?
    pub fn is_new(&mut self, depth: usize, line: u32) -> bool {
        while self.0.last().is_some_and(|(at, _)| *at > depth) {
            self.0.pop();
        }
        match self.0.last_mut() {
            Some((at, known)) if *at == depth => std::mem::replace(known, line) != line,
            _ => {
                self.0.push((depth, line));
                true
            }
        }
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
