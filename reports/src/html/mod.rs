//! The report of a campaign as one HTML page that needs nothing else: style and pictures are
//! inside, there is no script, and it prints.

mod clocks;
#[cfg(test)]
pub(crate) mod fixture;
mod table;
#[cfg(test)]
mod tests;
mod view;

use crate::comparison::Report;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use thiserror::Error;

/// The page could not be written.
#[derive(Debug, Error)]
#[error("the report's page could not be filled in: {0}; its template page.html is at fault")]
pub struct HtmlError(#[from] minijinja::Error);

/// The whole page. The same report yields the same bytes.
///
/// # Errors
/// Only where the template itself is broken; no report can cause it.
pub fn render(report: &Report) -> Result<String, HtmlError> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    templates.add_template("page.html", include_str!("page.html"))?;
    Ok(templates.get_template("page.html")?.render(Serde(view::Page::of(report)))?)
}
