//! The external term format: `term_to_binary` as OTP 25 writes it, `binary_to_term` safe against any bytes. Both iterative.
//!
//! Pids, references and funs are written in OTP's shapes with our own numbers, so they round-trip within one program and are the
//! same in every run; those of foreign systems are refused.

mod decode;
mod encode;
#[cfg(test)]
mod tests;

pub use decode::{DecodeError, decode};
pub use encode::{EtfOptions, encode};

/// First byte of every external term.
pub const VERSION: u8 = 131;

const NEW_FLOAT: u8 = 70;
const BIT_BINARY: u8 = 77;
const COMPRESSED: u8 = 80;
const NEW_PID: u8 = 88;
const NEW_PORT: u8 = 89;
const NEWER_REFERENCE: u8 = 90;
const SMALL_INTEGER: u8 = 97;
const INTEGER: u8 = 98;
const FLOAT: u8 = 99;
const ATOM: u8 = 100;
const PID: u8 = 103;
const SMALL_TUPLE: u8 = 104;
const LARGE_TUPLE: u8 = 105;
const NIL: u8 = 106;
const STRING: u8 = 107;
const LIST: u8 = 108;
const BINARY: u8 = 109;
const SMALL_BIG: u8 = 110;
const LARGE_BIG: u8 = 111;
const NEW_FUN: u8 = 112;
const EXPORT: u8 = 113;
const NEW_REFERENCE: u8 = 114;
const REFERENCE: u8 = 101;
const SMALL_ATOM: u8 = 115;
const MAP: u8 = 116;
const ATOM_UTF8: u8 = 118;
const SMALL_ATOM_UTF8: u8 = 119;
