//! Numbers that depend only on a seed.

use crate::hash::mix;

/// A source of numbers that depend only on a seed.
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// For one purpose: two sources with one seed and other purposes are independent.
    #[must_use]
    pub const fn new(seed: u64, purpose: u64) -> Self {
        Self(mix(seed ^ mix(purpose)))
    }
    /// A number below `below`, which is not 0.
    pub const fn below(&mut self, below: u64) -> u64 {
        draw(&mut self.0, below)
    }
    /// Any number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
}

/// A number below `below`, which is not 0, from this state.
pub(crate) const fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    // The multiplication maps the draw to 0..below with a bias under 2^-40 for the sizes that occur here.
    ((mix(*state) as u128 * below as u128) >> 64) as u64
}
