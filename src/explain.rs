//! `parallax explain`: errors, terms and marks of the output, from the pages of the guide.

use crate::output::{print, terminal_width};
use models::collective::{Algorithm, Collective};
use models::names::suggestion;
use render::words::wrapped;
use scenario::BadInput;
use std::collections::BTreeSet;
use std::process::ExitCode;

const ERRORS: &str = include_str!("../docs/guide/errors.md");
const GLOSSARY: &str = include_str!("../docs/guide/glossary.md");

/// The arguments of `parallax explain`.
#[derive(clap::Args)]
pub struct ExplainArguments {
    /// An error (E1 to E10, or errors for all), a term like window, or a mark like '?' [default: a list of all]
    #[arg(value_name = "TERM")]
    term: Vec<String>,
}

/// Entry of the guide that can be printed.
struct Entry {
    /// Names by which the entry is found.
    names: Vec<String>,
    title: String,
    text: String,
}

impl ExplainArguments {
    /// Prints the explanation, or the list of all entries.
    pub fn explain(&self) -> anyhow::Result<ExitCode> {
        let (errors, terms) = (errors(), terms());
        let asked = self.term.join(" ").to_lowercase();
        if asked.is_empty() {
            print(&contents(&errors, &terms))?;
            return Ok(ExitCode::SUCCESS);
        }
        if asked == "errors" {
            let titles = errors.iter().map(|entry| format!("{}\n", entry.title));
            print(&titles.collect::<String>())?;
            return Ok(ExitCode::SUCCESS);
        }
        let all: Vec<&Entry> = errors.iter().chain(&terms).collect();
        let entry = find(&asked, &all)?;
        print(&format!("{}\n\n{}", entry.title, shown(&entry.text)))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the entry of a name. If there is none, it is the only one that has the name as a word of its names: E6 for
/// `loop`.
fn find<'a>(asked: &str, all: &[&'a Entry]) -> Result<&'a Entry, BadInput> {
    if let Some(entry) = all.iter().find(|entry| entry.names.iter().any(|name| name == asked)) {
        return Ok(entry);
    }
    let has_word =
        |name: &String| name.split([' ', '-']).any(|word| word == asked || word.strip_suffix('s') == Some(asked));
    let near: Vec<&Entry> = all.iter().copied().filter(|entry| entry.names.iter().any(has_word)).collect();
    match near.as_slice() {
        [only] => Ok(only),
        [] => {
            let names: Vec<&str> = all.iter().flat_map(|entry| entry.names.iter().map(String::as_str)).collect();
            if let Some(message) = algorithm(asked) {
                return Err(BadInput(message));
            }
            let near = suggestion(asked, &names);
            Err(BadInput(format!("unknown term '{asked}'{near}; `parallax explain` lists all")))
        }
        several => {
            let titles: Vec<&str> = several.iter().map(|entry| entry.title.as_str()).collect();
            Err(BadInput(format!("'{asked}' is in several terms; name one: {}", titles.join("; "))))
        }
    }
}

/// Returns a hint where an algorithm of this name is described. `None` if there is no such algorithm.
fn algorithm(asked: &str) -> Option<String> {
    let of = Collective::ALL.into_iter().filter(|of| Algorithm::find(*of, asked).is_ok());
    let names: Vec<&str> = of.map(Collective::name).collect();
    let first = names.first()?;
    Some(format!("'{asked}' is an algorithm of {}; `parallax algorithms {first}` describes it", names.join(", ")))
}

/// Returns the sections of the page of errors.
fn errors() -> Vec<Entry> {
    let sections = ERRORS.split("\n## ").skip(1);
    let entry = |section: &str| {
        let (title, text) = section.split_once('\n').unwrap_or((section, ""));
        let (label, name) = title.split_once(' ').unwrap_or((title, title));
        let names = vec![label.to_lowercase(), name.to_owned(), name.replace(' ', "-"), title.to_lowercase()];
        Entry { names, title: title.to_owned(), text: text.trim().to_owned() }
    };
    sections.map(entry).collect()
}

/// Returns the paragraphs of the glossary, each of which begins with its terms.
fn terms() -> Vec<Entry> {
    let entry = |paragraph: &str| {
        let (title, text) = paragraph.trim().strip_prefix("**")?.split_once("**: ")?;
        let title = title.replace(['`', '\\'], "");
        let whole = title.to_lowercase();
        // G and g become one name here, in lower case.
        let names: BTreeSet<String> = whole.split(", ").chain([whole.as_str()]).map(str::to_owned).collect();
        Some(Entry { names: names.into_iter().collect(), title, text: text.to_owned() })
    };
    GLOSSARY.split("\n\n").filter_map(entry).collect()
}

fn contents(errors: &[Entry], terms: &[Entry]) -> String {
    let list = |entries: &[Entry]| {
        let titles: Vec<&str> = entries.iter().map(|entry| entry.title.as_str()).collect();
        wrapped(&titles.join(" · "), terminal_width(), "  ").join("\n")
    };
    format!("Errors:\n{}\n\nTerms and marks:\n{}\n\nExample: parallax explain E5\n", list(errors), list(terms))
}

/// Returns paragraphs without Markdown's marks, as wide as the terminal.
fn shown(text: &str) -> String {
    let pictures = |paragraph: &&str| !paragraph.starts_with("![");
    let plain = |paragraph: &str| without_links(&paragraph.replace('\n', " ").replace("**", "").replace('`', ""));
    let lines = |paragraph: &str| match rows(paragraph) {
        Some(rows) => rows.iter().flat_map(|row| wrapped(&plain(row), terminal_width(), "  ")).collect::<Vec<_>>(),
        None => wrapped(&plain(paragraph), terminal_width(), ""),
    };
    let lines = |paragraph: &str| lines(paragraph).join("\n") + "\n";
    text.split("\n\n").filter(pictures).map(lines).collect::<Vec<_>>().join("\n")
}

/// Replaces links, `[text](page)`, by their text.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, label, after)) = link(rest) {
        plain.extend([before, label]);
        rest = after;
    }
    plain + rest
}

/// Returns the text before the first link, the link's text, and the text behind it.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let middle = text.find("](")?;
    let begin = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')?;
    Some((&text[..begin], &text[begin + 1..middle], &text[end + 1..]))
}

/// Returns the rows of a table as sentences, in which each cell follows the head of its column. `None` for a paragraph
/// that is no table.
fn rows(paragraph: &str) -> Option<Vec<String>> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = paragraph.strip_prefix('|')?.lines();
    let heads = cells(lines.next()?);
    let sentence = |line: &str| {
        let cells = cells(line);
        let others = heads.iter().zip(&cells).skip(1).map(|(head, cell)| format!("{head}: {cell}"));
        format!("{}. {}", cells.first().map_or("", String::as_str), others.collect::<Vec<_>>().join("; "))
    };
    Some(lines.skip(1).map(sentence).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use programs::budget::SystematicError;

    #[test]
    fn every_error_has_a_section_with_the_same_parts() {
        let sections = errors();
        assert_eq!(sections.len(), SystematicError::ALL.len());
        for (error, section) in SystematicError::ALL.into_iter().zip(&sections) {
            assert!(section.names.contains(&error.label().to_lowercase()), "{error}");
            assert!(section.names.contains(&error.name().to_owned()), "{error}: {:?}", section.names);
            for part in ["What is wrong.", "Sign and size.", "Who does it.", "See it.", "Avoid it."] {
                assert!(section.text.contains(&format!("**{part}**")), "{error}: {part}");
            }
        }
    }

    #[test]
    fn a_word_of_one_term_finds_it_and_of_several_lists_them() {
        let (errors, terms) = (errors(), terms());
        let all: Vec<&Entry> = errors.iter().chain(&terms).collect();
        let title = |asked| find(asked, &all).map(|entry| entry.title.as_str()).map_err(|error| error.0);
        assert_eq!(title("loop"), Ok("E6 unsynchronised loop"));
        assert_eq!(title("window"), Ok("window"));
        let several = title("clock").unwrap_err();
        assert!(several.contains("E7 bad clock") && several.contains("clock bound"), "{several}");
        assert!(title("lop").unwrap_err().contains("did you mean"));
    }

    #[test]
    fn of_links_the_text_stays() {
        assert_eq!(without_links("see [one](a.md#b) and [two](c), or (three)"), "see one and two, or (three)");
        assert_eq!(without_links("a [mark] (x)"), "a [mark] (x)");
    }

    #[test]
    fn tables_are_sentences() {
        let table = "| what | versions | read |\n|---|---|---|\n| one | 4.1 | here |\n| other | 5.0 | there |";
        assert_eq!(
            rows(table),
            Some(vec!["one. versions: 4.1; read: here".to_owned(), "other. versions: 5.0; read: there".to_owned()])
        );
        assert_eq!(rows("No table, but a | in a sentence."), None);
    }

    #[test]
    fn terms_and_marks_are_found_by_each_of_their_names() {
        let terms = terms();
        for name in ["window", "?", "!", "×", "l", "cold", "bias budget"] {
            assert!(terms.iter().any(|term| term.names.iter().any(|known| known == name)), "{name}");
        }
        let mut names: Vec<&String> = terms.iter().flat_map(|term| &term.names).collect();
        names.sort();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(twice.is_empty(), "names that two terms have: {twice:?}");
    }
}
