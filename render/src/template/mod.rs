//! Filling in the template of a page. All pages extend `base.html`: one head, one style, so that they look alike.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

/// Templates of HTML: values are escaped, and undefined ones are an error. The last line break of each is dropped.
pub struct Templates(Environment<'static>);

impl Templates {
    /// Compiles templates, each with its name; they can extend `base.html`.
    ///
    /// # Errors
    /// Fails only where a template itself is broken.
    pub fn new(
        templates: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Result<Templates, minijinja::Error> {
        let mut all = Environment::new();
        all.set_auto_escape_callback(|_| AutoEscape::Html);
        all.set_undefined_behavior(UndefinedBehavior::Strict);
        all.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        all.add_function("common_style", || include_str!("page.css"));
        all.add_filter("room", room);
        for (name, text) in templates.into_iter().chain([("base.html", include_str!("base.html"))]) {
            all.add_template(name, text)?;
        }
        Ok(Templates(all))
    }

    /// Fills in a template.
    ///
    /// # Errors
    /// Fails only where the template itself is broken.
    pub fn fill(&self, name: &str, with: Serde<impl Serialize>) -> Result<String, minijinja::Error> {
        self.0.get_template(name)?.render(with)
    }
}

/// Returns the style's name for the room of a picture, which depends on its width.
fn room(svg: &str) -> &'static str {
    let head = svg.get(..svg.find('>').unwrap_or(0)).unwrap_or_default();
    let width = head.split(" width=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse::<f64>().ok());
    match width {
        Some(width) if width <= 520.0 => "phone",
        Some(width) if width <= 640.0 => "small",
        Some(width) if width <= 800.0 => "",
        _ => "wide",
    }
}

#[cfg(test)]
mod tests {
    use super::room;

    #[test]
    fn pictures_get_the_room_that_they_ask_for() {
        let of = |width: &str| {
            room(&format!("<svg font-family=\"x\" width=\"{width}\" height=\"9\"><rect width=\"1\"/></svg>"))
        };
        assert_eq!(["520", "600", "760", "960"].map(of), ["phone", "small", "", "wide"]);
        assert_eq!(room("<svg><rect width=\"1\"/></svg>"), "wide", "what says nothing may need it");
    }
}
