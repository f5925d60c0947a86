//! `parallax run --list`: the questions that come with the program, sorted by the systematic error that they show.

use crate::output::{print, terminal_width};
use programs::budget::SystematicError;
use render::words::hanging;
use scenario::expect::shown_errors;
use scenario::shipped::{Shipped, all, showing};
use std::process::ExitCode;

/// Prints the list of questions.
pub fn print_list() -> anyhow::Result<ExitCode> {
    let mut text = String::new();
    for error in SystematicError::ALL {
        text += &section(&error.to_string(), showing(error));
    }
    let others = all().into_iter().filter(|one| shown_errors(one.text).is_empty());
    text += &section("other questions", others);
    text += "Run one by its name: parallax run loop-error. The names that begin with sweep- are simulated only.\n";
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn section(title: &str, of: impl Iterator<Item = Shipped>) -> String {
    let line = |one: Shipped| {
        let question = one.text.lines().next().unwrap_or_default().trim_start_matches("# ");
        hanging(&format!("  {:<44} ", one.name), question, terminal_width()).join("\n") + "\n"
    };
    let lines: String = of.map(line).collect();
    if lines.is_empty() { lines } else { format!("{title}\n{lines}\n") }
}
