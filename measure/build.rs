//! Compiles the one constant that only C can read: `MPI_IN_PLACE` is a cast, which bindings do not get.

fn main() {
    println!("cargo::rerun-if-changed=src/mpi/in_place.c");
    println!("cargo::rerun-if-env-changed=MPICC");
    #[cfg(feature = "mpi")]
    cc::Build::new()
        .compiler(std::env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned()))
        .file("src/mpi/in_place.c")
        .compile("parallax_in_place");
}
