//! The parts of an item, as the sorts of a packed block know them; four bits each.

pub(crate) const SECOND: u64 = 1;
pub(crate) const MIDDLE: u64 = 2;
pub(crate) const LAST: u64 = 3;
pub(crate) const PLACE: u64 = 4;
pub(crate) const GAP: u64 = 5;
pub(crate) const PID: u64 = 6;
pub(crate) const K: u64 = 7;
pub(crate) const NUMBER: u64 = 8;
pub(crate) const KIND: u64 = 9;
pub(crate) const EIGHT: u64 = 10;
pub(crate) const VALUE: u64 = 11;
pub(crate) const ACCESS: u64 = 12;
pub(crate) const FLAGS: u64 = 13;
pub(crate) const MANY: u64 = 14;
pub(crate) const TAG: u64 = 15;
