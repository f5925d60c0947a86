"""Parallax for Spack, from a folder of its sources:

    spack repo create parallax-repo && cp -r packaging/spack/parallax-mpi parallax-repo/packages/
    spack repo add parallax-repo
    spack dev-build parallax-mpi@main ^openmpi        # in the folder of the sources
"""

from spack.package import *


class ParallaxMpi(Package):
    """Predicts, measures and compares how far an MPI benchmark's method shifts the number it prints."""

    license("MIT OR Apache-2.0")

    version("main")

    variant("mpi", default=True, description="Measure on real MPI ranks; without it ranks are threads")
    variant("parquet", default=False, description="Export samples as Parquet")

    depends_on("c", type="build")
    depends_on("rust@1.90:", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("llvm +clang", type="build", when="+mpi")
    depends_on("pkgconfig", type="build", when="+mpi")

    def library(self):
        """The name by which Parallax knows the MPI library."""
        return "openmpi" if self.spec["mpi"].name == "openmpi" else "mpich"

    def install(self, spec, prefix):
        cargo = which("cargo")
        features = ["--features", "parquet"] if "+parquet" in spec else []
        cargo("build", "--release", "--locked", "--bin", "parallax", *features)
        mkdirp(prefix.bin)
        install("target/release/parallax", prefix.bin)
        if "+mpi" in spec:
            wrapper = spec["mpi"].mpicc
            cargo.add_default_env("MPICC", wrapper)
            cargo.add_default_env("CC", wrapper)
            cargo.add_default_env("LIBCLANG_PATH", spec["llvm"].prefix.lib)
            for package in ("parallax-ranks", "parallax-shim"):
                cargo("build", "--release", "--locked", "-p", package, "--features", "mpi", "--target-dir", "target/mpi")
            name = self.library()
            install("target/mpi/release/parallax-mpi", join_path(prefix.bin, f"parallax-mpi-{name}"))
            install("target/mpi/release/libparallax_shim.so", join_path(prefix.bin, f"libparallax-shim-{name}.so"))
