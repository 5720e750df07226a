//! What is measured: the verbs, and the programs with their sizes.

/// What is measured on the trace of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Record,
    Run,
    Until,
    Back,
    State,
    Find,
    Export,
    Verify,
    Info,
    KilledInfo,
    KilledUntil,
    Why,
    Races,
    WhatIf,
    Report,
    Diff,
    Unchanged,
    Fixed,
    Drive,
    Explore,
}

impl Verb {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Run => "run",
            Self::Until => "until error",
            Self::Back => "debug until error, back 3",
            Self::State => "debug until error, state of another",
            Self::Find => "find",
            Self::Export => "export",
            Self::Verify => "verify",
            Self::Info => "info",
            Self::KilledInfo => "info of a killed trace",
            Self::KilledUntil => "until end of a killed trace",
            Self::Why => "why",
            Self::Races => "races",
            Self::WhatIf => "what-if",
            Self::Report => "report",
            Self::Diff => "diff",
            Self::Unchanged => "check unchanged",
            Self::Fixed => "check fixed",
            Self::Drive => "debug FILE.erl, run",
            Self::Explore => "explore",
        }
    }
}

/// A program of `benches/programs/growth`, with its sizes from small to large, and the verbs that are measured at these.
pub struct GrowthSubject {
    pub program: &'static str,
    pub sizes: [u64; 3],
    pub verbs: &'static [Verb],
}

/// The verbs that follow a trace from its beginning to its end, once.
const LONG: &[Verb] = &[
    Verb::Record,
    Verb::Run,
    Verb::Until,
    Verb::Back,
    Verb::Find,
    Verb::Export,
    Verb::Verify,
    Verb::Info,
    Verb::KilledInfo,
    Verb::KilledUntil,
];
/// What only a program of several processes has.
const OTHERS: &[Verb] = &[Verb::State];
/// The verbs that look for what decided, or show it.
const TOLD: &[Verb] = &[Verb::Why, Verb::Races, Verb::Report, Verb::Diff];
/// As [`TOLD`], of a program that has a choice right before its end.
const CHOSEN: &[Verb] = &[Verb::Why, Verb::Races, Verb::Report, Verb::Diff, Verb::WhatIf];
/// The verbs that run the program anew.
const AGAIN: &[Verb] = &[Verb::Unchanged, Verb::Fixed, Verb::Drive];

const fn subject(program: &'static str, sizes: [u64; 3], verbs: &'static [Verb]) -> GrowthSubject {
    GrowthSubject { program, sizes, verbs }
}

/// Five shapes of runs, each for all verbs; then what only some verbs find hard.
pub const SUBJECTS: [GrowthSubject; 29] = [
    subject("calls", [3_000, 9_000, 27_000], LONG),
    subject("calls", [3_000, 9_000, 27_000], OTHERS),
    subject("calls", [1_000, 3_000, 9_000], TOLD),
    subject("calls", [125, 500, 2_000], AGAIN),
    subject("short", [10_000, 30_000, 90_000], LONG),
    subject("short", [10_000, 30_000, 90_000], OTHERS),
    subject("short", [4_000, 12_000, 36_000], TOLD),
    subject("short", [250, 1_000, 4_000], AGAIN),
    subject("long", [60_000, 180_000, 540_000], LONG),
    subject("long", [10_000, 30_000, 90_000], TOLD),
    subject("long", [2_000, 8_000, 32_000], AGAIN),
    subject("fan", [10_000, 30_000, 90_000], LONG),
    subject("fan", [10_000, 30_000, 90_000], OTHERS),
    subject("fan", [200, 400, 800], CHOSEN),
    subject("fan", [250, 1_000, 4_000], AGAIN),
    subject("tables", [15_000, 45_000, 135_000], LONG),
    subject("tables", [15_000, 45_000, 135_000], OTHERS),
    subject("tables", [5_000, 15_000, 45_000], TOLD),
    subject("tables", [500, 2_000, 8_000], AGAIN),
    subject(
        "alive",
        [10_000, 30_000, 90_000],
        &[Verb::Record, Verb::Run, Verb::Verify],
    ),
    subject(
        "bag",
        [100_000, 300_000, 900_000],
        &[Verb::Record, Verb::Run, Verb::Verify],
    ),
    subject(
        "chain",
        [5_000, 15_000, 45_000],
        &[Verb::Record, Verb::Run, Verb::Until, Verb::Info],
    ),
    subject("asks", [4_000, 12_000, 36_000], &[Verb::Record, Verb::Run]),
    subject("failing", [250, 1_000, 4_000], AGAIN_THE_SAME),
    subject("looks", [300, 900, 2_700], &[Verb::Why, Verb::Races]),
    subject("idle", [100, 400, 1_600], &[Verb::Explore]),
    subject("sleepers", [200, 800, 3_200], &[Verb::Explore]),
    subject("woken", [200, 800, 3_200], &[Verb::Explore]),
    subject("suffix", [100, 400, 1_600], &[Verb::Explore]),
];
const AGAIN_THE_SAME: &[Verb] = &[Verb::Unchanged, Verb::Drive];
