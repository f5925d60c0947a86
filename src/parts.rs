//! Parts of the command that a build may leave out, each by a feature of cargo.

/// A part that a build may leave out.
pub struct Part {
    /// Name of the feature.
    pub feature: &'static str,
    /// Commands of the part, with the groups that they are in: `probe pattern`.
    commands: &'static [&'static str],
    /// Flags of the part at commands of other parts.
    flags: &'static [&'static str],
    is_built: bool,
}

const PARTS: [Part; 4] = [
    Part {
        feature: "noise",
        commands: &["noise"],
        flags: &["--noise", "--record-noise"],
        is_built: cfg!(feature = "noise"),
    },
    Part { feature: "shared-memory", commands: &["shm"], flags: &[], is_built: cfg!(feature = "shared-memory") },
    Part {
        feature: "meters",
        commands: &["probe pattern", "probe regions", "probe solver"],
        flags: &[],
        is_built: cfg!(feature = "meters"),
    },
    Part { feature: "lessons", commands: &["lesson"], flags: &[], is_built: cfg!(feature = "lessons") },
];

impl Part {
    /// Returns a sentence on a command or flag of this part that the build lacks.
    pub fn sentence(&self, word: &str) -> String {
        let feature = self.feature;
        format!(
            "'{word}' is left out of this build; build parallax with the feature '{feature}': cargo build --features {feature}"
        )
    }
}

/// Returns the part of a command, given by its words without `parallax`, if this build leaves it out.
pub fn left_out<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<&'static Part> {
    let typed: Vec<&str> = words.into_iter().collect();
    let begins = |command: &str| {
        let words: Vec<&str> = command.split(' ').collect();
        typed.starts_with(&words)
    };
    PARTS.iter().find(|part| !part.is_built && part.commands.iter().any(|command| begins(command)))
}

/// Returns the part of a flag at a command of another part, if this build leaves it out.
pub fn left_out_flag(flag: &str) -> Option<&'static Part> {
    PARTS.iter().find(|part| !part.is_built && part.flags.contains(&flag))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, command};

    #[test]
    fn each_command_of_a_part_is_built_or_leads_to_its_feature() {
        for part in &PARTS {
            for line in part.commands {
                let words: Vec<&str> = line.split(' ').collect();
                let found = words.iter().try_fold(&command(), |found, word| found.find_subcommand(word)).is_some();
                assert_eq!(found, part.is_built, "{line}");
                assert_eq!(left_out(words.iter().copied()).map(|part| part.feature), (!found).then_some(part.feature));
                let asked = Cli::read_from(std::iter::once("parallax").chain(words)).err();
                let tip = asked.map(|error| error.to_string()).unwrap_or_default();
                assert_eq!(tip.contains(&format!("--features {}", part.feature)), !part.is_built, "{line}: {tip}");
            }
        }
    }

    #[test]
    fn a_flag_of_a_part_is_built_or_leads_to_its_feature() {
        let asked = Cli::read_from("parallax measure bcast --noise 1s".split(' ')).err().map(|error| error.to_string());
        let built = cfg!(feature = "noise");
        assert_eq!(asked.is_none(), built, "{asked:?}");
        assert_eq!(asked.unwrap_or_default().contains("--features noise"), !built);
    }

    #[test]
    fn a_word_that_only_begins_like_a_command_of_a_part_is_of_none() {
        assert!(
            left_out(["probe", "latency"]).is_none() && left_out(["noisy"]).is_none() && left_out(["probe"]).is_none()
        );
    }
}
