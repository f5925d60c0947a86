//! Noise: recordings on real ranks, and results from recorded noise.

mod amid;
mod attributed;
mod collect;
mod import;
mod inject;
mod meanwhile;
mod prove;
mod recorded;
mod watch;

pub use amid::Told;
pub(crate) use amid::{amid, beside, with_noise};
pub use attributed::{ask, summary};
pub use collect::{AUTOMATIC, Collect, cpus};
pub use import::{ImportSummary, Imports};
pub use inject::Inject;
pub(crate) use meanwhile::meanwhile;
pub use prove::{Prove, ask as prove, bursts, shared_cpus};
pub(crate) use recorded::in_folder;
pub use recorded::{CLASSES, CollectionResults, FIRST, Recorded, of_density, write_page};
pub(crate) use watch::leave_a_cpu;
pub use watch::{Watched, watch};
