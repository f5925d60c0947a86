//! The Python module in `python/` on real files and with the real command: `python/test_parallax.py`, by a Python with pandas.
//!
//! `scripts/setup --python` makes one in `target/python`. Without any the test says that it is left out; with
//! PARALLAX_REQUIRE_PYTHON it fails.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python with pandas: that of `scripts/setup`, or the machine's.
fn python() -> Option<PathBuf> {
    let target =
        Path::new(env!("CARGO_BIN_EXE_parallax")).ancestors().nth(2).map(|target| target.join("python/bin/python"));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python/bin/python");
    let has_pandas = |python: &PathBuf| {
        let done = Command::new(python).args(["-c", "import pandas"]).output();
        done.is_ok_and(|done| done.status.success())
    };
    target.into_iter().chain([own, "python3".into()]).find(has_pandas)
}

#[test]
fn the_python_module_reads_every_file_and_calls_the_command() {
    let Some(python) = python() else {
        let cure = "there is no Python with pandas; scripts/setup --python makes one";
        assert!(std::env::var_os("PARALLAX_REQUIRE_PYTHON").is_none(), "{cure}");
        eprintln!("left out: {cure}");
        return;
    };
    let mut command = Command::new(python);
    command.args(["-m", "unittest", "-v"]).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("python"));
    let done = command.env("PARALLAX", env!("CARGO_BIN_EXE_parallax")).env("PYTHONDONTWRITEBYTECODE", "1").output();
    let done = done.expect("started");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
