//! The two engines of virtual time: a general one, and a fast one for a part of the cases.

crate::named! {
    /// Choice of the engine for a simulation.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Engine {
        /// The fast engine where it can, else the event engine.
        #[default]
        Auto => "auto",
        /// The event engine, which handles everything.
        Event => "event",
        /// The fast engine, which fails where it cannot.
        Fast => "fast",
    }
    /// Name of the engine in flags and output.
    fn name;
}
