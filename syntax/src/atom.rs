//! Atoms: interned names with a constant-time identity.
//!
//! One table for the whole process, append-only: an [`Atom`] is valid for ever and on every thread. The number inside depends on the order
//! of interning and must never be seen by a program: order atoms by [`Atom::as_str`], never by number (semantics.md §9).

use std::cell::Cell;
use std::fmt;
use std::sync::{LazyLock, OnceLock, RwLock};

use rustc_hash::FxHashMap;

/// Maximum number of atoms in one process, as in the BEAM.
pub const ATOM_LIMIT: usize = 1_048_576;

/// Atoms that are left for the tool's own words when a program has made all of its own.
const SPARED: usize = 16_384;

const CHUNK_BITS: usize = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// An interned name. Compare with `==`; print with [`Atom::as_str`].
#[derive(Copy, Clone, Eq, PartialEq, Hash)]
pub struct Atom(u32);

type Chunk = OnceLock<Box<[OnceLock<&'static str>]>>;

/// Names by number, in chunks that never move, so that reading takes no lock.
static NAMES: [Chunk; ATOM_LIMIT / CHUNK] = [const { OnceLock::new() }; ATOM_LIMIT / CHUNK];

static TABLE: LazyLock<RwLock<FxHashMap<&'static str, u32>>> = LazyLock::new(|| {
    let mut map = FxHashMap::default();
    for (index, name) in PREDEFINED.iter().enumerate() {
        let previous = map.insert(*name, index as u32);
        debug_assert!(previous.is_none(), "predefined atom {name} is listed twice");
    }
    RwLock::new(map)
});

/// Whom atoms are made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    /// The tool itself.
    Tool,
    /// A program; whether there was no room for one.
    Program { lacks: bool },
    /// A module of the tool's library.
    Library,
}

thread_local! {
    static MAKER: Cell<Maker> = const { Cell::new(Maker::Tool) };
}

impl Atom {
    /// The atom with this name.
    ///
    /// # Panics
    /// When the table is full ([`ATOM_LIMIT`]); use [`Atom::try_new`] for names that a program makes, or [`Atom::of_program`] around what makes them.
    pub fn new(name: &str) -> Atom {
        if let Some(atom) = Atom::try_new(name) {
            return atom;
        }
        if matches!(MAKER.get(), Maker::Program { .. }) {
            return Atom::EMPTY;
        }
        Atom::with_limit(name, ATOM_LIMIT).expect("atom table is full: a program's own names go through try_new")
    }

    /// Does something that makes atoms for a program, such as reading its code. `None`: there was no room for all of them.
    pub fn of_program<T>(make: impl FnOnce() -> T) -> Option<T> {
        let before = MAKER.replace(Maker::Program { lacks: false });
        let made = make();
        let lacks = MAKER.replace(before) == Maker::Program { lacks: true };
        (!lacks).then_some(made)
    }

    /// Does something that makes atoms for a module of the tool's library: there is room for them when a program has made all of its own.
    pub fn of_library<T>(make: impl FnOnce() -> T) -> T {
        let before = MAKER.replace(Maker::Library);
        let made = make();
        MAKER.set(before);
        made
    }

    /// The atom with this name, or `None` when the table has no room for more of a program's own ([`ATOM_LIMIT`]).
    pub fn try_new(name: &str) -> Option<Atom> {
        let spared = if MAKER.get() == Maker::Library { 0 } else { SPARED };
        let atom = Atom::with_limit(name, ATOM_LIMIT - spared);
        if atom.is_none() && matches!(MAKER.get(), Maker::Program { .. }) {
            MAKER.set(Maker::Program { lacks: true });
        }
        atom
    }

    fn with_limit(name: &str, limit: usize) -> Option<Atom> {
        if let Some(atom) = Atom::existing(name) {
            return Some(atom);
        }
        let mut table = TABLE.write().expect("no thread panics while it holds the atom table");
        if let Some(&index) = table.get(name) {
            return Some(Atom(index));
        }
        let index = table.len();
        if index >= limit {
            return None;
        }
        let name: &'static str = Box::leak(name.into());
        let chunk = NAMES[index >> CHUNK_BITS].get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        chunk[index & (CHUNK - 1)]
            .set(name)
            .expect("the write lock gives each index once");
        table.insert(name, index as u32);
        Some(Atom(index as u32))
    }

    /// The atom with this name if it exists already.
    pub fn existing(name: &str) -> Option<Atom> {
        let table = TABLE.read().expect("no thread panics while it holds the atom table");
        table.get(name).map(|&index| Atom(index))
    }

    /// The name, without quotes.
    #[inline]
    pub fn as_str(self) -> &'static str {
        let index = self.0 as usize;
        if let Some(name) = PREDEFINED.get(index) {
            return name;
        }
        NAMES[index >> CHUNK_BITS]
            .get()
            .and_then(|chunk| chunk[index & (CHUNK - 1)].get())
            .expect("an atom exists only after its name was stored")
    }

    /// The table index, for packing into a term word. Not stable between runs.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0
    }

    /// The inverse of [`Atom::index`]; `index` has to come from an atom.
    #[inline]
    pub const fn from_index(index: u32) -> Atom {
        Atom(index)
    }

    /// The current number of atoms.
    pub fn count() -> usize {
        TABLE
            .read()
            .expect("no thread panics while it holds the atom table")
            .len()
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", self.as_str())
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! predefined {
    ($($constant:ident $name:literal,)*) => {
        predefined!(@constants 0u32; $($constant $name,)*);
        /// The names with fixed numbers, in order.
        const PREDEFINED: &[&str] = &[$($name),*];
    };
    (@constants $index:expr; $($constant:ident $name:literal,)*) => {
        #[expect(non_camel_case_types, reason = "the variants only number the constants")]
        #[expect(clippy::upper_case_acronyms, reason = "the variants only number the constants")]
        enum Index { $($constant,)* }
        impl Atom {
            $(
                #[doc = concat!("`'", $name, "'`")]
                pub const $constant: Atom = Atom(Index::$constant as u32);
            )*
        }
    };
}

predefined! {
    OK "ok",
    ERROR "error",
    EXIT_LOWER "exit",
    THROW "throw",
    TRUE "true",
    FALSE "false",
    UNDEFINED "undefined",
    EMPTY "",
    WILDCARD "_",
    NIL "nil",
    NORMAL "normal",
    KILL "kill",
    KILLED "killed",
    SHUTDOWN "shutdown",
    EXIT_UPPER "EXIT",
    DOWN "DOWN",
    INFINITY "infinity",
    NOPROC "noproc",
    NOCONNECTION "noconnection",
    NOCATCH "nocatch",
    BADARG "badarg",
    BADARITH "badarith",
    BADMATCH "badmatch",
    BADFUN "badfun",
    BADARITY "badarity",
    BADMAP "badmap",
    BADKEY "badkey",
    BADRECORD "badrecord",
    BADSIG "badsig",
    CASE_CLAUSE "case_clause",
    IF_CLAUSE "if_clause",
    TRY_CLAUSE "try_clause",
    ELSE_CLAUSE "else_clause",
    FUNCTION_CLAUSE "function_clause",
    BAD_GENERATOR "bad_generator",
    BAD_FILTER "bad_filter",
    UNDEF "undef",
    TIMEOUT_VALUE "timeout_value",
    SYSTEM_LIMIT "system_limit",
    NOT_SUP "notsup",
    NOTALIVE "notalive",
    ERROR_INFO "error_info",
    CAUSE "cause",
    MODULE "module",
    FUNCTION "function",
    ARITY "arity",
    FILE "file",
    LINE "line",
    PROCESS "process",
    PORT "port",
    TIME_OFFSET "time_offset",
    NAME "name",
    TYPE "type",
    ENV "env",
    UNIQ "uniq",
    INDEX "index",
    NEW_INDEX "new_index",
    NEW_UNIQ "new_uniq",
    PID "pid",
    LOCAL "local",
    EXTERNAL "external",
    ERLANG "erlang",
    LISTS "lists",
    MAPS "maps",
    IO "io",
    IO_LIB "io_lib",
    TIMER "timer",
    STRING "string",
    STRINGS "strings",
    BINARY "binary",
    BITSTRING "bitstring",
    MATH "math",
    RAND "rand",
    ETS "ets",
    PROPLISTS "proplists",
    PROC_LIB "proc_lib",
    GEN_SERVER "gen_server",
    ERROR_HANDLER "error_handler",
    ERL_EVAL "erl_eval",
    ERL_STDLIB_ERRORS "erl_stdlib_errors",
    ERL_ERTS_ERRORS "erl_erts_errors",
    ERL_KERNEL_ERRORS "erl_kernel_errors",
    ERROR_LOGGER "error_logger",
    LOGGER "logger",
    INIT "init",
    MAIN "main",
    MODULE_INFO "module_info",
    RECORD_INFO "record_info",
    FIELDS "fields",
    SIZE "size",
    APPLY "apply",
    SPAWN "spawn",
    SPAWN_LINK "spawn_link",
    SPAWN_MONITOR "spawn_monitor",
    SPAWN_OPT "spawn_opt",
    SELF "self",
    SEND "send",
    LINK "link",
    UNLINK "unlink",
    MONITOR "monitor",
    DEMONITOR "demonitor",
    REGISTER "register",
    UNREGISTER "unregister",
    WHEREIS "whereis",
    REGISTERED_NAME "registered_name",
    TRAP_EXIT "trap_exit",
    PRIORITY "priority",
    LOW "low",
    HIGH "high",
    MAX "max",
    MIN "min",
    FLUSH "flush",
    INFO "info",
    ASYNC "async",
    YES "yes",
    NO "no",
    NONE "none",
    ALL "all",
    ANY "any",
    TIMEOUT "timeout",
    REPLY "reply",
    NOREPLY "noreply",
    STOP "stop",
    IGNORE "ignore",
    CONTINUE "continue",
    HIBERNATE "hibernate",
    USER "user",
    STANDARD_IO "standard_io",
    STANDARD_ERROR "standard_error",
    NONODE_NOHOST "nonode@nohost",
    NODE "node",
    GROUP_LEADER "group_leader",
    LINKS "links",
    MONITORS "monitors",
    MONITORED_BY "monitored_by",
    MESSAGES "messages",
    MESSAGE_QUEUE_LEN "message_queue_len",
    MESSAGE_QUEUE_DATA "message_queue_data",
    CURRENT_FUNCTION "current_function",
    CURRENT_STACKTRACE "current_stacktrace",
    CURRENT_LOCATION "current_location",
    INITIAL_CALL "initial_call",
    DICTIONARY "dictionary",
    HEAP_SIZE "heap_size",
    TOTAL_HEAP_SIZE "total_heap_size",
    STACK_SIZE "stack_size",
    MEMORY "memory",
    REDUCTIONS "reductions",
    STATUS "status",
    RUNNING "running",
    RUNNABLE "runnable",
    WAITING "waiting",
    EXITING "exiting",
    SECOND "second",
    SECONDS "seconds",
    MILLISECOND "millisecond",
    MILLI_SECONDS "milli_seconds",
    MICROSECOND "microsecond",
    MICRO_SECONDS "micro_seconds",
    NANOSECOND "nanosecond",
    NANO_SECONDS "nano_seconds",
    NATIVE "native",
    PERF_COUNTER "perf_counter",
    PLUS "+",
    MINUS "-",
    TIMES "*",
    SLASH "/",
    DIV "div",
    REM "rem",
    BAND "band",
    BOR "bor",
    BXOR "bxor",
    BNOT "bnot",
    BSL "bsl",
    BSR "bsr",
    AND "and",
    OR "or",
    XOR "xor",
    NOT "not",
    ANDALSO "andalso",
    ORELSE "orelse",
    EQ "==",
    NE "/=",
    LT "<",
    LE "=<",
    GT ">",
    GE ">=",
    EXACT_EQ "=:=",
    EXACT_NE "=/=",
    PLUS_PLUS "++",
    MINUS_MINUS "--",
    BANG "!",
    DOT ".",
    LATIN1 "latin1",
    UTF8 "utf8",
    UTF16 "utf16",
    UTF32 "utf32",
    UNICODE "unicode",
    BIG "big",
    LITTLE "little",
    SIGNED "signed",
    UNSIGNED "unsigned",
    INTEGER "integer",
    FLOAT "float",
    BYTES "bytes",
    BITS "bits",
    UNIT "unit",
    ATOM "atom",
    LIST "list",
    TUPLE "tuple",
    MAP "map",
    REFERENCE "reference",
    FUN "fun",
    RECORD "record",
    CHAR "char",
    CATCH "catch",
    AFTER "after",
    GET "get",
    PUT "put",
    SET "set",
    BAG "bag",
    ORDERED_SET "ordered_set",
    DUPLICATE_BAG "duplicate_bag",
    PUBLIC "public",
    PROTECTED "protected",
    PRIVATE "private",
    NAMED_TABLE "named_table",
    KEYPOS "keypos",
    READ_CONCURRENCY "read_concurrency",
    WRITE_CONCURRENCY "write_concurrency",
    END_OF_TABLE "$end_of_table",
    ANCESTORS "$ancestors",
    INITIAL_CALL_KEY "$initial_call",
    GEN_CALL "$gen_call",
    GEN_CAST "$gen_cast",
    MICRO "micro",
    EOF "eof",
    LESS "less",
    EQUAL "equal",
    GREATER "greater",
    VALUE "value",
    KEY "key",
    NEXT "next",
    RETURN_TRACE "return_trace",
    EXPORT "export",
    EXPORTS "exports",
    ATTRIBUTES "attributes",
    COMPILE "compile",
    IMPORT "import",
    ON_LOAD "on_load",
    BEHAVIOUR "behaviour",
    BEHAVIOR "behavior",
    VSN "vsn",
    PARSE_TRANSFORM "parse_transform",
    NOWARN "nowarn",
    INLINE "inline",
    TEMPORARY "temporary",
    PERMANENT "permanent",
    TRANSIENT "transient",
    TERMINATED "terminated",
    ON_HEAP "on_heap",
    ALREADY_STARTED "already_started",
    BAD_RETURN_VALUE "bad_return_value",
    SPEC "spec",
    CALLBACK "callback",
    OPAQUE "opaque",
    EXPORT_TYPE "export_type",
    EXPORT_RECORD "export_record",
    OPTIONAL_CALLBACKS "optional_callbacks",
    IFDEF "ifdef",
    IFNDEF "ifndef",
    IF "if",
    ELIF "elif",
    ELSE "else",
    ENDIF "endif",
    DEFINE "define",
    UNDEF_DIRECTIVE "$undef",
    INCLUDE "include",
    INCLUDE_LIB "include_lib",
    WARNING "warning",
    FEATURE "feature",
    DEPRECATED "deprecated",
    REMOVED "removed",
    DIALYZER "dialyzer",
    DOC "doc",
    MODULEDOC "moduledoc",
    ENCODING "encoding",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interning_gives_one_identity() {
        let a = Atom::new("a name of this test");
        assert_eq!(a, Atom::new("a name of this test"));
        assert_ne!(a, Atom::new("another name of this test"));
        assert_eq!(a.as_str(), "a name of this test");
        assert_eq!(Atom::from_index(a.index()), a);
    }

    #[test]
    fn predefined_names_are_unique_and_found() {
        assert_eq!(Atom::new("ok"), Atom::OK);
        assert_eq!(Atom::new("badarith"), Atom::BADARITH);
        assert_eq!(Atom::EXIT_UPPER.as_str(), "EXIT");
        for (index, name) in PREDEFINED.iter().enumerate() {
            assert_eq!(Atom::new(name).index() as usize, index, "{name}");
        }
    }

    #[test]
    fn unknown_name_does_not_exist() {
        assert_eq!(Atom::existing("never made by anything 7312"), None);
    }

    #[test]
    fn threads_agree() {
        let names: Vec<String> = (0..2000).map(|i| format!("thread atom {i}")).collect();
        let made: Vec<Vec<Atom>> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| names.iter().map(|n| Atom::new(n)).collect()))
                .collect();
            handles.into_iter().map(|h| h.join().unwrap()).collect()
        });
        for other in &made[1..] {
            assert_eq!(&made[0], other);
        }
        for (name, atom) in names.iter().zip(&made[0]) {
            assert_eq!(atom.as_str(), name);
        }
    }
}
