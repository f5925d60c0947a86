//! What is kept today is told tomorrow, and what is predicted today is predicted tomorrow.

#[path = "../common/mod.rs"]
mod common;
mod joins;
mod predictions;
mod tables;
