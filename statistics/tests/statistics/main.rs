//! Statistics held against published examples, against laws, and against populations whose truth is known: how
//! often every interval at 90, 95 and 99 % covers it, where it promises to and where it does not.
//!
//! `cargo test --release -p parallax-statistics --test statistics -- --nocapture` prints the coverage of each.

mod coverage;
mod dependent;
mod launches;
mod laws;
mod location;
mod populations;
mod published;
mod two_samples;
