//! The front end against an installed OTP, and against what OTP's compiler was captured to say.

mod diagnostics;
mod otp;
mod otp_sources;
mod warnings;
