//! Forms of a message library's collective calls beyond the data that they move: counts, progress, neighbours,
//! communicator and elements. The default is the plain call on bytes that every world knows.

mod accepts;
mod combine;
mod members;
mod name;
mod places;
mod unit;

pub use combine::composed;
pub use members::grid;
pub use name::{collective, known_names};
pub use places::{Area, Block, Content, Held, Places};
pub use unit::{INDEXED, INDEXED_EXTENT, RECORD, RECORD_EXTENT, Unit, VECTOR};

use crate::collective::Collective;
use serde::{Deserialize, Serialize};

/// Form of a call. Our own algorithms know the default only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Call {
    /// Equal blocks, counts, or counts and datatypes per rank.
    pub form: LengthForm,
    /// Whether the call returns at once, and what is done meanwhile.
    pub progress: Progress,
    /// Participants: all ranks, or each rank's neighbours.
    pub reach: Reach,
    /// Communicator on which the call is made.
    pub communicator: Communicator,
    /// Elements of which a buffer consists.
    pub element: Element,
    /// Layout of the elements in memory.
    pub layout: Layout,
    /// Operation by which elements are combined.
    pub reduction: Reduction,
    /// Whether input and result are the same memory (`MPI_IN_PLACE`).
    pub in_place: bool,
}

crate::named! {
    /// Way in which a call gives the lengths of blocks.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LengthForm {
        /// One count for all blocks, or no count.
        #[default]
        Regular => "regular",
        /// A count for each rank (`v`; `MPI_Reduce_scatter`).
        Vector => "vector",
        /// A count and a datatype for each rank (`w`).
        Wide => "wide",
    }
    /// The name used in files, flags and output.
    fn name;
    find("form");
}

crate::named! {
    /// Whether a call returns before it is done.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Progress {
        /// The call returns when it is done.
        #[default]
        Blocking => "blocking",
        /// The call is issued and waited for at once.
        Nonblocking => "nonblocking",
        /// The call is issued, the rank computes for as long as the call by itself takes, then waits.
        Overlapped => "overlapped",
        /// Overlapped, with a computation that asks the library now and then to go on (`MPI_Test`).
        Progressed => "progressed",
    }
    /// The name used in files, flags and output.
    fn name;
    find("progress");
}

crate::named! {
    /// Participants of a call.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reach {
        /// All ranks of the communicator.
        #[default]
        All => "all",
        /// Each rank's neighbours in the communicator's topology (MPI-3).
        Neighbours => "neighbours",
    }
    /// The name used in files, flags and output.
    fn name;
}

crate::named! {
    /// Communicator on which a call is made.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Communicator {
        /// All ranks, in the launcher's order.
        #[default]
        World => "world",
        /// A duplicate of the world communicator.
        Duplicate => "duplicate",
        /// The ranks of even number among themselves, and those of odd number among themselves.
        Halves => "halves",
        /// All ranks in the opposite order.
        Reversed => "reversed",
        /// All ranks on a periodic grid of two dimensions.
        Cartesian => "cartesian",
        /// All ranks on a ring, each with two neighbours, as a distributed graph.
        Graph => "graph",
    }
    /// The name used in files, flags and output.
    fn name;
    find("communicator");
}

crate::named! {
    /// Elements of which a buffer consists.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Element {
        /// Unsigned integers of one byte.
        #[default]
        Byte => "byte",
        /// Signed integers of 32 bits.
        Int => "int",
        /// Signed integers of 64 bits.
        Long => "long",
        /// Floating-point numbers of 32 bits.
        Float => "float",
        /// Floating-point numbers of 64 bits.
        Double => "double",
    }
    /// The name used in files, flags and output.
    fn name;
    find("element");
}

crate::named! {
    /// Layout of elements in memory.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Layout {
        /// Elements one after another, without holes.
        #[default]
        Contiguous => "contiguous",
        /// Blocks of 8 elements, a block's length apart (`MPI_Type_vector`).
        Vector => "vector",
        /// Blocks of changing length at irregular places (`MPI_Type_indexed`).
        Indexed => "indexed",
        /// Records of fields of different types (`MPI_Type_create_struct`).
        Struct => "struct",
    }
    /// The name used in files, flags and output.
    fn name;
    find("layout");
}

crate::named! {
    /// Operation by which elements are combined.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reduction {
        /// Sum of the elements.
        #[default]
        Sum => "sum",
        /// Largest of the elements.
        Max => "max",
        /// Smallest of the elements.
        Min => "min",
        /// A function of the user's that commutes.
        User => "user",
        /// A function of the user's that does not commute: order must be kept.
        UserOrdered => "user-ordered",
    }
    /// The name used in files, flags and output.
    fn name;
    find("reduction");
}

impl Element {
    /// Returns the length of one element, in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Element::Byte => 1,
            Element::Int | Element::Float => 4,
            Element::Long | Element::Double => 8,
        }
    }
}

impl Call {
    /// Returns true for the plain call, which all worlds know.
    pub fn is_plain(&self) -> bool {
        *self == Call::default()
    }

    /// Returns in words the differences from the plain call that the call's name does not say; empty where there are
    /// none.
    pub fn variant(&self) -> String {
        let mut words = Vec::new();
        let mut say = |differs: bool, word: &'static str| {
            if differs {
                words.push(word);
            }
        };
        say(matches!(self.progress, Progress::Overlapped | Progress::Progressed), self.progress.name());
        say(self.communicator != Communicator::default(), self.communicator.name());
        say(self.element != Element::default(), self.element.name());
        say(self.layout != Layout::default(), self.layout.name());
        say(self.reduction != Reduction::default(), self.reduction.name());
        say(self.in_place, "in place");
        words.join(", ")
    }

    /// Returns the name of the call: `MPI_Ialltoallv` is `ialltoallv`.
    pub fn name(&self, collective: Collective) -> String {
        name::name(collective, self)
    }

    /// Returns the collective's own name, or the call's where it is not the plain one.
    pub fn name_of(&self, collective: Collective) -> String {
        if (self.form, self.progress, self.reach) == <(LengthForm, Progress, Reach)>::default() {
            collective.name().to_owned()
        } else {
            self.name(collective)
        }
    }

    /// Finds the collective and the form that a call's name stands for.
    ///
    /// # Errors
    /// Lists the known calls.
    pub fn find(name: &str) -> Result<(Collective, Call), String> {
        name::find(name)
    }
}
