//! Origin of the data that corrections use: the machine's host, and the source of the number of ranks.

use super::Reading;
use formats::import::RanksFrom;
use programs::machine::Machine;

models::named! {
    /// Origin of a machine file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Origin {
        /// The host on which the correction runs.
        ThisHost => "this-host",
        /// A host of another name.
        OtherHost => "other-host",
        /// The machine file that comes with the program.
        Program => "program",
    }
    /// The name used in files.
    fn name;
}

impl Origin {
    /// Returns the origin of a machine that does not come with the program, judged by the hosts' names without their
    /// domains.
    pub fn by_host(machine: &Machine, here: &str) -> Origin {
        let short = |name: &str| name.split('.').next().unwrap_or_default().to_ascii_lowercase();
        if short(&machine.provenance.host) == short(here) { Origin::ThisHost } else { Origin::OtherHost }
    }

    /// Warning for users, `None` for a machine of this host.
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

impl Reading {
    /// Returns the number of ranks and its source: the text, else `said` by a flag, else the file's name.
    pub fn ranks_and_source(&self, said: Option<u32>) -> Option<(u32, RanksFrom)> {
        let known = self.ranks.map(|ranks| (ranks, self.ranks_from));
        let flag = said.map(|ranks| (ranks, RanksFrom::Flag));
        known.filter(|(_, from)| *from != RanksFrom::FileName).or(flag).or(known)
    }

    /// Warning where the flag gives another number of ranks than a text or its name.
    pub fn contradiction(&self, said: Option<u32>) -> Option<String> {
        let (ranks, said) = (self.ranks?, said?);
        let file = &self.file;
        let taken = match self.ranks_from {
            RanksFrom::Text | RanksFrom::CommandLine => {
                format!("its tables of {ranks} ranks are taken as such: the flag is for tables that do not say it")
            }
            RanksFrom::FileName => format!("its name says {ranks}; the flag is taken"),
            RanksFrom::Flag => return None,
        };
        (ranks != said).then(|| format!("{file}: --ranks {said}, but {taken}"))
    }
}

/// Remark for users on a number of ranks that only the file's name states.
pub fn remark(from: RanksFrom, file: &str, ranks: u32) -> Option<String> {
    let remark = || format!("{file}: {ranks} ranks, taken from the file's name alone; if that is wrong, give --ranks");
    (from == RanksFrom::FileName).then(remark)
}
