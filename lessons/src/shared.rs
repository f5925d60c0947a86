//! Broadcasts through shared memory: the question of a lesson, and its answer as JSON.

use crate::traced::traced;
use models::shared_broadcast::{Calls, Design, NodeCosts, Notified, Queue, Scheme, Taken};
use models::time::Time;
use scenario::BadInput;
use serde::Deserialize;
use serde_json::{Value, json};
use sim::SharedNode;

/// Most ranks of a lesson.
const MOST_RANKS: u32 = 64;
/// Most notifications: more take longer than a slider may.
const MOST_NOTIFICATIONS: u64 = 1 << 18;

/// Question on broadcasts through shared memory. Its keys are flags of `parallax shm simulate`. Numbers of bytes are
/// plain, other values as on the command line.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedQuery {
    /// Number of ranks in the broadcast.
    pub ranks: u32,
    /// Name of the design that ranks carry out.
    #[serde(default = "numa")]
    pub design: String,
    /// Tree of notifications, by name.
    pub tree: String,
    /// Bytes of the message.
    pub bytes: u64,
    /// Bytes of a fragment.
    pub fragment: u64,
    /// Number of buffers in a queue.
    pub buffers: u64,
    /// Number of sets that the buffers are split into.
    #[serde(default = "one")]
    pub sets: u64,
    /// Parameters of the node, as `KEY=VALUE,…`.
    pub set: Option<String>,
    /// Whether the answer has a trace of what every rank did when.
    #[serde(default)]
    pub trace: bool,
}

fn numa() -> String {
    Design::Numa.name().to_owned()
}

fn one() -> u64 {
    1
}

/// Returns the times of calls by some schemes as JSON, in µs.
fn json(calls: &Calls, rows: &[Taken]) -> Value {
    let row = |row: &Taken| {
        let Scheme { design, queue, tree } = row.scheme;
        let [root, first, last] = row.last_call(calls).map(|span| span.as_us());
        let since = |time: &Time| time.since(Time::ZERO).as_us();
        let left: Vec<Vec<f64>> = row.left.iter().map(|call| call.iter().map(since).collect()).collect();
        json!({
            "design": design.name(), "tree": tree.to_string(), "fragment_bytes": queue.fragment_bytes(),
            "buffers": queue.buffers(), "sets": queue.sets(), "depth": row.depth(calls), "root_us": root,
            "first_reader_us": first, "last_reader_us": last, "per_call_us": row.per_call_us(calls),
            "one_reader_us": row.one_reader_us(calls), "over_one_reader": row.over_one_reader(calls), "left_us": left,
        })
    };
    let Calls { ranks, nodes, costs, bytes, roots } = calls;
    json!({
        "ranks": ranks, "numa_nodes": nodes, "parameters": costs.to_string(), "bytes": bytes, "roots": roots,
        "rows": rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

impl SharedQuery {
    /// Returns the answer, with the command that gives the same numbers.
    ///
    /// # Errors
    ///
    /// Fails for a value that is not known, in the words of the flag, and for more than a lesson simulates.
    pub fn answer_json(&self) -> Result<Value, BadInput> {
        let (calls, scheme) = self.checked()?;
        let Calls { ranks, nodes, costs, .. } = calls;
        let run = SharedNode { ranks, nodes, costs, scheme, record: self.trace }.run(&[(0, self.bytes)]);
        let run = run.map_err(|error| BadInput(error.to_string()))?;
        let mut answer = json(&calls, &[Taken { scheme, left: run.left }]);
        if let Some(trace) = &run.trace {
            answer["trace"] = json!(traced(trace));
        }
        answer["command"] = self.command().into();
        Ok(answer)
    }

    fn checked(&self) -> Result<(Calls, Scheme), BadInput> {
        let of = |flag: &'static str| move |message: String| BadInput(format!("{flag}: {message}"));
        let &SharedQuery { ranks, bytes, .. } = self;
        if !(1..=MOST_RANKS).contains(&ranks) {
            return Err(BadInput(format!("--ranks: expected 1 to {MOST_RANKS}, found {ranks}")));
        }
        let queue = Queue::new(self.fragment, self.buffers, self.sets).map_err(of("--fragment, --buffers, --sets"))?;
        let scheme = Scheme {
            design: Design::find(&self.design).map_err(of("--design"))?,
            queue,
            tree: Notified::parse(&self.tree).map_err(of("--tree"))?,
        };
        let costs = NodeCosts::parse(self.set.as_deref().unwrap_or_default()).map_err(of("--set"))?;
        let calls = Calls { ranks, nodes: 1, costs, bytes, roots: vec![0] };
        let notifications = calls.notifications(&scheme);
        if notifications > MOST_NOTIFICATIONS {
            let message = format!(
                "--bytes, --fragment, --ranks: expected up to {MOST_NOTIFICATIONS} notifications, found {notifications}"
            );
            return Err(BadInput(message));
        }
        Ok((calls, scheme))
    }

    /// Returns the line of `parallax shm simulate` that gives the same numbers.
    fn command(&self) -> String {
        let SharedQuery { ranks, design, tree, bytes, fragment, buffers, sets, .. } = self;
        let mut words = format!("parallax shm simulate --ranks {ranks} --design {design}");
        // Flags of properties that a design lacks are left out.
        let has = Design::find(design).map(|design| (design.has_tree(), design.has_sets())).unwrap_or_default();
        if has.0 {
            words += &format!(" --tree {tree}");
        }
        words += &format!(" --bytes {bytes} --fragment {fragment} --buffers {buffers}");
        if has.1 {
            words += &format!(" --sets {sets}");
        }
        words + &self.set.iter().map(|set| format!(" --set {set}")).collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use crate::ask;
    use serde_json::Value;

    #[test]
    fn one_reader_takes_what_the_formula_says_and_a_bad_question_is_a_sentence() {
        let asked = |more: &str| {
            let queue = r#""ranks": 2, "tree": "flat", "bytes": 65536, "fragment": 8192, "buffers": 4"#;
            ask(&format!(r#"{{ "shm": {{ {queue}{more} }} }}"#))
        };
        let answer: Value = serde_json::from_str(&asked(r#", "trace": true"#).unwrap()).unwrap();
        // Two uses of the queue: 2 (100 + 10) + 2 · 8192 + 8 · 50 + 65536 ns.
        assert_eq!(answer["rows"][0]["last_reader_us"], 82.54, "{answer}");
        assert_eq!(answer["rows"][0]["over_one_reader"], 1.0);
        let named = |nth: usize| answer["trace"]["activities"][nth].as_str().unwrap();
        assert_eq!([named(0), named(1)], ["copy-in", "copy-out"], "in words of the protocol");
        for (more, says) in [
            (r#", "sets": 3"#, "--sets"),
            (r#", "design": "knem""#, "--design"),
            (r#", "set": "tX=1ns""#, "--set"),
            (r#", "colour": 1"#, "colour"),
        ] {
            let told = asked(more).unwrap_err();
            assert!(told.contains(says) && !told.contains('\n'), "{more}: {told}");
        }
        let long = r#"{"shm": {"ranks": 64, "tree": "flat", "bytes": 16777216, "fragment": 1, "buffers": 4}}"#;
        assert!(ask(long).unwrap_err().contains("notifications"));
    }
}
