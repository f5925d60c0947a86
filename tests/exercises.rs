//! Exercises that `parallax lesson` writes: files for students without answers, which `parallax run` judges.

mod common;

use common::command::{finish, parallax};

/// Answers that are not right, for each of the exercises that come with parallax.
const WRONG: [(&str, &str, &str); 5] = [
    ("barrier", "recursive-doubling", "tree"),
    ("crossover", "21..40+1", "15, 21..40+1"),
    ("first", "10", "12.25"),
    ("loop", "7", "6.4"),
    ("mean", "1", "0.625"),
];

#[test]
fn exercises_tell_right_from_wrong_and_students_get_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let done = finish(parallax(&folder).args(arguments.split(' ')));
        assert_eq!(done.code, 0, "{arguments}: {done:?}");
        // Lines are as long as the terminal is wide.
        done.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    run("lesson exercises class");
    let names: Vec<&str> = scenario::shipped::exercises().iter().map(|one| one.name).collect();
    assert_eq!(names, WRONG.map(|(name, ..)| name));
    for (name, wrong, right) in WRONG {
        let lecturers = run(&format!("run class/lecturers/{name}.toml"));
        assert!(lecturers.contains("✓ right") && !lecturers.contains('✗'), "{name}: {lecturers}");
        let file = format!("class/students/{name}.toml");
        let form = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        assert!(!form.contains(&format!("= {right}")) && !form.contains(&format!("= \"{right}")), "{name}: {form}");
        assert!(!form.contains("expectation"), "{name}: {form}");
        assert!(run(&format!("run {file}")).contains("no answer yet"), "{name}");
        let quoted = if wrong.parse::<f64>().is_ok() { wrong.to_owned() } else { format!("\"{wrong}\"") };
        std::fs::write(folder.path().join(&file), form.replacen("= \"?\"", &format!("= {quoted}"), 1)).unwrap();
        let said = run(&format!("run {file}"));
        assert!(said.contains("✗ not right") && said.ends_with(&format!("? {wrong}")), "{name}: {said}");
        assert!(!said.contains(&format!("? {right}")), "{name}: {said}");
        assert!(!folder.path().join("results").exists(), "{name}: nothing is kept that shows what is right");
        let told = run(&format!("run {file} --answers"));
        assert!(told.contains(&format!(": {right} (answered {wrong}")), "{name}: {told}");
        std::fs::remove_dir_all(folder.path().join("results")).unwrap();
    }
    let again = finish(parallax(&folder).args(["lesson", "exercises", "class"]));
    assert!(again.code == 2 && again.stderr.contains("exists already"), "{again:?}");
    let none = finish(parallax(&folder).args(["run", "loop-error", "--answers"]));
    assert!(none.code == 2 && none.stderr.contains("--answers: expected an exercise"), "{none:?}");
}
