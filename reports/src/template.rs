//! Filling in the template of a page.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

/// Fills in a template of HTML: values are escaped, and what is not defined is an error. The last line break is dropped.
///
/// # Errors
/// Only where the template itself is broken.
pub(crate) fn fill(template: &str, with: Serde<impl Serialize>) -> Result<String, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    templates.add_template("page.html", template)?;
    templates.get_template("page.html")?.render(with)
}
