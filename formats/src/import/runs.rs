//! The one reader of texts. A text is a sequence of runs of tools, with anything between their lines.
//!
//! The surroundings of each line are removed first (`surround`). A tool's own line begins a run of it, which ends where
//! another tool's or another run's begins, or where a command starts ranks, which ends the validity of everything
//! above. A tool's reader knows its heads and its rows, nothing else.

use super::command::{Command, command, ranks_in_name};
use super::conditions::{RanksFrom, say_ranks};
use super::ours::{self, Words};
use super::text::TextPlace;
use super::unread::{Unread, unread};
use super::{Imported, LeftOut, Tool};

/// Meaning of a line to the reader of a tool.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A line of the tool: a title, heads, a fact, a row.
    Its,
    /// A line of something else.
    Foreign,
    /// A line that would be a row but for this error.
    Broken(String),
}

/// The reader of one run of a tool.
pub(super) trait Reader {
    /// Tells the reader which program a command above the run started.
    fn started(&mut self, _program: &str) {}

    /// Whether another run begins with this line.
    fn begins(&self, line: &str) -> bool;

    /// Reads a line, which has no blanks at its ends and may be empty. Rows and facts become the run's.
    fn line(&mut self, place: TextPlace, line: &str, run: &mut Imported) -> Said;

    /// Completes the rows at the end of the run.
    fn end(&mut self, _run: &mut Imported) {}
}

/// Content of a text.
pub(super) struct FoundRuns {
    /// The runs that have rows.
    pub runs: Vec<Imported>,
    /// Lines that are in no run.
    pub left_out: Vec<LeftOut>,
    /// Tools whose runs have no rows, with their first lines.
    pub empty: Vec<(usize, Tool)>,
    /// Texts of tools that are known and not read, with their first lines.
    pub unread: Vec<(usize, Unread)>,
}

/// A run that is still being read.
struct Open {
    first: usize,
    run: Imported,
    reader: Box<dyn Reader>,
    /// Words that Parallax wrote for its tables, with the numbers of the lines.
    written: Vec<(usize, Words)>,
}

struct Runs {
    open: Option<Open>,
    /// The last command, while it is valid.
    command: Option<Command>,
    /// Beginning of a command that continues in the next line.
    begun: String,
    found: FoundRuns,
}

/// Reads all runs of a text, whose lines are bare. `is_whole` is false where no end of line follows the last line.
pub(super) fn runs(file: &str, lines: &[(usize, String)], is_whole: bool) -> FoundRuns {
    let found = FoundRuns { runs: Vec::new(), left_out: Vec::new(), empty: Vec::new(), unread: Vec::new() };
    let mut runs = Runs { open: None, command: None, begun: String::new(), found };
    let cut = if is_whole { None } else { cut_line(lines) };
    for (line, content) in lines {
        if cut == Some(*line) {
            let why = "the text ends in it, with fewer decimals than in the row above".to_owned();
            runs.leave_out(LeftOut { line: *line, why });
        } else {
            runs.line(TextPlace { file, line: *line }, content);
        }
    }
    runs.close();
    let Runs { mut found, .. } = runs;
    if let Some(last) = found.runs.last_mut() {
        last.left_out.append(&mut found.left_out);
        last.notes.extend(found.unread.iter().map(|(line, unread)| unread.note(*line)));
    }
    let in_name = ranks_in_name(file);
    found.runs.iter_mut().flat_map(|run| &mut run.rows).for_each(|row| say_ranks(row, in_name, RanksFrom::FileName));
    found
}

impl Runs {
    fn line(&mut self, place: TextPlace, content: &str) {
        let joined = format!("{}{content}", self.begun);
        if let Some(begun) = joined.strip_suffix('\\').filter(|begun| command(begun).is_some()) {
            begun.clone_into(&mut self.begun);
            return;
        }
        self.begun.clear();
        if let Some(command) = command(&joined) {
            self.close();
            self.command = Some(command);
            return;
        }
        if let Some(unread) = unread(content) {
            self.close();
            self.found.unread.push((place.line, unread));
        } else if let Some(tool) = Tool::of_line(content) {
            let goes_on = |open: &Open| open.run.tool == tool && !open.reader.begins(content);
            if !self.open.as_ref().is_some_and(goes_on) {
                self.close();
                self.begin(place.line, tool);
            }
        }
        let said = self.open.as_mut().map_or(Said::Foreign, |open| {
            open.written.extend(ours::words(content).map(|words| (place.line, words)));
            open.reader.line(place, content, &mut open.run)
        });
        let why = match said {
            Said::Its => return,
            Said::Foreign if is_ornament(content) => return,
            Said::Foreign => String::new(),
            Said::Broken(why) => why,
        };
        self.leave_out(LeftOut { line: place.line, why });
    }

    fn leave_out(&mut self, line: LeftOut) {
        self.open.as_mut().map_or(&mut self.found.left_out, |open| &mut open.run.left_out).push(line);
    }

    fn begin(&mut self, first: usize, tool: Tool) {
        let Some(mut reader) = tool.reader() else { return };
        if let Some(program) = self.command.as_ref().and_then(|command| command.program.as_deref()) {
            reader.started(program);
        }
        let left_out = std::mem::take(&mut self.found.left_out);
        self.open =
            Some(Open { first, run: Imported { left_out, ..Imported::new(tool) }, reader, written: Vec::new() });
    }

    fn close(&mut self) {
        let Some(Open { first, mut run, mut reader, written }) = self.open.take() else { return };
        reader.end(&mut run);
        ours::say_words(&mut run.rows, &written);
        if run.rows.is_empty() {
            self.found.empty.push((first, run.tool));
            self.found.left_out = run.left_out;
            return;
        }
        let ranks = self.command.as_ref().and_then(|command| command.ranks);
        run.rows.iter_mut().for_each(|row| say_ranks(row, ranks, RanksFrom::CommandLine));
        // A benchmark's own command starts it once; a script may start it any number of times.
        self.command = self.command.take().filter(|command| !command.is_one());
        self.found.runs.push(run);
    }
}

/// The last line, if it was cut off within its last number: the line above has as many cells, and more decimals.
fn cut_line(lines: &[(usize, String)]) -> Option<usize> {
    let [.., (_, above), (line, last)] = lines else { return None };
    let cells = |text: &str| text.split_whitespace().count();
    let decimals = |text: &str| {
        let cell = text.split_whitespace().next_back().filter(|cell| cell.parse::<f64>().is_ok())?;
        Some(cell.split_once('.').map_or(0, |(_, decimals)| decimals.len()))
    };
    let is_cut = cells(above) == cells(last) && decimals(last)? < decimals(above)?;
    is_cut.then_some(*line)
}

/// Whether a line only separates others.
fn is_ornament(content: &str) -> bool {
    content.chars().all(|letter| "#-=*~_`: ".contains(letter))
}
