//! Filling in the template of a page. All pages extend `base.html`: one head, one style, so that they look alike.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde::Serialize;

/// Fills in a template of HTML: values are escaped, and undefined ones are an error. The last line break is dropped.
///
/// # Errors
/// Fails only where the template itself is broken.
pub fn fill(template: &str, with: Serde<impl Serialize>) -> Result<String, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_auto_escape_callback(|_| AutoEscape::Html);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    templates.add_function("common_style", || include_str!("page.css"));
    templates.add_filter("room", room);
    templates.add_template("base.html", include_str!("base.html"))?;
    templates.add_template("page.html", template)?;
    templates.get_template("page.html")?.render(with)
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
