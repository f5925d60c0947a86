//! The two engines of virtual time: one that handles everything, and a fast one.

crate::named! {
    /// Which engine is to do it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Engine {
        /// The fast one where it can, else the event engine.
        #[default]
        Auto => "auto",
        /// The event engine: handles everything.
        Event => "event",
        /// The fast engine: says so where it cannot.
        Fast => "fast",
    }
    /// The name used in flags and output.
    fn name;
}
