//! A third MPI library, found by its name: a stand-in for Intel MPI, which is MPICH under another name (its launcher and its
//! `MPI_Get_library_version` say so), carries out what any library's ranks do.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::said::Page;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const LAUNCHER_SAYS: &str = "Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 20230307 (id: d82b3071db)";
const LIBRARY_SAYS: &str = "Intel(R) MPI Library 2021.9 for Linux* OS";

fn script(path: &Path, text: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// A folder with a launcher and a program of that library; none where there is no MPICH or C compiler.
fn stand_in() -> Option<TempDir> {
    let program = mpi_program("mpich")?;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = format!(
        "#include <string.h>\nint MPI_Get_library_version(char *text, int *length) {{ strcpy(text, \"{LIBRARY_SAYS}\\n\"); \
         *length = (int)strlen(text); return 0; }}\n"
    );
    std::fs::write(at("named.c"), source).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([at("named.so"), at("named.c")]).status();
    if !built.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no C compiler here");
        return None;
    }
    script(
        &at("mpirun"),
        &format!("[ \"$1\" = --version ] && echo '{LAUNCHER_SAYS}' && exit 0\nexec mpirun.mpich \"$@\""),
    );
    let (named, program) = (at("named.so"), program.canonicalize().unwrap());
    script(&at("program"), &format!("LD_PRELOAD={} exec {} \"$@\"", named.display(), program.display()));
    Some(folder)
}

fn with_it(folder: &TempDir, arguments: &[&str]) -> Done {
    let mut command = parallax(folder);
    command.env("PARALLAX_MPIRUN_INTELMPI", folder.path().join("mpirun"));
    command.env("PARALLAX_MPI_INTELMPI", folder.path().join("program"));
    finish(command.args(arguments))
}

#[test]
fn a_third_library_is_an_entry_of_a_table() {
    let Some(folder) = stand_in() else { return };
    let few = ["--ranks", "2", "--bytes", "8", "--launches", "1", "--samples", "3", "--calls", "4", "-q"];
    let done = with_it(&folder, &[&["measure", "bcast", "--world", "intelmpi", "--format", "csv"][..], &few].concat());
    assert_eq!(done.code, 0, "{done:?}");
    let rows = done.stdout.lines().skip(1).filter(|line| line.starts_with("intelmpi,native,2,bcast,library,0,8,"));
    assert!(rows.count() > 10, "{done:?}");
    let again = with_it(&folder, &["measure", "--resume", "--out", "results/measure-001", "--format", "json"]);
    assert!(again.code == 0 && again.stdout.contains("Intel MPI 2021.9 on "), "{again:?}");
    let doctor = with_it(&folder, &["doctor"]);
    assert!(doctor.stdout.contains("Intel MPI") && doctor.stdout.contains("2021.9"), "{doctor:?}");
    let without = finish(parallax(&folder).arg("doctor"));
    // A release that lies elsewhere has its version in its heading.
    assert!(!without.stdout.contains("\nIntel MPI\n"), "who does not have it is not told so: {without:?}");
}

#[test]
fn what_an_entry_lacks_is_refused_with_the_reason() {
    let Some(folder) = stand_in() else { return };
    let measure = ["measure", "bcast", "--world", "intelmpi", "--ranks", "2", "--bytes", "8"];
    let chain = [&measure[..], &["--algorithm", "library:chain"]].concat();
    let forced = with_it(&folder, &chain);
    assert_eq!(forced.code, 2, "{forced:?}");
    assert!(forced.stderr.contains("'chain'"), "{forced:?}");
    let absent = finish(parallax(&folder).args(measure));
    assert_eq!(absent.code, 2, "{absent:?}");
    assert!(absent.stderr.contains("No launcher of Intel MPI"), "{absent:?}");
    let mut page = Page::new();
    page.add(&chain, &forced);
    page.add(&measure, &absent);
    insta::assert_snapshot!(page);
}

/// Intel's wrappers without the variable that they need: one calls another, which finds no header.
#[test]
fn a_wrapper_that_is_there_and_does_not_compile_is_told_with_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    script(&bin.join("mpicc"), "exec \"$(dirname \"$0\")\"/mpigcc \"$@\"");
    let lacks = "echo 'fatal error: mpi.h: No such file or directory' >&2; exit 1";
    script(
        &bin.join("mpigcc"),
        &format!("[ -n \"$I_MPI_ROOT\" ] && echo '#define I_MPI_NUMVERSION 20211800000' && exit 0\n{lacks}"),
    );
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let asked = |library: &str, root: &str| {
        let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/mpi-compiler"));
        command.arg(library).env("PATH", &path).env("I_MPI_ROOT", root);
        finish(&mut command)
    };
    let told = asked("intelmpi", "");
    assert_eq!((told.code, told.stdout.as_str()), (1, ""), "{told:?}");
    let wrapper = bin.join("mpicc");
    let root = folder.path().canonicalize().unwrap();
    let said = [
        format!("{} does not compile: fatal error: mpi.h", wrapper.display()),
        format!("I_MPI_ROOT={}\n", root.display()),
    ];
    assert!(said.iter().all(|said| told.stderr.contains(said)), "{said:?}: {told:?}");
    let found = asked("intelmpi", folder.path().to_str().unwrap());
    assert_eq!((found.code, found.stdout, found.stderr.as_str()), (0, format!("{}\n", wrapper.display()), ""));
}
