//! The native functions that need no other process, by area. Each area has one table, `NATIVES`; [`all`] lists the tables.
//!
//! A native never calls a fun and never waits. Functions that take a fun are written in Erlang in `lib/`, and may use natives whose names begin
//! with `$` for their inner loops. If a module has both a native and an Erlang function of one name, the native wins.

use crate::native::Native;

pub mod arith;
pub mod binary;
pub mod checksum;
pub mod cipher;
pub mod convert;
pub mod digest;
pub mod erl_error;
pub mod erl_scan;
pub mod front_end;
mod inflate;
pub mod io_lib;
pub mod lists;
pub mod maps;
pub mod math;
pub mod process;
pub mod rand;
pub mod regex;
pub mod report;
pub mod strings;
pub mod time;
pub mod tuple;
pub mod unicode;
mod ziggurat;
pub mod zlib;
pub mod zstd;

/// Every table of pure natives.
#[must_use]
pub fn all() -> &'static [&'static [Native]] {
    &[
        arith::NATIVES,
        binary::NATIVES,
        checksum::NATIVES,
        convert::NATIVES,
        digest::NATIVES,
        erl_error::NATIVES,
        erl_scan::NATIVES,
        io_lib::NATIVES,
        lists::NATIVES,
        maps::NATIVES,
        math::NATIVES,
        process::NATIVES,
        rand::NATIVES,
        regex::NATIVES,
        report::NATIVES,
        strings::NATIVES,
        time::NATIVES,
        tuple::NATIVES,
        unicode::NATIVES,
        zlib::NATIVES,
        cipher::NATIVES,
        front_end::NATIVES,
        zstd::NATIVES,
    ]
}

#[cfg(test)]
mod oracle;

#[cfg(test)]
pub(crate) mod testing {
    //! A heap and a process state to call natives with.

    use std::sync::Arc;

    use crate::atom::Atom;
    use crate::heap::Heap;
    use crate::native::{CodeInfo, Context, FunInfo, Local, PureFn, Raise};
    use crate::term::{FunName, Pid, Term};

    /// A process without code.
    pub struct Machine {
        pub heap: Heap,
        pub local: Local,
    }

    struct NoCode;

    impl CodeInfo for NoCode {
        fn fun(&self, _: u32) -> FunInfo {
            FunInfo {
                name: FunName {
                    module: Atom::new("m"),
                    index: 0,
                    unique: 0,
                },
                function: Atom::new("-f/0-fun-0-"),
                arity: 0,
            }
        }
        fn is_native(&self, _: Atom, _: Atom, _: u8) -> bool {
            false
        }
        fn is_exported(&self, _: Atom, _: Atom, _: u8) -> bool {
            false
        }
    }

    impl Machine {
        pub fn new() -> Self {
            Self {
                heap: Heap::new(Arc::new(Vec::new())),
                local: Local {
                    pid: Pid::new(0, 80),
                    node: Atom::NONODE_NOHOST,
                    nodes: crate::native::Nodes::default(),
                    references: 0,
                    dictionary: crate::dictionary::Dictionary::default(),
                    charge: 0,
                },
            }
        }

        pub fn call(&mut self, native: PureFn, args: &[Term]) -> Result<Term, Raise> {
            native(
                &mut Context {
                    heap: &mut self.heap,
                    local: &mut self.local,
                    code: &NoCode,
                },
                args,
            )
        }

        /// The reason of the error that the call must raise.
        pub fn reason(&mut self, native: PureFn, args: &[Term]) -> Term {
            self.call(native, args).expect_err("the call must fail").reason
        }
    }

    pub fn atom(name: &str) -> Term {
        Term::atom(Atom::new(name))
    }

    pub fn small(value: i64) -> Term {
        Term::small(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::{Implementation, NativeClass};

    #[test]
    fn no_native_is_registered_twice_and_all_are_pure() {
        let mut seen = std::collections::HashSet::new();
        for native in all().iter().flat_map(|t| t.iter()) {
            assert!(
                seen.insert((native.module, native.name, native.arity)),
                "{}:{}/{} is registered twice",
                native.module,
                native.name,
                native.arity
            );
            assert_eq!(native.class, NativeClass::Pure, "{}:{}", native.module, native.name);
            assert!(
                matches!(native.run, Implementation::Pure(_)),
                "{}:{}",
                native.module,
                native.name
            );
        }
    }
}
