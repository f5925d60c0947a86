//! `parallax validate`: on observations made from a known machine the right model wins and algorithms are named; on threads and on
//! MPI it runs as a user meets it.

#[path = "../common/mod.rs"]
mod common;
mod fixture;
mod simulated;
mod user;
