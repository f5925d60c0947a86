//! Tells the command the commit that it is built from, where git knows it. Without git the build succeeds all the same.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=PARALLAX_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    // Packagers of the sources may set it.
    let said = std::env::var("PARALLAX_COMMIT").ok().filter(|commit| !commit.trim().is_empty());
    let version = env!("CARGO_PKG_VERSION");
    match said.or_else(of_git) {
        Some(commit) => {
            println!("cargo:rustc-env=PARALLAX_COMMIT={}", commit.trim());
            println!("cargo:rustc-env=PARALLAX_VERSION={version} (commit {})", commit.trim());
        }
        None => println!("cargo:rustc-env=PARALLAX_VERSION={version}"),
    }
}

/// Returns the commit that is checked out here, and whether sources were changed since.
fn of_git() -> Option<String> {
    let here = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR")?).join("..").canonicalize().ok()?;
    // Sources that were unpacked within another repository do not belong to its commits.
    if Path::new(&git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()? != here {
        return None;
    }
    let commit = git(&["rev-parse", "HEAD"])?;
    let crates = [
        "analysis",
        "campaign",
        "goal",
        "lessons",
        "measure",
        "models",
        "ranks",
        "reports",
        "scenario",
        "sim",
        "statistics",
    ];
    let sources =
        crates.iter().map(|name| format!("{name}/src")).chain(["src", "Cargo.toml", "Cargo.lock"].map(str::to_owned));
    let watched = sources.map(|path| here.join(path).display().to_string());
    let branch = git(&["symbolic-ref", "-q", "HEAD"]);
    let of_head = ["HEAD", "index"].into_iter().chain(branch.as_deref());
    let of_head: Vec<String> = of_head.filter_map(|name| git(&["rev-parse", "--git-path", name])).collect();
    for path in watched.chain(of_head) {
        // A path that is named here but absent would make this run at every build.
        if Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { commit } else { format!("{commit}, with changes") })
}

/// Returns the output of git, if git is installed and succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let done = Command::new("git").args(arguments).output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8(done.stdout).ok()?.trim().to_owned())
}
