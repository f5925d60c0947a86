//! Where what is corrected by comes from: the machine's host, and who said the number of ranks.

use super::Reading;
use crate::import::RanksFrom;
use models::machine::Machine;

models::named! {
    /// Whose machine a machine file describes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Origin {
        /// The host that corrects.
        ThisHost => "this-host",
        /// A host of another name.
        OtherHost => "other-host",
        /// The file comes with the program.
        Program => "program",
    }
    /// The name used in files.
    fn name;
}

impl Origin {
    /// Of a machine that does not come with the program, told by hosts' names without their domains.
    pub fn by_host(machine: &Machine, here: &str) -> Origin {
        let short = |name: &str| name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        if short(&machine.provenance.host) == short(here) { Origin::ThisHost } else { Origin::OtherHost }
    }

    /// What users are warned of.
    pub fn warning(self, machine: &Machine) -> Option<String> {
        let Machine { name, provenance, .. } = machine;
        let of = format!("({}, {}, {})", provenance.host, provenance.ran_by, provenance.date);
        match self {
            Origin::ThisHost => None,
            Origin::OtherHost => Some(format!(
                "machine {name} was calibrated on another host {of}: corrections hold for numbers of that host"
            )),
            Origin::Program => Some(format!(
                "machine {name} comes with the program and was calibrated on another host {of}: corrections are \
                 valid for numbers of that host; `parallax calibrate` writes a file for yours"
            )),
        }
    }
}

impl RanksFrom {
    /// On how many ranks a number was measured, and who says so: its text, else whoever asks, else its file's name.
    pub fn of(reading: &Reading, said: Option<u32>) -> Option<(u32, RanksFrom)> {
        let known = reading.ranks.map(|ranks| (ranks, reading.ranks_from));
        let flag = said.map(|ranks| (ranks, RanksFrom::Flag));
        known.filter(|(_, from)| *from != RanksFrom::FileName).or(flag).or(known)
    }

    /// What users are told where they say another number of ranks than a text or its name.
    pub fn contradiction(reading: &Reading, said: Option<u32>) -> Option<String> {
        let (ranks, said) = (reading.ranks?, said?);
        let file = &reading.file;
        let taken = match reading.ranks_from {
            RanksFrom::Text | RanksFrom::CommandLine => {
                format!("its tables of {ranks} ranks are taken as such: the flag is for tables that do not say it")
            }
            RanksFrom::FileName => format!("its name says {ranks}; the flag is taken"),
            RanksFrom::Flag => return None,
        };
        (ranks != said).then(|| format!("{file}: --ranks {said}, but {taken}"))
    }

    /// What users are told of a number of ranks of a file.
    pub fn remark(self, file: &str, ranks: u32) -> Option<String> {
        let remark =
            || format!("{file}: {ranks} ranks, taken from the file's name alone; if that is wrong, give --ranks");
        (self == RanksFrom::FileName).then(remark)
    }
}
