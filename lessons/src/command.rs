//! The command that gives the same numbers as a question.

use crate::query::Query;
use sim::Simulation;

impl Query {
    /// Returns the line of `parallax simulate` that gives the same numbers. Flags with their default values are left
    /// out.
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
        add("compute", self.compute.as_deref());
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
        add("delay", self.delay.as_deref());
        add("samples", number(self.samples.into(), usual.samples.into()).as_deref());
        add("clocks", self.clocks.as_deref());
        words.join(" ")
    }

    /// Returns a scenario of the question's calls on simulated ranks under the same model, timed by the same method and
    /// by windows. `None` where no method times them.
    pub fn scenario(&self, simulation: &Simulation) -> Option<String> {
        let method = self.method.as_deref().filter(|_| self.wait.is_none())?;
        let (algorithm, network) = (simulation.algorithm, &simulation.platform.network);
        let (operation, name) = (algorithm.collective.name(), algorithm.name);
        let methods = if method == "window" { vec![method] } else { vec![method, "window"] };
        let barrier = self.barrier.as_deref().unwrap_or("dissemination");
        let mut lines = vec![
            format!("# What does {method} report of a {name} {operation} on {} ranks?", self.ranks),
            format!("\nmethods = {methods:?}\ncalls = {}\nsamples = {}", self.calls, self.samples),
            format!("barrier = {barrier:?}\nseed = {}", self.seed),
        ];
        lines.extend(
            self.delay
                .as_deref()
                .filter(|delay| *delay != "none")
                .map(|delay| format!("\n[factors]\ndelay = {delay:?}")),
        );
        lines.push(format!("\n[simulated]\nmodel = {:?}", network.name()));
        // By its values: files of scenarios know no names of networks.
        let parameters = network.parameters().into_iter().filter(|(key, _)| *key != "send-rule");
        let parameters: Vec<String> = parameters.map(|(key, value)| format!("{key}={value}")).collect();
        lines.push(format!("parameters = {:?}", parameters.join(",")));
        let keys = [("send_rule", &self.send_rule), ("platform", &self.platform)];
        lines.extend(keys.iter().filter_map(|(key, value)| Some(format!("{key} = {:?}", value.as_ref()?))));
        let noise = self.sources().ok()?;
        lines.extend((!noise.is_empty()).then(|| format!("noise = {noise:?}")));
        lines.extend(self.clocks.as_deref().map(clocks));
        lines.push(format!("\n[[case]]\nworld = \"simulated\"\nranks = [{}]", self.ranks));
        lines.push(format!("operation = {operation:?}\nalgorithms = [{name:?}]"));
        lines.extend((self.bytes > 0).then(|| format!("bytes = \"{} B\"", self.bytes)));
        lines.extend((self.root > 0).then(|| format!("root = {}", self.root)));
        Some(lines.join("\n") + "\n")
    }
}

/// Returns the clocks of a command line as a table of a scenario.
fn clocks(text: &str) -> String {
    let line = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = if key == "jumps" { value.to_owned() } else { format!("{value:?}") };
        format!("\n{} = {value}", key.trim().replace('-', "_"))
    };
    format!("\n[clocks]{}", text.split(',').map(line).collect::<String>())
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "=,.:_+/%^-".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{word}'") }
}
