//! Names of MPI's collective calls: 17 of MPI-2.2, five among neighbours, and all of them non-blocking (MPI-3).

use super::{Call, Communicator, LengthForm, Progress, Reach};
use crate::collective::Collective;
use crate::names::unknown;

/// Returns the forms of a collective that MPI has.
pub(super) fn forms(collective: Collective, reach: Reach) -> &'static [LengthForm] {
    match (collective, reach) {
        (Collective::Gather | Collective::Scatter | Collective::ReduceScatter, Reach::All)
        | (Collective::Allgather, _) => &[LengthForm::Regular, LengthForm::Vector],
        (Collective::Alltoall, _) => &[LengthForm::Regular, LengthForm::Vector, LengthForm::Wide],
        (
            Collective::Bcast
            | Collective::Reduce
            | Collective::Barrier
            | Collective::Allreduce
            | Collective::Scan
            | Collective::Exscan,
            Reach::All,
        ) => &[LengthForm::Regular],
        (_, Reach::Neighbours) => &[],
    }
}

pub(super) fn name(collective: Collective, call: &Call) -> String {
    let begin = if call.progress == Progress::Blocking { "" } else { "i" };
    let among = if call.reach == Reach::Neighbours { "neighbor-" } else { "" };
    // MPI gives the plain name to the form with counts.
    let end = match (collective, call.form) {
        (Collective::ReduceScatter, LengthForm::Regular) => "-block",
        (Collective::ReduceScatter, LengthForm::Vector | LengthForm::Wide) | (_, LengthForm::Regular) => "",
        (_, LengthForm::Vector) => "v",
        (_, LengthForm::Wide) => "w",
    };
    format!("{begin}{among}{collective}{end}")
}

/// Lists every call, blocking ones first.
fn all() -> impl Iterator<Item = (Collective, Call)> {
    [Progress::Blocking, Progress::Nonblocking].into_iter().flat_map(|progress| {
        Reach::ALL.into_iter().flat_map(move |reach| {
            Collective::ALL.into_iter().flat_map(move |collective| {
                // Neighbours are those of a topology; the ring is the simplest.
                let communicator = match reach {
                    Reach::All => Communicator::default(),
                    Reach::Neighbours => Communicator::Graph,
                };
                let call = move |&form| (collective, Call { form, progress, reach, communicator, ..Call::default() });
                forms(collective, reach).iter().map(call)
            })
        })
    })
}

/// Returns the names of all calls, blocking ones first.
pub fn known_names() -> Vec<String> {
    all().map(|(collective, call)| call.name(collective)).collect()
}

/// Words of other libraries and of habit for operations, each with MPI's word.
const OTHER_WORDS: [(&str, &str); 5] = [
    ("broadcast", "bcast"),
    ("all-reduce", "allreduce"),
    ("all-gather", "allgather"),
    ("all-to-all", "alltoall"),
    ("reducescatter", "reduce-scatter-block"),
];

/// Finds the collective of an operation's name in any spelling: `MPI_Bcast`, `Bcast` and `broadcast` are `bcast`. Both
/// forms of a reduce-scatter are one collective.
///
/// # Errors
/// Lists the known names.
pub fn collective(name: &str) -> Result<Collective, String> {
    let spelled = spelled(name);
    Collective::find(spelled.strip_suffix("-block").unwrap_or(&spelled))
        .map_err(|_| unknown("collective", name, Collective::ALL.map(Collective::name)))
}

/// Returns the name of an operation as this program spells it.
fn spelled(name: &str) -> String {
    let written = name.to_ascii_lowercase().replace('_', "-");
    let written = ["mpi-", "osu-"].iter().find_map(|prefix| written.strip_prefix(prefix)).unwrap_or(&written);
    OTHER_WORDS.iter().find(|(word, _)| *word == written).map_or(written, |(_, ours)| ours).to_owned()
}

pub(super) fn find(name: &str) -> Result<(Collective, Call), String> {
    let written = spelled(name);
    let found = all().find(|(collective, call)| call.name(*collective) == written);
    found.ok_or_else(|| unknown("operation", name, known_names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_has_17_collectives_5_among_neighbours_and_both_non_blocking() {
        let names = known_names();
        assert_eq!(names.len(), 2 * (17 + 5));
        for blocking in &names[..22] {
            assert!(names[22..].contains(&format!("i{blocking}")), "{blocking}");
        }
        for name in
            ["alltoallw", "reduce-scatter", "reduce-scatter-block", "neighbor-alltoallw", "ineighbor-allgatherv"]
        {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn names_are_found_as_the_standard_spells_them() {
        for (collective, call) in all() {
            let name = call.name(collective);
            assert_eq!(find(&name), Ok((collective, call)), "{name}");
            assert_eq!(find(&format!("MPI_{}", name.replace('-', "_"))), Ok((collective, call)), "{name}");
        }
        for (word, ours) in OTHER_WORDS {
            assert!(find(ours).is_ok() && !known_names().contains(&word.to_owned()), "{word}");
            assert_eq!(find(word), find(ours), "{word}");
        }
        insta::assert_snapshot!(find("gatherw").unwrap_err());
    }
}
