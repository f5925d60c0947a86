//! Filling in the template of a page.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

/// Fills in a template of HTML: values are escaped, and what is not defined is an error.
///
/// # Errors
/// Only where the template itself is broken.
pub(crate) fn fill(template: &str, with: Serde<impl Serialize>) -> Result<String, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    templates.add_template("page.html", template)?;
    // The template engine drops the last line break.
    Ok(templates.get_template("page.html")?.render(with)? + "\n")
}
