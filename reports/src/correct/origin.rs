//! Where what is corrected by comes from: the machine's host, and who said the number of ranks.

use super::Reading;
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

models::named! {
    /// Who said how many ranks there were.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RanksFrom {
        /// The text.
        Text => "text",
        /// --ranks.
        Flag => "flag",
        /// The file's name.
        FileName => "file-name",
    }
    /// The name used in files.
    fn name;
}

impl RanksFrom {
    /// On how many ranks a number was measured, and who says so: its text, else whoever asks, else its file's name.
    pub fn of(reading: &Reading, said: Option<u32>) -> Option<(u32, RanksFrom)> {
        let text = reading.ranks.map(|ranks| (ranks, RanksFrom::Text));
        let flag = said.map(|ranks| (ranks, RanksFrom::Flag));
        let name = || ranks_in_name(&reading.file).map(|ranks| (ranks, RanksFrom::FileName));
        text.or(flag).or_else(name)
    }

    /// What users are told of a number of ranks of a file.
    pub fn remark(self, file: &str, ranks: u32) -> Option<String> {
        let remark =
            || format!("{file}: {ranks} ranks, taken from the file's name alone; if that is wrong, give --ranks");
        (self == RanksFrom::FileName).then(remark)
    }
}

/// The number of ranks in a file's name, `osu_bcast.np2.txt`: np2, n4, p16, ranks8 or 8ranks between characters that are no
/// letters and no digits. None where several disagree.
fn ranks_in_name(file: &str) -> Option<u32> {
    let name = file.rsplit('/').next().unwrap_or(file).to_ascii_lowercase();
    let count = |word: &str| {
        let before = ["np", "n", "p", "ranks"].into_iter().find_map(|unit| number(word.strip_prefix(unit)?));
        before.or_else(|| number(word.strip_suffix("ranks")?))
    };
    let mut found: Vec<u32> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(count).collect();
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn number(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten().filter(|&ranks| ranks >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_found_between_other_words_of_a_name() {
        for (name, ranks) in [
            ("runs/np8/osu.default.bcast.np2.r7.txt", Some(2)),
            ("imb-n4.txt", Some(4)),
            ("ranks8_osu.txt", Some(8)),
            ("bcast 16ranks.log", Some(16)),
            ("osu-P16-np16.txt", Some(16)),
            ("osu-n2-np16.txt", None),
            ("osu_np1.txt", None),
            ("snap2.txt", None),
            ("np2x.txt", None),
            ("standard input", None),
        ] {
            assert_eq!(ranks_in_name(name), ranks, "{name}");
        }
    }
}
