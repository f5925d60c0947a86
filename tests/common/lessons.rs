//! Pages of lessons in a browser: when they are whole, and whether they tell what commands tell.

use super::answers::as_lessons_have_it;
use super::chromium::Tab;
use super::command::{finish, parallax};
use serde_json::Value;

/// A picture is there, and so is everything that is simulated for it.
pub const WHOLE: &str = "document.documentElement.dataset.whole === 'true' && document.getElementById('failed').hidden";

/// What `parallax simulate` or `parallax shm simulate` says by the command that the page shows.
pub fn commanded(folder: &tempfile::TempDir, command: &str) -> Value {
    let words: Vec<String> = command.split(' ').skip(1).map(|word| word.trim_matches('\'').to_owned()).collect();
    let whole = ["shm", "--method", "--errors", "--benchmark", "--realisations"];
    let tells_all = words.iter().any(|word| whole.contains(&&**word));
    let more: &[&str] = if tells_all { &["--format", "json"] } else { &["--format", "json", "--per-rank"] };
    let done = finish(parallax(folder).args(&words).args(more));
    assert_eq!(done.code, 0, "{command}: {}", done.stderr);
    let answer = serde_json::from_str(&done.stdout);
    as_lessons_have_it(answer.unwrap_or_else(|error| panic!("{command}: {error}: {}", done.stdout)))
}

/// JSON as a page's script knows it: all numbers are of one kind.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64().unwrap()),
        Value::Array(all) => Value::Array(all.into_iter().map(plain).collect()),
        Value::Object(all) => Value::Object(all.into_iter().map(|(key, value)| (key, plain(value))).collect()),
        other => other,
    }
}

/// The commands that the page shows, a line for each run, and what its own simulator answers to each, without what commands do
/// not print.
pub fn shown(tab: &mut Tab) -> Vec<(String, Value)> {
    let lines = tab.value("document.getElementById('command').textContent.split('\\n')");
    let lines = lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned());
    let both = lines.map(|line| {
        let told = format!("page.shown.runs.find((run) => run?.command === {})", Value::from(line.clone()));
        let mut answer = tab.value(&told);
        let answer_keys = answer.as_object_mut().expect("every line is that of a run");
        ["command", "scenario", "trace"].iter().for_each(|key| _ = answer_keys.remove(*key));
        (line, answer)
    });
    both.collect()
}

pub fn compare(tab: &mut Tab, folder: &tempfile::TempDir) {
    for (command, answer) in shown(tab) {
        // What is drawn was written down by the event engine; the numbers are those of the fast one.
        let numbers = |mut answer: Value| {
            answer.as_object_mut().map(|answer| answer.remove("engine"));
            plain(answer)
        };
        assert_eq!(numbers(answer), numbers(commanded(folder, &command)), "{command}");
    }
}

/// Every canvas shows something.
pub fn drawn(tab: &mut Tab) {
    let colours = "[...document.querySelectorAll('#pictures canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size; })";
    let counts = tab.value(colours);
    let counts = counts.as_array().unwrap();
    assert!(!counts.is_empty() && counts.iter().all(|count| count.as_u64() > Some(3)), "{counts:?} colours");
}
