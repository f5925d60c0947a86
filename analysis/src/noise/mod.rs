//! Noise: recordings on real ranks, and results from recorded noise.

mod amid;
mod attributed;
mod collect;
mod import;
mod inject;
mod prove;
mod recorded;
mod report;
pub(crate) mod watch;

pub(crate) use amid::{amid, beside};
pub use attributed::{ask, summary};
pub use collect::{AUTOMATIC, Collect, cpus};
pub use import::{ImportSummary, Imports};
pub use inject::Inject;
pub use prove::{Prove, ask as prove, bursts, shared_cpus};
pub use recorded::{CLASSES, CollectionResults, FIRST, Recorded, of_density, write_page};
pub(crate) use report::{made, made_in};
pub use watch::{Watched, watch};
