//! Actions in full as bytes and back, made from the table of their numbers in `kinds.rs`.

use crate::decode::Decoder;
use crate::encode::ProcLog;
use crate::fields;
use crate::ids::ActionId;
use crate::kinds::{Device, ExitClass, Kind, TestNote, for_each_number};
use crate::varint::Malformed;

macro_rules! codec {
    ($($number:literal ($($shape:tt)*) [$($field:ident: $codec:ident),*];)*) => {
        /// For each number, the parts of what follows, four bits each, the first one lowest: how a packed block sorts its bytes.
        pub(crate) const PARTS: [u64; 32] = {
            let mut parts = [0; 32];
            $(parts[$number] = fields::parts(&[$(fields::$codec::PART),*]);)*
            parts
        };

        /// How many numbers there are.
        pub(crate) const NUMBERS: u8 = [$($number),*].len() as u8;

        impl ProcLog {
            /// Writes what belongs to the kind, and returns its number.
            pub(crate) fn payload(&mut self, kind: &Kind) -> u8 {
                match kind {
                    $($($shape)* => {
                        $(fields::$codec::put(self, $field);)*
                        $number
                    })*
                }
            }
        }

        impl Decoder {
            /// What belongs to a kind, by the kind's number, which stands at `start`.
            pub(crate) fn kind(&mut self, bytes: &[u8], number: u8, start: usize, values: bool) -> Result<Kind, Malformed> {
                match number {
                    $($number => {
                        $(let $field = fields::$codec::get(self, bytes, values)?;)*
                        Ok($($shape)*)
                    })*
                    _ => Err(Malformed {
                        at: start,
                        expected: "the kind of an action",
                        found: u64::from(number),
                    }),
                }
            }
        }

        /// Some action with this number, for tests.
        pub(crate) fn sample(number: u8, seed: u64) -> Option<Kind> {
            let _ = seed;
            match number {
                $($number => {
                    $(let $field = fields::$codec::sample(seed);)*
                    Some($($shape)*)
                })*
                _ => None,
            }
        }
    };
}

for_each_number!(codec);
