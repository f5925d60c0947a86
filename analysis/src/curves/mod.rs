//! What each algorithm of a collective costs over message lengths or ranks.

pub mod costs;
pub mod places;
