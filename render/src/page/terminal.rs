//! A page as text for a terminal, without its pictures.

use super::{Cell, Page, Section, Table};
use crate::paint::Paint;
use crate::results::Look;
use crate::words::{apart, hanging, indented};

impl Page {
    /// Returns the page as text: the answer, the details and the sections; folded sections only where everything is
    /// shown.
    pub fn terminal(&self, look: Look) -> String {
        let paint = Paint(look.colour);
        let mut answer =
            if self.answer.is_empty() { Vec::new() } else { paint.bold_lines(&self.answer, look.width, "") };
        answer.extend(self.details.iter().flat_map(|detail| indented(detail, look.width, "  ")));
        let mut parts = vec![answer];
        self.sections.iter().for_each(|section| section.terminal(look, &mut parts));
        let folded: Vec<&str> =
            self.sections.iter().filter(|section| section.more.folded).map(|section| &*section.heading).collect();
        if !look.detailed && !folded.is_empty() && !look.more.is_empty() {
            parts.push(hanging(&format!("{} also shows: ", look.more), &folded.join("; "), look.width));
        }
        apart(parts)
    }
}

impl Section {
    /// Adds the text of the section under its heading, and the parts of the section behind it.
    fn terminal(&self, look: Look, parts: &mut Vec<Vec<String>>) {
        if self.more.folded && !look.detailed {
            return;
        }
        let paint = Paint(look.colour);
        let tables: Vec<&Table> = self.tables.iter().filter(|table| look.detailed || !table.is_detail).collect();
        if tables.is_empty() && !self.tables.is_empty() && self.paragraphs.is_empty() && self.warnings.is_empty() {
            return;
        }
        let mut lines = Vec::new();
        if !self.heading.is_empty() {
            lines.extend(paint.bold_lines(&self.title(), look.width, ""));
        }
        lines.extend(self.warnings.iter().flat_map(|warning| hanging("! ", warning, look.width)));
        let background = self.more.background.iter().filter(|_| look.detailed);
        lines.extend(background.chain(&self.paragraphs).flat_map(|text| indented(text, look.width, "")));
        lines.extend(self.more.list.iter().flat_map(|item| hanging("  - ", item, look.width)));
        let widest = self.more.facts.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let facts = self.more.facts.iter();
        lines.extend(facts.flat_map(|(name, value)| {
            let mut lines = hanging(&format!("  {name:<widest$}  "), value, look.width);
            lines[0] = lines[0].replacen(name, &paint.verdict(name), 1);
            lines
        }));
        for table in tables {
            // A table with a heading of its own stands apart from the text above.
            if !table.caption.is_empty() {
                parts.push(std::mem::take(&mut lines));
                lines.extend(paint.bold_lines(&table.caption, look.width, "  "));
            }
            match table.sentences {
                true => lines.extend(cell_below_cell(table, look.width)),
                false => lines.extend(table.lines_on(look)),
            }
            lines.extend(table.notes.iter().flat_map(|note| indented(note, look.width, "  ")));
        }
        parts.push(lines);
        self.more.parts.iter().for_each(|part| part.terminal(look, parts));
    }
}

/// Lays out the rows of a table whose cells are sentences: the first cell, and below it each other cell behind its
/// head.
fn cell_below_cell(table: &Table, width: usize) -> Vec<String> {
    let widest = table.head.iter().skip(1).map(|head| head.chars().count()).max().unwrap_or(0);
    let row = |row: &Vec<Cell>| {
        let first = row.first().map(|cell| indented(&cell.whole(), width, "")).unwrap_or_default();
        let others = table.head.iter().zip(row).skip(1).filter(|(_, cell)| !cell.text.is_empty());
        let others = others.flat_map(|(head, cell)| hanging(&format!("    {head:<widest$}  "), &cell.whole(), width));
        first.into_iter().chain(others).collect::<Vec<_>>()
    };
    table.rows.iter().flat_map(row).collect()
}
