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
use crate::template::fill;
use minijinja::value::Serde;
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
    Ok(fill(include_str!("page.html"), Serde(view::Page::of(report)))?)
}
