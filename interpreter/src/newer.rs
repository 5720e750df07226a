//! What natives, the machine and the system do otherwise in a later release of OTP: the table of the releases. Of the language, it is [`syntax::Feature`];
//! which functions there are is in `lib/otp_exports.txt`, and what the library does otherwise is in its sources, by `-if(?OTP_RELEASE >= N)`.

use syntax::Release;

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident: $since:literal,)*) => {
        /// Something that a release does otherwise than those before.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Newer {
            $($(#[$doc])* $name,)*
        }

        impl Newer {
            /// The number of the release that began with it.
            const fn since(self) -> u8 {
                match self {
                    $(Self::$name => $since,)*
                }
            }
        }
    };
}

changes! {
    /// Small maps list their atoms in the order of BEAM's table of atoms.
    SmallMapsByTable: 26,
    /// `~k`, `~K` and `maps_order` write maps in the order of their keys.
    MapOrders: 26,
    /// Iterators of maps can have an order, and `maps:to_list/1` takes iterators.
    MapIterators: 26,
    /// `lists:sort/1` keeps the order of equal elements.
    StableSort: 26,
    /// The external format has atoms in UTF-8 by default.
    Utf8Atoms: 26,
    /// Errors of `X + 1` and `X - 1` have the frame of the operator.
    FramesOfConstants: 26,
    /// What cannot be put into a `utf8` segment is told before other mistakes of a binary.
    Utf8Segments: 26,
    /// `binary:decode_hex/1` is in its own frame.
    HexFrames: 26,
    /// Devices begin with UTF-8 where there is no shell.
    Utf8Devices: 26,
    /// Errors of tables tell a wrong position from a wrong default.
    CausesOfTables: 26,
    /// A list of objects goes into a bag in its order.
    BagOrder: 26,
    /// Match specifications have `is_function/2`, `max/2`, `min/2`, `ceil/1` and `floor/1`.
    GuardsOfSpecifications: 26,
    /// The flag `async_dist`.
    AsyncDistribution: 26,
    /// `process_info(P, {dictionary, Key})`.
    DictionaryItem: 26,
    /// The version 2.17 of the interface of native functions.
    NativeInterface217: 26,
    /// `0.0` and `-0.0` are different terms.
    SignedZeros: 27,
    /// Processes have labels.
    Labels: 27,
    /// `max_heap_size` can count shared binaries.
    SharedBinaries: 27,
    /// Priority messages.
    PriorityMessages: 28,
    /// A table can have an heir without data.
    HeirWithoutData: 28,
    /// Reports write a place as `file:line`.
    PlaceInReports: 28,
}

impl Newer {
    /// Does this release do so?
    #[must_use]
    pub const fn is_in(self, release: Release) -> bool {
        release.number() >= self.since()
    }
}
