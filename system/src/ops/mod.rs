//! The operations of the system layer, by topic. Each topic has a table; a new operation is a row of a table, and its function.
//!
//! An operation has four phases. It *expects* something of its log (`Step::expect`), *performs* it in the world, with values that it decides or
//! that the log contains (`Step::read`, `write`, `input`, `observe`), *commits* the action (`Step::commit`), and *delivers* the signals that
//! the action sends (`Step::deliver`).

pub(crate) mod alias;
mod amb;
mod app_env;
pub(crate) mod clock;
pub(crate) mod code;
pub(crate) mod control;
mod convert;
mod counter;
mod crash;
mod demonitor;
mod device;
pub(crate) mod env;
pub(crate) mod ets;
mod halt;
mod handles;
pub(crate) mod info;
mod io;
mod leader;
mod link;
mod modules;
pub(crate) mod monitor;
mod name;
pub(crate) mod nodes;
mod operation;
mod os;
pub(crate) mod persistent;
pub(crate) mod ports;
mod send;
mod spawn;
mod standing;
pub(crate) mod statistics;
mod system_info;
pub(crate) mod test;
mod timer;
mod trace;

use interpreter::native::Native;

pub(crate) use crate::terms::text;
pub(crate) use operation::{
    ERROR, FALSE, OK, OpResult, Operation, TRUE, UNDEFINED, args, badarg, badarg_because, badopt, chars, new_reference,
};

/// All tables. Traces identify natives by their index in these tables, so another order makes other traces.
const TABLES: &[&[Operation]] = &[
    send::OPERATIONS,
    spawn::OPERATIONS,
    convert::OPERATIONS,
    spawn::ABANDON,
    link::OPERATIONS,
    monitor::OPERATIONS,
    demonitor::OPERATIONS,
    alias::OPERATIONS,
    control::OPERATIONS,
    name::OPERATIONS,
    info::OPERATIONS,
    leader::OPERATIONS,
    halt::OPERATIONS,
    timer::OPERATIONS,
    clock::OPERATIONS,
    statistics::OPERATIONS,
    io::OPERATIONS,
    env::OPERATIONS,
    os::OPERATIONS,
    nodes::OPERATIONS,
    crash::OPERATIONS,
    control::AWAIT,
    nodes::NEWS,
    persistent::OPERATIONS,
    app_env::OPERATIONS,
    counter::OPERATIONS,
    ets::OPERATIONS,
    code::OPERATIONS,
    test::OPERATIONS,
    modules::OPERATIONS,
    trace::OPERATIONS,
    standing::OPERATIONS,
    amb::OPERATIONS,
    ports::OPERATIONS,
    handles::OPERATIONS,
];

const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

/// The rows of all tables, by the number in a native's label.
const OPERATIONS: [Operation; COUNT] = {
    let mut all = [TABLES[0][0]; COUNT];
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut row = 0;
        while row < TABLES[table].len() {
            all[count] = TABLES[table][row];
            count += 1;
            row += 1;
        }
        table += 1;
    }
    all
};

/// The natives that the interpreter passes to the system, in the order of their numbers.
pub(crate) const NATIVES: [Native; COUNT] = {
    let mut all = [OPERATIONS[0].native(0); COUNT];
    let mut number = 0;
    while number < COUNT {
        all[number] = OPERATIONS[number].native(number as u16);
        number += 1;
    }
    all
};

/// The operation of a number.
#[inline]
pub(crate) fn by_number(number: u16) -> &'static Operation {
    static ALL: [Operation; COUNT] = OPERATIONS;
    &ALL[usize::from(number)]
}

/// Is it the number of `!` or of `send/2`? They are the first rows of the first table.
#[inline]
pub(crate) const fn is_plain_send(number: u16) -> bool {
    number < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natives_are_distinct_and_their_numbers_name_their_operations() {
        let mut seen = std::collections::HashSet::new();
        for (number, native) in NATIVES.iter().enumerate() {
            let name = (native.module, native.name, native.arity);
            assert!(seen.insert(name), "{name:?}");
            let operation = by_number(number as u16);
            assert_eq!((operation.module, operation.name, operation.arity), name);
            let is_plain = matches!(name, ("erlang", "!" | "send", 2));
            assert_eq!(is_plain_send(number as u16), is_plain, "{name:?}");
        }
    }
}
