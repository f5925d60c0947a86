//! Texts that benchmarks printed in launches that are over: the calls of their numbers, and the windows of those calls
//! that are measured here.

use crate::import::{content, tell_left_out};
use crate::measuring::plan::{Breadth, Launch, MeasurementPlan, Operation};
use crate::measuring::words::{add_world, implementation, worlds};
use campaign::launch::Site;
use formats::import::{Imported, read};
use models::call::Call;
use models::clock::ClockKind;
use models::collective::Collective;
use models::stable::draws;
use programs::method::{Buffer, Method, RootChoice, WindowRules};
use programs::observation::{Carrier, Case, Emulation, Occasion, World};
use programs::sync::Sync;
use rand::seq::SliceRandom;
use render::groups::{counted, distinct};
use scenario::BadInput;
use serde::{Deserialize, Serialize};
use statistics::AutoLaunches;
use std::path::{Path, PathBuf};
use study::audit::{ROOTS_TAKE_TURNS, TextNumber};
use study::correct::{Asked, Columns, Reading, Refusal, element, flags, readings};

/// Number of calls per loop and number of loops, as `parallax measure` has them; windows have no loops.
const CALLS: u32 = 10;
const SAMPLES: u32 = 30;

/// A benchmark's text as the user handed it over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// Name of its file, with folders only where another text's file has the same name.
    pub name: String,
    /// The file's complete content.
    pub text: String,
}

/// Texts, and the settings of the references that are measured for them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    /// Texts in the order of the command line.
    pub texts: Vec<Text>,
    /// World in which they were printed; exactly one.
    pub worlds: Vec<World>,
    /// Number of ranks for texts that do not state it; `None` without the flag.
    pub ranks_said: Option<u32>,
    /// Number of cores that ranks here have for themselves.
    pub cores: u32,
    /// Lengths to compare, in bytes; `None` for all.
    pub bytes: Option<Vec<u64>>,
    /// Number of launches of references, an upper limit where `auto` is given.
    pub launches: u32,
    /// Precision of the references that ends the launches; `None` where their number is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<AutoLaunches>,
    /// State of the buffers in the reference windows.
    pub reference: Buffer,
    /// Seed of the drawn order of calls.
    pub seed: u64,
    /// Numbers of ranks on which references are measured.
    pub ranks: Vec<u32>,
}

/// Numbers found in texts, sorted into usable and unusable ones.
#[derive(Debug, Default)]
pub struct Said {
    /// Numbers that can be held against references, each with its call.
    pub numbers: Vec<TextNumber>,
    /// Sentences on the numbers that are left out, with their count and the reason.
    pub left_out: Vec<String>,
    /// Sentences on facts that only a file's name states, and on benchmarks whose root rotates.
    pub remarks: Vec<String>,
}

/// Reads these files and recognises the format of each.
///
/// # Errors
/// Fails on a file that cannot be read, or is no benchmark's text.
pub fn read_all(files: &[PathBuf]) -> Result<Vec<Text>, BadInput> {
    let short = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let mut texts = Vec::new();
    for path in files {
        let (name, text) = content(path)?;
        let runs = read(&name, &text).map_err(|error| BadInput(error.to_string()))?;
        tell_left_out(&name, &runs, &text);
        let alone = files.iter().filter(|other| short(other) == short(path)).count() == 1;
        let name = short(path).filter(|short| alone && short != "-").unwrap_or(name);
        texts.push(Text { name, text });
    }
    Ok(texts)
}

/// Returns the world in which texts were printed: the flag's, else the one that all of their tables state, else that of
/// the only library that is installed.
///
/// # Errors
/// Fails if none of these names a world, or if the named one has no MPI library or is not installed.
pub fn world(named: &[World], texts: &[Text], site: &Site) -> Result<World, BadInput> {
    let mut said: Vec<Option<World>> =
        texts.iter().flat_map(imported).flat_map(|(_, all)| all).map(|reading| reading.world).collect();
    said.sort_unstable();
    said.dedup();
    let found = match said.as_slice() {
        [Some(world)] if named.is_empty() && world.library().is_some() => {
            let mut found = Vec::new();
            add_world(&mut found, *world, site)?;
            found
        }
        _ => worlds(named, site)?,
    };
    match found.as_slice() {
        [one] if one.library().is_some() => Ok(*one),
        [_] => Err(BadInput(
            "--world: references for output files need the MPI library that produced them: expected openmpi or mpich; \
             scripts/setup installs both"
                .to_owned(),
        )),
        several => {
            let names: Vec<&str> = several.iter().map(|world| world.name()).collect();
            let or = names.join(" or ");
            Err(BadInput(format!(
                "the output files do not state their MPI library, and several are given or found: \
                 give one, --world {or}; audit the files of the other one separately"
            )))
        }
    }
}

/// Returns the runs of a text, each with all its numbers.
fn imported(text: &Text) -> Vec<(Imported, Vec<Reading>)> {
    let runs = read(&text.name, &text.text).unwrap_or_default();
    let with_numbers = |run: Imported| {
        let all = readings(&text.name, &run, &Columns::All);
        (run, all)
    };
    runs.into_iter().map(with_numbers).collect()
}

impl Said {
    fn remark(&mut self, remark: Option<String>) {
        self.remarks.extend(remark.filter(|remark| !self.remarks.contains(remark)));
    }

    /// Adds a number. A text of several runs prints the same call several times: each further time counts as a text of
    /// its own, `…, time 2`.
    fn number(&mut self, mut number: TextNumber) {
        let text = number.text.clone();
        let mut time = 1;
        while self.numbers.iter().any(|other| *other == TextNumber { printed_us: other.printed_us, ..number.clone() }) {
            time += 1;
            number.text = format!("{text}, time {time}");
        }
        self.numbers.push(number);
    }
}

impl Texts {
    /// Returns all numbers of the texts in their order, with those that are left out and the remarks.
    pub fn said(&self) -> Said {
        let mut said = Said::default();
        let mut left_out: Vec<(String, String)> = Vec::new();
        let runs = self.texts.iter().flat_map(|text| imported(text).into_iter().map(move |run| (text, run)));
        for (text, (imported, readings)) in runs {
            for reading in readings {
                said.remark(reading.contradiction(self.ranks_said));
                if let Some((ranks, from)) = reading.ranks_and_source(self.ranks_said) {
                    said.remark(study::correct::remark(from, &text.name, ranks));
                }
                let why = match self.number(&imported, &reading) {
                    Ok(number) => {
                        let turns = number.configuration.root == RootChoice::Rotating;
                        let turns = turns && number.subject.subject.collective.is_rooted();
                        said.remark(turns.then(|| format!("{}, {}: {ROOTS_TAKE_TURNS}", text.name, reading.operation)));
                        said.number(number);
                        continue;
                    }
                    Err(why) => why,
                };
                let what = format!("{}: {}", text.name, reading.operation);
                left_out.push((what, why));
            }
        }
        let told = |((what, why), count): ((String, String), usize)| {
            let numbers = if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") };
            format!("Left out: {what} ({numbers}), because {why}")
        };
        said.left_out = counted(left_out).into_iter().map(told).collect();
        said
    }

    /// Returns a number with its call; the error is the reason why it cannot be held against a reference.
    fn number(&self, imported: &Imported, reading: &Reading) -> Result<TextNumber, String> {
        let asked = reading.asked.as_ref().map_err(Refusal::why)?;
        let printed = reading.printed.ok_or_else(|| Refusal::NoNumber.why())?;
        let (ranks, _) = reading.ranks_and_source(self.ranks_said).ok_or_else(|| Refusal::UnknownRanks.why())?;
        if ranks > self.cores {
            let cores = self.cores;
            return Err(format!("{ranks} ranks on {cores} cores: ranks that share cores give no reference"));
        }
        if let (Some(world), [here]) = (reading.world.filter(|world| !self.worlds.contains(world)), &*self.worlds) {
            return Err(format!("produced with {}, but references are measured with {}", world.title(), here.title()));
        }
        let printed_bytes =
            if asked.collective == Collective::Barrier { 0 } else { reading.printed_bytes.unwrap_or(0) };
        if asked.collective != Collective::Barrier && printed_bytes == 0 {
            return Err(Refusal::NoBytes.why());
        }
        if self.bytes.as_ref().is_some_and(|wanted| printed_bytes > 0 && !wanted.contains(&printed_bytes)) {
            return Err("--bytes does not contain their length".to_owned());
        }
        Ok(TextNumber {
            text: reading.file.clone(),
            tool: reading.tool,
            flags: flags(imported),
            column: reading.head.clone(),
            printed_us: printed.value,
            printed_bytes,
            configuration: asked.configuration.clone(),
            subject: self.subject(imported, reading, asked, ranks)?,
        })
    }

    /// Returns the call of a number as a case that windows time.
    fn subject(&self, imported: &Imported, reading: &Reading, asked: &Asked, ranks: u32) -> Result<Case, String> {
        let shape = asked.shape(ranks, reading.root);
        let mut call = Call::default();
        if asked.collective.combines() {
            let row = imported.rows.iter().find(|row| row.line == reading.line);
            call.element = element(reading.tool, row.and_then(|row| row.datatype.as_deref()))?;
        }
        let one = MeasurementPlan {
            operations: vec![Operation { collective: asked.collective, call }],
            ranks: vec![ranks],
            bytes: vec![shape.bytes],
            algorithms: reading.algorithm.as_deref().map(implementation).transpose()?.into_iter().collect(),
            root: shape.root,
            ..self.calls()
        };
        let &[world] = self.worlds.as_slice() else { return Err("no library is named".to_owned()) };
        one.subjects(world, ranks)?.pop().ok_or_else(|| Refusal::NoNumber.why())
    }

    /// Returns the settings of the reference measurements: windows on the reference's buffers, and on never rewritten
    /// ones.
    pub(crate) fn calls(&self) -> MeasurementPlan {
        MeasurementPlan {
            operations: Vec::new(),
            worlds: self.worlds.clone(),
            ranks: self.ranks.clone(),
            bytes: Vec::new(),
            algorithms: Vec::new(),
            breadth: Breadth::One,
            tunings: Default::default(),
            segments: Vec::new(),
            carrier: None,
            emulation: Emulation::Measure,
            methods: vec![Method::Window],
            root: 0,
            calls: CALLS,
            samples: SAMPLES,
            warmup: None,
            launches: self.launches,
            auto: self.auto,
            clock: ClockKind::Automatic,
            clocks: None,
            sync: Sync::Linear,
            buffer: Buffer::Same,
            reference: Some(self.reference),
            rules: WindowRules::default(),
            delay: None,
            windows: Vec::new(),
            check: false,
            seed: self.seed,
        }
    }

    /// Returns all launches: every call of the numbers once in each, in a drawn order.
    pub(crate) fn launches(&self, numbers: &[TextNumber]) -> Vec<Launch> {
        let groups = || self.worlds.iter().flat_map(|&world| self.ranks.iter().map(move |&ranks| (world, ranks)));
        (0..self.launches)
            .flat_map(|launch| groups().map(move |(world, ranks)| (launch, world, ranks)))
            .map(|(launch, world, ranks)| {
                let (occasion, cases) = (Occasion { launch }, self.cases(numbers, ranks, launch));
                Launch { world, carrier: Carrier::Native, ranks, occasion, cases }
            })
            .collect()
    }

    fn cases(&self, numbers: &[TextNumber], ranks: u32, launch: u32) -> Vec<Case> {
        let own = numbers.iter().map(|number| &number.subject).filter(|subject| subject.place.ranks == ranks);
        let mut subjects = distinct(own);
        let mut draw = draws(self.seed, &format!("order/{ranks}/{launch}"));
        subjects.shuffle(&mut draw);
        let calls = self.calls();
        let around = |subject: &Case| {
            let mut cases = calls.around(subject);
            cases.shuffle(&mut draw);
            cases
        };
        subjects.into_iter().flat_map(around).collect()
    }
}
