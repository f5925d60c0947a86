//! The two engines of virtual time: one that handles everything, and a fast one.

/// Which engine is to do it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The fast one where it can, else the event engine.
    #[default]
    Auto,
    /// The event engine: handles everything.
    Event,
    /// The fast engine: says so where it cannot.
    Fast,
}

impl Engine {
    /// The name used in flags and output.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Event => "event",
            Engine::Fast => "fast",
        }
    }
}
