//! Flags, commands and words of other tools and of habit: those that are accepted, and tips for the others.

use crate::parts::{left_out, left_out_flag};
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use models::names::nearest;
use std::ffi::OsString;

/// Our flags, each with the names that other tools use for it and that are accepted.
const FLAGS: [(&str, &[&str]); 6] = [
    ("ranks", &["np", "nprocs", "nranks", "processes"]),
    ("bytes", &["size", "sizes", "msglen", "message-size"]),
    ("algorithm", &["algorithms"]),
    ("set", &["params", "parameters"]),
    ("out", &["output"]),
    ("hosts", &["hostfile", "machinefile"]),
];

/// Flags that mean nothing here, or several things, each with a tip.
const FLAG_TIPS: [(&[&str], &str); 10] = [
    (
        &["--iterations", "--iters", "--iter", "--repetitions", "--reps", "-i"],
        "calls are counted by --calls (in one sample), --samples and --launches, where a command has them",
    ),
    (
        &["--plot", "--chart", "--graph", "--figure", "--svg"],
        "pictures: parallax sweep … --over bytes --out curves.svg, parallax simulate … --timeline calls.svg; \
         `parallax report` draws those of a campaign",
    ),
    (&["--operation", "--op", "--collective"], "the operation stands alone: parallax simulate bcast"),
    (&["--csv", "--json", "--markdown"], "the format is a value: --format csv"),
    (
        &["-m", "--msg-size", "--max-size", "-msglog", "--msglog"],
        "lengths are --bytes 8..64K (see: parallax help lists)",
    ),
    (&["--npmin"], "numbers of ranks are a list: --ranks 2,4,8 (see: parallax help lists)"),
    (&["-x", "--skip"], "untimed calls before the timed ones are --warmup, where a command has them"),
    (
        &["--mca", "--bind-to", "--map-by", "--oversubscribe", "-ppn", "--ppn", "-genv"],
        "ranks take a library's settings from its environment variables (OMPI_MCA_…, MPIR_CVAR_…, I_MPI_…), hosts from --hosts",
    ),
    (&["--verbose", "-v"], "--details prints every number, where a command has it"),
    (&["--network"], "a network is a value of --set: --set alps-2025; `parallax help model` lists them"),
];

/// Commands that do not exist, each with a tip.
const COMMAND_TIPS: [(&[&str], &str); 7] = [
    (
        &["list", "ls"],
        "lists: parallax run --list (scenarios and sweeps), parallax algorithms, parallax explain, parallax store list",
    ),
    (&["version"], "the version: parallax --version"),
    (
        &["predict", "model"],
        "predictions: parallax simulate (one call), parallax sweep (many), parallax budget (benchmarks)",
    ),
    (&["timeline", "trace"], "a timeline: parallax simulate bcast --ranks 8 --timeline bcast.html"),
    (
        &["plot", "draw", "chart"],
        "pictures: parallax sweep bcast --ranks 64 --over bytes --out bcast.svg, parallax report",
    ),
    (
        &["benchmark", "osu", "imb"],
        "benchmarks: parallax audit osu,imb bcast runs them, parallax import reads what they printed",
    ),
    (&["test", "check"], "checks: parallax doctor (this machine), parallax goal check (a schedule)"),
];

/// Flags of launchers and IMB with one dash and several letters, which must not be read as `-n` with a value.
const LONG_WITH_ONE_DASH: [&str; 2] = ["-np", "-npmin"];

/// Returns the words as they are read: `-np 8` of launchers becomes `--np 8`.
pub fn read(words: impl IntoIterator<Item = impl Into<OsString>>) -> Vec<OsString> {
    let whole = |word: OsString| match word.to_str() {
        Some(flag) if LONG_WITH_ONE_DASH.contains(&flag) => format!("-{flag}").into(),
        _ => word,
    };
    words.into_iter().map(|word| whole(word.into())).collect()
}

/// Returns this definition, which also accepts the flags of [`FLAGS`], and values in any case.
pub fn with_other_names(command: Command) -> Command {
    let taken = |long: &str| command.get_arguments().any(|one| one.get_long() == Some(long));
    let n_is_free = command.get_arguments().all(|one| one.get_short() != Some('n'));
    let others: Vec<(&str, Vec<&str>)> = FLAGS
        .iter()
        .map(|(ours, others)| (*ours, others.iter().copied().filter(|other| !taken(other)).collect()))
        .collect();
    let command = command.mut_args(|arg: Arg| {
        let Some(long) = arg.get_long() else { return arg.ignore_case(true) };
        let others = others.iter().find(|(ours, _)| *ours == long).map(|(_, others)| others.clone());
        let is_ranks = long == "ranks" && n_is_free;
        let arg = if arg.get_action().takes_values() { arg.ignore_case(true) } else { arg };
        let arg = others.into_iter().flatten().fold(arg, Arg::alias);
        if is_ranks { arg.short_alias('n') } else { arg }
    });
    command.mut_subcommands(with_other_names)
}

/// Adds a tip to an error, and removes a suggestion that only resembles the typed word.
pub fn with_tip(mut error: Error, command: &Command, words: &[OsString]) -> Error {
    let asked = asked(command, words);
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument => {
            let typed = text(ContextKind::InvalidArg).unwrap_or_default();
            let flag = typed.split('=').next().unwrap_or_default();
            let tip = flag_tip(flag);
            let longs: Vec<String> =
                asked.get_arguments().filter_map(Arg::get_long).map(|long| format!("--{long}")).collect();
            for misleading in [ContextKind::SuggestedArg, ContextKind::Suggested] {
                error.remove(misleading);
            }
            error.insert(ContextKind::Usage, ContextValue::StyledStr(asked.clone().render_usage()));
            tip.or_else(|| nearest(&typed, &longs).map(|long| format!("did you mean {long}?")))
        }
        ErrorKind::InvalidValue => {
            let typed = text(ContextKind::InvalidValue).unwrap_or_default();
            let valid = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(valid)) => valid.clone(),
                _ => Vec::new(),
            };
            // A text that is part of several names suggests none of them.
            if valid.iter().filter(|valid| valid.contains(&typed)).count() > 1 {
                error.remove(ContextKind::SuggestedValue);
            }
            None
        }
        ErrorKind::InvalidSubcommand => {
            let typed = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            let tip = command_tip(&typed, words);
            let names: Vec<&str> =
                asked.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name).collect();
            if tip.is_some() || nearest(&typed, &names).is_none() {
                error.remove(ContextKind::SuggestedSubcommand);
            }
            tip
        }
        ErrorKind::ArgumentConflict if text(ContextKind::InvalidArg) == text(ContextKind::PriorArg) => {
            let flag = text(ContextKind::InvalidArg).unwrap_or_default();
            let name = flag.split(' ').next().unwrap_or_default();
            flag.ends_with(",…>").then(|| format!("list the values behind one {name}, separated by commas"))
        }
        ErrorKind::ValueValidation if asked.get_name() == "simulate" => {
            let flag = text(ContextKind::InvalidArg).unwrap_or_default();
            let value = text(ContextKind::InvalidValue).unwrap_or_default();
            let name = flag.split(' ').next().unwrap_or_default();
            let is_list = value.contains(',') || value.contains("..");
            is_list.then(|| format!("a list is for parallax sweep: parallax sweep bcast … {name} {value}"))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// Returns the tip for a flag that the command does not have.
fn flag_tip(flag: &str) -> Option<String> {
    left_out_flag(flag).map(|part| part.sentence(flag)).or_else(|| tip_of(&FLAG_TIPS, flag))
}

/// Returns the tip for a command that does not exist, which is typed in a command line of these words.
fn command_tip(typed: &str, words: &[OsString]) -> Option<String> {
    let words = words.iter().skip(1).filter_map(|word| word.to_str());
    left_out(words).map(|part| part.sentence(typed)).or_else(|| tip_of(&COMMAND_TIPS, typed))
}

/// Returns the tip of a table for a word.
fn tip_of(table: &[(&[&str], &str)], typed: &str) -> Option<String> {
    let word = typed.to_lowercase();
    table.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, tip)| (*tip).to_owned())
}

/// Returns the command or subcommand whose arguments are typed.
fn asked<'a>(command: &'a Command, words: &[OsString]) -> &'a Command {
    let words = words.iter().skip(1).filter_map(|word| word.to_str());
    words
        .map_while(|word| (!word.starts_with('-')).then_some(word))
        .fold(command, |found, word| found.find_subcommand(word).unwrap_or(found))
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;

    fn said(line: &str) -> String {
        Cli::read_from(line.split(' ')).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn flags_of_other_tools_are_taken() {
        for line in [
            "parallax simulate bcast --np 8 --size 1K --params L=1us",
            "parallax simulate MPI_Bcast -n 8 --model LogGP --algorithm Binomial",
            "parallax simulate broadcast --nprocs 8",
            "parallax measure MPI_Allreduce --np 2,4 --msglen 8..64 --output out",
            "parallax sweep all-reduce --np 8",
            "parallax calibrate -n 4",
            "parallax measure osu_bcast -np 2",
        ] {
            assert_eq!(said(line), "", "{line}");
        }
    }

    #[test]
    fn other_words_lead_to_what_is_meant_and_nothing_misleads() {
        let lines = [
            "parallax measure bcast --iterations 100",
            "parallax sweep bcast --plot x.svg",
            "parallax simulate --operation bcast",
            "parallax simulate bcast --ranks 2,4,8",
            "parallax simulate bcast --ranks 8 --bytes 8..1K",
            "parallax simulate bcast --ranks 4 --set L=1us --set o=1us",
            "parallax simulate bcast --ranks 4 --byte 8",
            "parallax simulate bcast --ranks 4 --nonsense",
            "parallax measure bcast -m 8:64",
            "parallax measure bcast --bind-to core",
            "parallax measure bcast -npmin 2",
            "parallax measure bcast --world mpi",
            "parallax measure bcast --world mpch",
            "parallax version",
            "parallax list",
            "parallax timeline",
            "parallax predict",
            "parallax simulat bcast",
        ];
        let all: Vec<String> = lines.iter().map(|line| format!("$ {line}\n{}", said(line))).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn a_word_that_resembles_a_command_by_chance_suggests_none() {
        let said = said("parallax nonsense");
        assert!(said.contains("unrecognized subcommand 'nonsense'") && !said.contains("tip"), "{said}");
    }
}
