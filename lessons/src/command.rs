//! The command that gives the same numbers as a question.

use crate::query::Query;
use models::collective::Collective;

impl Query {
    /// The line of `parallax simulate` that gives the same numbers; what has its default is left out.
    pub fn command(&self) -> String {
        let mut words = vec!["parallax simulate".to_owned(), quoted(&self.operation)];
        let usual = Query::default();
        let mut add = |flag: &str, value: Option<&str>| {
            value.iter().for_each(|value| words.push(format!("--{flag} {}", quoted(value))));
        };
        let number = |value: u64, usual: u64| (value != usual).then(|| value.to_string());
        let text = |value: &String, usual: &String| (value != usual).then(|| value.clone());
        add("algorithm", text(&self.algorithm, &usual.algorithm).as_deref());
        add("ranks", Some(&self.ranks.to_string()));
        add("bytes", number(self.bytes, 0).as_deref());
        add("root", number(self.root.into(), 0).as_deref());
        add("segment", number(self.segment, 0).as_deref());
        add("fanout", self.fanout.map(|fanout| fanout.to_string()).as_deref());
        add("calls", number(self.calls.into(), 1).as_deref());
        add("model", self.model.as_deref());
        add("send-rule", self.send_rule.as_deref());
        add("set", self.set.as_deref());
        add("platform", self.platform.as_deref());
        self.noise.iter().for_each(|source| add("noise", Some(source)));
        self.detour.iter().for_each(|detour| add("detour", Some(detour)));
        add("seed", number(self.seed, usual.seed).as_deref());
        add("entry", self.entry.as_deref());
        add("realisations", number(self.realisations.into(), 1).as_deref());
        add("reference", text(&self.reference, &usual.reference).as_deref());
        add("method", self.method.as_deref());
        add("benchmark", self.benchmark.as_deref());
        add("errors", (!self.errors.is_empty()).then(|| self.errors.join(",")).as_deref());
        add("wait", self.wait.as_deref());
        add("barrier", self.barrier.as_deref());
        add("samples", number(self.samples.into(), usual.samples.into()).as_deref());
        add("clocks", self.clocks.as_deref());
        words.join(" ")
    }

    /// A scenario of the same calls on simulated ranks under the same model, timed by the same method and by windows; none
    /// where no method times them.
    pub fn scenario(&self) -> Option<String> {
        let method = self.method.as_deref()?;
        let methods = if method == "window" { vec![method] } else { vec![method, "window"] };
        let simulation = self.simulation().ok()?;
        let network = &simulation.platform.network;
        let mut text = format!("methods = {methods:?}\ncalls = {}\nsamples = {}\n", self.calls, self.samples);
        let mut line = |key: &str, value: Option<&String>| {
            value.iter().for_each(|value| text.push_str(&format!("{key} = {value:?}\n")));
        };
        line("barrier", Some(&self.barrier.clone().unwrap_or_else(|| "dissemination".to_owned())));
        let mut model = vec![format!("\n[simulated]\nmodel = {:?}", network.name())];
        let keys = [("parameters", &self.set), ("send_rule", &self.send_rule), ("platform", &self.platform)];
        model.extend(keys.iter().filter_map(|(key, value)| Some(format!("{key} = {:?}", value.as_ref()?))));
        model.extend(self.clocks.as_ref().map(|clocks| format!("clocks = {clocks:?}")));
        let noise: Vec<String> = self.sources().ok()?;
        model.extend((!noise.is_empty()).then(|| format!("noise = {noise:?}")));
        let rooted = simulation.algorithm.collective.is_rooted() && self.root > 0;
        let collective: Collective = simulation.algorithm.collective;
        let mut case = format!(
            "\n[[case]]\nworld = \"simulated\"\nranks = [{}]\noperation = {:?}\nalgorithms = [{:?}]\n",
            self.ranks,
            collective.name(),
            simulation.algorithm.name
        );
        if self.bytes > 0 {
            case.push_str(&format!("bytes = \"{} B\"\n", self.bytes));
        }
        if rooted {
            case.push_str(&format!("root = {}\n", self.root));
        }
        Some(format!("{text}{}\n{case}", model.join("\n")))
    }
}

/// As a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "=,.:_+/%^-".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{word}'") }
}
