//! `parallax doctor`: what is here, what is wrong, what to do.

use analysis::doctor::Page;
use campaign::doctor::examine;
use std::io::IsTerminal;
use std::process::ExitCode;

/// Examines this machine and prints what was found, for a terminal or as JSON.
pub fn run(json: bool) -> anyhow::Result<ExitCode> {
    let diagnosis = examine();
    if json {
        say!("{}\n", serde_json::to_string_pretty(&diagnosis)?)?;
    } else {
        let coloured = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        say!("{}", Page { diagnosis: &diagnosis, coloured })?;
    }
    Ok(diagnosis.exit_code())
}
