//! The external tests of this crate, one executable: `cargo test -p retell-interpreter otp_sources::` runs one file.

mod otp_sources;
mod print_oracle;
