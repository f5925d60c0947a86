//! A page as Markdown, without its pictures.

use super::{Page, Section};

impl Page {
    /// Returns the page as Markdown: question, answer, details and sections.
    pub fn markdown(&self) -> String {
        let question = if self.question.is_empty() { &self.origin } else { &self.question };
        let mut text = format!("# {question}\n");
        if !self.answer.is_empty() {
            text += &format!("\n**{}**\n", self.answer);
        }
        self.details.iter().for_each(|detail| text += &format!("\n{detail}\n"));
        self.sections.iter().for_each(|section| text += &section.markdown("##"));
        text
    }
}

impl Section {
    /// Returns the section under a heading of this level, and its parts one level below.
    fn markdown(&self, level: &str) -> String {
        let mut text = String::new();
        if !self.heading.is_empty() {
            text += &format!("\n{level} {}\n", self.title());
        }
        self.warnings.iter().for_each(|warning| text += &format!("\n> {warning}\n"));
        self.more.background.iter().chain(&self.paragraphs).for_each(|paragraph| text += &format!("\n{paragraph}\n"));
        let facts = self.more.facts.iter().map(|(name, value)| match name.as_str() {
            "" => value.clone(),
            name => format!("{name}: {value}"),
        });
        let list: String = self.more.list.iter().cloned().chain(facts).map(|item| format!("- {item}\n")).collect();
        if !list.is_empty() {
            text += &format!("\n{list}");
        }
        for table in &self.tables {
            if !table.caption.is_empty() {
                text += &format!("\n{}\n", table.caption);
            }
            text += &format!("\n{}", table.markdown());
            table.notes.iter().for_each(|note| text += &format!("\n{note}\n"));
        }
        self.more.parts.iter().for_each(|part| text += &part.markdown(&format!("{level}#")));
        text
    }
}
