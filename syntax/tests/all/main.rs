//! The front end against an installed OTP, and against what OTP's compiler was captured to say.

mod diagnostics;
mod forms;
mod otp;
mod otp_sources;
mod warnings;
