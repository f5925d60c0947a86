//! Coordinates of numbers in words for readers: only those that differ among the numbers, and of settings only the
//! items that differ.

use programs::observation::World;
use render::groups::distinct;
use render::plots::numbers::bytes;
use scenario::axis::{Axis, AxisValue, Key};
use std::collections::BTreeMap;

/// Axes on which keys differ; the one by which they are grouped is the first.
pub struct Coordinates {
    axes: Vec<Axis>,
    /// Items that all settings on an axis have.
    common: BTreeMap<Axis, Vec<String>>,
    /// Whether noises of several sources all differ in the number of their sources.
    sources: bool,
}

/// Axes by which numbers are grouped where they differ on them; else it is the axis with the fewest values.
const GROUPS: [Axis; 3] = [Axis::Algorithm, Axis::Barrier, Axis::Operation];
/// Axes whose values are settings, `L=2us,o=1us`.
const SETTINGS: [Axis; 4] = [Axis::Parameters, Axis::Platform, Axis::Noise, Axis::Entry];

impl Coordinates {
    /// Finds the coordinates of keys, on the axes for which `keeps` is true.
    pub fn among(keys: &[&Key], keeps: impl Fn(Axis) -> bool) -> Coordinates {
        let values = |axis: Axis| distinct(keys.iter().map(|key| key.get(axis)));
        let differ = |axis: &Axis| values(*axis).len() > 1;
        // The numbers of a queue are in its name, and its memory is their product.
        let is_said = |axis: Axis| match axis {
            Axis::Algorithm | Axis::Queue => [Axis::Fragment, Axis::Buffers].iter().any(differ),
            Axis::Transport => differ(&Axis::World),
            // A network's parameters may contain its rule.
            Axis::SendRule => keys.iter().any(|key| key.text(Axis::Parameters).contains("send-rule=")),
            _ => false,
        };
        let mut axes: Vec<Axis> =
            Axis::ALL.into_iter().filter(|axis| keeps(*axis) && differ(axis) && !is_said(*axis)).collect();
        let first = GROUPS.into_iter().find(|axis| axes.contains(axis));
        let first = first.or_else(|| axes.iter().copied().min_by_key(|axis| values(*axis).len()));
        axes.sort_by_key(|axis| Some(*axis) != first);
        let common = SETTINGS.into_iter().map(|axis| {
            let all: Vec<String> = values(axis).into_iter().flatten().map(AxisValue::to_string).collect();
            let items = all.first().map(|value| value.split(',').map(str::to_owned).collect::<Vec<_>>());
            let is_common = |item: &String| all.iter().all(|value| value.split(',').any(|one| one == item));
            (axis, items.unwrap_or_default().into_iter().filter(is_common).collect())
        });
        let noises = values(Axis::Noise).into_iter().flatten().map(|noise| noise.to_string().split(" + ").count());
        let several: Vec<usize> = noises.filter(|sources| *sources > 1).collect();
        let sources = distinct(several.iter().copied()).len() == several.len();
        Coordinates { axes, common: common.collect(), sources }
    }

    /// Drops the axes that have the most values, until keys have at most `most` different words.
    pub(crate) fn no_more_than(mut self, most: usize, keys: &[&Key]) -> Coordinates {
        while self.axes.len() > 1 && distinct(keys.iter().map(|key| self.words(key))).len() > most {
            let values = |axis: &Axis| distinct(keys.iter().map(|key| key.get(*axis))).len();
            let Some(place) = (1..self.axes.len()).max_by_key(|place| values(&self.axes[*place])) else { break };
            self.axes.remove(place);
        }
        self
    }

    /// Returns one text for each axis, at least one: the algorithm and the operation where all keys agree.
    pub fn words(&self, key: &Key) -> Vec<String> {
        if self.axes.is_empty() {
            let called = [Axis::Algorithm, Axis::Operation].map(|axis| key.text(axis));
            return vec![called.join(" ").trim().to_owned()];
        }
        self.axes.iter().map(|axis| self.word(*axis, key)).collect()
    }

    fn word(&self, axis: Axis, key: &Key) -> String {
        let name = axis.name().trim_end_matches("_bytes");
        match (axis, key.get(axis)) {
            (_, None) => format!("no {name}"),
            (_, Some(AxisValue::Text(text))) if text == "none" => format!("no {name}"),
            (Axis::Bytes, Some(AxisValue::Number(number))) => bytes(*number),
            (Axis::Segment | Axis::Fragment, Some(AxisValue::Number(number))) => {
                format!("{name}s of {}", bytes(*number))
            }
            (Axis::Queue, Some(AxisValue::Number(number))) => format!("queue of {}", bytes(*number)),
            (Axis::Ranks | Axis::Calls | Axis::Buffers, Some(AxisValue::Number(1))) => {
                format!("one {}", name.trim_end_matches('s'))
            }
            (Axis::Ranks | Axis::Calls | Axis::Buffers | Axis::Sets | Axis::Samples, Some(value)) => {
                format!("{value} {name}")
            }
            (_, Some(AxisValue::Number(number))) => format!("{name} {number}"),
            (Axis::Rank, Some(AxisValue::Text(text))) if text == "mean" => "mean over ranks".to_owned(),
            (Axis::Rank, Some(value)) => format!("{value} rank"),
            (Axis::World, Some(value)) => from(&value.to_string()),
            (Axis::Window, Some(AxisValue::Text(rules))) if rules.contains('=') => format!("windows with {rules}"),
            (Axis::Window, Some(value)) => format!("windows of {value}"),
            (Axis::Benchmark, Some(value)) => format!("printed by {}", value.to_string().replace('=', " ")),
            (Axis::Entry | Axis::Noise, Some(value)) => format!("{name} {}", self.setting(axis, value)),
            (Axis::Parameters | Axis::Platform, Some(value)) => self.setting(axis, value),
            (Axis::Barrier | Axis::Buffer | Axis::Delay | Axis::Clock | Axis::Compute, Some(value)) => {
                format!("{name} {value}")
            }
            (_, Some(value)) => value.to_string(),
        }
    }

    /// Returns a setting without the items that all settings have.
    fn setting(&self, axis: Axis, value: &AxisValue) -> String {
        let whole = value.to_string();
        let sources = whole.split(" + ").count();
        if self.sources && sources > 1 {
            return format!("of {sources} sources");
        }
        let common = self.common.get(&axis).map(Vec::as_slice).unwrap_or_default();
        let items: Vec<&str> = whole.split(',').filter(|item| common.iter().all(|one| one != item)).collect();
        let told = if items.is_empty() { whole.replace(',', ", ") } else { items.join(", ") };
        told.replace('=', " ")
    }
}

/// Describes a world: `simulated`, or `measured on threads`.
pub(crate) fn from(world: &str) -> String {
    match World::find(world, World::all()) {
        Ok(World::Simulated) => "simulated".to_owned(),
        Ok(world) => format!("measured on {}", world.title()),
        Err(_) => world.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(ranks: u64, platform: &str, noise: &str) -> Key {
        Key::default()
            .named(Axis::Algorithm, "binomial")
            .counted(Axis::Ranks, Some(ranks))
            .named(Axis::Platform, platform)
            .named(Axis::Noise, noise)
    }

    #[test]
    fn only_what_differs_is_told_and_of_settings_the_items_that_differ() {
        let keys = [key(8, "placement=block:8,L=2us", "none"), key(16, "placement=cyclic:2,L=2us", "mean=5us")];
        let keys: Vec<&Key> = keys.iter().collect();
        let told = Coordinates::among(&keys, |_| true);
        assert_eq!(told.words(keys[0]), ["8 ranks", "placement block:8", "no noise"]);
        assert_eq!(told.words(keys[1]), ["16 ranks", "placement cyclic:2", "noise mean 5us"]);
        assert_eq!(Coordinates::among(&keys, |axis| axis == Axis::Noise).words(keys[0]), ["no noise"]);
        assert_eq!(Coordinates::among(&keys[..1], |_| true).words(keys[0]), ["binomial"]);
    }

    #[test]
    fn too_many_lines_become_fewer_by_the_axis_with_the_most_values() {
        let keys: Vec<Key> =
            (1..=8).flat_map(|ranks| ["none", "mean=5us"].map(|noise| key(ranks, "", noise))).collect();
        let keys: Vec<&Key> = keys.iter().collect();
        let told = Coordinates::among(&keys, |_| true).no_more_than(4, &keys);
        assert_eq!(distinct(keys.iter().map(|key| told.words(key))), [["no noise"], ["noise mean 5us"]]);
    }
}
