//! Several pages as one.

use super::{Figure, Page, Section};

impl Page {
    /// Joins pages one after the other, each under its question. A single page stays as it is.
    pub fn together(mut pages: Vec<Page>) -> Page {
        if pages.len() < 2 {
            return pages.pop().unwrap_or_default();
        }
        Page {
            question: format!("What do these {} campaigns show?", pages.len()),
            answer: "Each has its question and its answer.".to_owned(),
            details: pages.iter().map(|page| format!("{} {}", page.question, page.answer)).collect(),
            origin: pages.iter().map(|page| page.origin.as_str()).collect::<Vec<_>>().join("; "),
            reproduce: pages.iter().flat_map(|page| page.reproduce.clone()).collect(),
            environment: Vec::new(),
            sections: pages.into_iter().enumerate().map(|(index, page)| page.into_section(index + 1)).collect(),
        }
    }

    /// Returns the page as a section of another one. Its pictures and targets get names with its number there.
    fn into_section(self, number: usize) -> Section {
        let mut parts = self.sections;
        if !self.environment.is_empty() {
            parts.push(Section::new("Environment").folded().with_facts(self.environment));
        }
        parts.iter_mut().for_each(|part| part.renumber(number));
        let id = format!("campaign-{number}");
        let words = [self.answer, format!("{}.", self.origin)];
        Section::new(self.question).with_paragraphs(words).with_list(self.details).with_id(id).with_parts(parts)
    }
}

impl Section {
    fn renumber(&mut self, number: usize) {
        let own = |id: &str| if id.is_empty() { String::new() } else { format!("c{number}-{id}") };
        self.more.id = own(&self.more.id);
        self.figures.iter_mut().for_each(|Figure { name, .. }| *name = own(name));
        let cells = self.tables.iter_mut().flat_map(|table| table.rows.iter_mut().flatten());
        cells.for_each(|cell| cell.link = own(&cell.link).into_boxed_str());
        self.more.parts.iter_mut().for_each(|part| part.renumber(number));
    }
}
