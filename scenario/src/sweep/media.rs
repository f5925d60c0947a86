//! Media of a sweep, networks or shared memories: models with their send rules and parameters, found by index.

/// Models in the file's order, each with all its send rules and all combinations of its parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Media {
    /// Choices, each with the index of its first combination.
    choices: Vec<(u64, Choice)>,
    count: u64,
}

/// Model with the values that are varied.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// Name of the model.
    pub model: String,
    /// Send rules. `None` stands for the model's own.
    pub send_rules: Vec<Option<String>>,
    /// Settings of each parameter. A combination takes one of each, and the last varies fastest.
    pub settings: Vec<Vec<String>>,
}

/// Model with one combination of its parameters, as the file writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenModel<'a> {
    pub model: &'a str,
    pub send_rule: Option<&'a str>,
    pub settings: String,
}

impl Choice {
    fn count(&self) -> u64 {
        let settings = self.settings.iter().map(|values| values.len() as u64);
        settings.fold(self.send_rules.len() as u64, u64::saturating_mul)
    }

    fn get(&self, mut index: u64) -> WrittenModel<'_> {
        let mut settings = Vec::new();
        for values in self.settings.iter().rev() {
            settings.push(values[(index % values.len() as u64) as usize].as_str());
            index /= values.len() as u64;
        }
        settings.reverse();
        let send_rule = self.send_rules[index as usize].as_deref();
        WrittenModel { model: &self.model, send_rule, settings: settings.join(",") }
    }
}

impl Media {
    pub(super) fn push(&mut self, choice: Choice) {
        let count = choice.count();
        self.choices.push((self.count, choice));
        self.count = self.count.saturating_add(count);
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn get(&self, index: u64) -> WrittenModel<'_> {
        let choice = self.choices.partition_point(|(first, _)| *first <= index) - 1;
        let (first, choice) = &self.choices[choice];
        choice.get(index - first)
    }

    /// Returns the first combination of each choice.
    pub(super) fn firsts(&self) -> impl Iterator<Item = WrittenModel<'_>> {
        self.choices.iter().map(|(_, choice)| choice.get(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_parameters_multiply_and_models_follow_each_other() {
        let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        let mut media = Media::default();
        let send_rules = vec![Some("busy".to_owned()), Some("eager".to_owned())];
        let settings = vec![texts(&["alpha=1us", "alpha=2us"]), texts(&["beta=1ns/B", "beta=2ns/B", "beta=3ns/B"])];
        media.push(Choice { model: "hockney".to_owned(), send_rules, settings });
        media.push(Choice { model: "logp".to_owned(), send_rules: vec![None], settings: Vec::new() });
        assert_eq!(media.count(), 13);
        let fourth =
            WrittenModel { model: "hockney", send_rule: Some("busy"), settings: "alpha=2us,beta=1ns/B".to_owned() };
        assert_eq!(media.get(3), fourth);
        assert_eq!(media.get(6).send_rule, Some("eager"));
        assert_eq!(media.get(12), WrittenModel { model: "logp", send_rule: None, settings: String::new() });
    }
}
