//! The program `netlab`: a small cluster on one Linux machine, for as long as a command runs.
//!
//! Every host has namespaces of its own: network, host name, clocks, mounts. Nothing has a name outside of them, and
//! all processes live in one PID namespace whose first process ends with this program. So whatever happens to it, also
//! `kill -9`, the kernel removes processes, links, mounts and files: there is nothing to clean up.

#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod host;
#[cfg(target_os = "linux")]
mod lab;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
mod options;
#[cfg(target_os = "linux")]
mod relay;
#[cfg(target_os = "linux")]
mod supervise;
#[cfg(target_os = "linux")]
mod switch;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    use clap::Parser;
    match lab::run(&options::Options::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("netlab: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("netlab: hosts are made of Linux namespaces; this system is not Linux");
    ExitCode::from(2)
}
