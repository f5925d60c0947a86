//! What kind of campaign it is, and so who makes the sections of its page.
//!
//! To add one: a variant, how it is recognised, its page.

use reports::page::Page;
use reports::store::Line;

/// The kinds of campaigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of `parallax run`: a scenario.
    Scenario,
    /// Of `parallax measure`: operations by all methods.
    Measurements,
}

impl Kind {
    /// By what a campaign was begun with: a plan is one object of JSON, a scenario is a text that people write.
    pub fn of(lines: &[Line]) -> Kind {
        let begun = lines.iter().rev().find_map(|line| match line {
            Line::Campaign { name, scenario_text, .. } => Some((name, scenario_text)),
            _ => None,
        });
        match begun {
            Some((name, text)) if name == "measure" && text.starts_with('{') => Kind::Measurements,
            _ => Kind::Scenario,
        }
    }

    /// The page of a campaign of this kind.
    ///
    /// # Errors
    /// Nothing says what was asked.
    pub fn page(self, lines: &[Line]) -> anyhow::Result<Page> {
        Ok(match self {
            Kind::Scenario => reports::html::page(&reports::compare::compare(lines)?),
            Kind::Measurements => reports::measured::page(&reports::measured::measured(lines)?),
        })
    }
}
