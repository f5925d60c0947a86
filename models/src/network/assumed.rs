//! Assumptions that settings of a network model leave open: parameters at their defaults, and units.

use super::named::Named;
use super::settings::{default_of, has_no_unit, pairs};

/// Assumptions that settings `KEY=VALUE,…` of a model leave open, as a sentence: the parameters that stay at their
/// defaults, and the numbers without a unit. `None` if there are none, or if the settings cannot be read.
///
/// ```
/// let assumed = parallax_models::network::assumed("loggp", "L=2.5,o=1us");
/// assert_eq!(assumed.as_deref(), Some("g, G: default; L: no unit, so ns"));
/// assert_eq!(parallax_models::network::assumed("loggp", "L=2us,o=1us,g=1us,G=1ns/B"), None);
/// ```
pub fn assumed(model: &str, settings: &str) -> Option<String> {
    let (first, rest) = settings.split_once(',').unwrap_or((settings, ""));
    let named = Named::find(first.trim());
    let written = pairs(if named.is_some() { rest } else { settings }).ok()?;
    let published = named.and_then(|named| pairs(named.set).ok()).unwrap_or_default();
    let is_set = |name: &str| {
        let is_it = |(key, _): &&(&str, &str)| *key == name || (*key == "o" && matches!(name, "os" | "or"));
        written.iter().chain(&published).any(|pair| is_it(&pair))
    };
    let mut network = default_of(model).ok()?;
    let slots = network.slots();
    let left = slots.iter().filter(|(_, slot)| slot.is_quantity()).map(|(name, _)| *name).filter(|name| !is_set(name));
    let mut left: Vec<&str> = left.collect();
    if left.contains(&"os") && left.contains(&"or") {
        left.retain(|name| *name != "or");
        left.iter_mut().filter(|name| **name == "os").for_each(|name| *name = "o");
    }
    let unit = |key: &str| {
        let slot = slots.iter().find(|(name, _)| *name == key || (key == "o" && *name == "os"));
        slot.filter(|(_, slot)| slot.is_time()).map(|(_, slot)| slot.unit())
    };
    let bare = |unit_of: &str| {
        let is_bare = |(key, value): &&(&str, &str)| has_no_unit(value) && unit(key) == Some(unit_of);
        let names: Vec<&str> = written.iter().filter(is_bare).map(|(key, _)| *key).collect();
        (!names.is_empty()).then(|| format!("{}: no unit, so {unit_of}", names.join(", ")))
    };
    let defaults = (!left.is_empty()).then(|| format!("{}: default", left.join(", ")));
    let parts: Vec<String> = [defaults, bare("ns"), bare("ns/B")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::assumed;

    #[test]
    fn defaults_and_missing_units_are_named() {
        for (model, settings, expected) in [
            ("loggops", "L=2us,o=1us", Some("g, G, O, S: default")),
            ("loggops", "L=2us,o=1us,g=1us,G=1ns/B,O=0ns/B", Some("S: default")),
            ("loggops", "L=2us,o=1us,g=1us,G=1ns/B,O=0ns/B,S=64KiB", None),
            ("loggops", "os=1us,L=1us,g=1us,G=6,O=0,S=none", Some("or: default; G, O: no unit, so ns/B")),
            ("loggops", "now-1997", Some("O, S: default")),
            ("loggp", "now-1997,o=3", Some("o: no unit, so ns")),
            ("hockney", "alpha=5us", Some("beta: default")),
            ("logp", "L=1.,o=1us,g=0", Some("L, g: no unit, so ns")),
            ("loggp", "nonsense", None),
        ] {
            assert_eq!(assumed(model, settings).as_deref(), expected, "{model} {settings}");
        }
    }
}
