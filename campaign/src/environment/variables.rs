//! Environment variables that change measured times.

/// Beginnings of the names of variables that configure MPI libraries, their transports, launchers, the C library's
/// allocator and this program, or select the libraries that a program loads.
const PREFIXES: [&str; 22] = [
    "OMPI_",
    "OPAL_",
    "PMIX_",
    "PRTE_",
    "MPIR_",
    "MPICH_",
    "MPIEXEC_",
    "HYDRA_",
    "UCX_",
    "UCC_",
    "FI_",
    "PSM2_",
    "PSM3_",
    "HWLOC_",
    "SLURM_",
    "FLUX_",
    "PARALLAX_",
    "I_MPI_",
    "GLIBC_TUNABLES",
    "MALLOC_",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
];
/// Parts of names whose values may be secrets. These are left out, because records are passed on.
const SECRETS: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "COOKIE"];
/// Length in characters at which values are cut.
const LONGEST: usize = 200;

/// Returns the variables that are set, as facts `variable NAME`, in the order of names.
pub(super) fn variables(all: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let matters = |name: &str| {
        PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !SECRETS.iter().any(|secret| name.contains(secret))
    };
    let mut found: Vec<(String, String)> = all.filter(|(name, _)| matters(name)).collect();
    found.sort_unstable();
    found.into_iter().map(|(name, value)| (format!("variable {name}"), cut(&value))).collect()
}

fn cut(value: &str) -> String {
    let kept: String = value.chars().take(LONGEST).collect();
    if kept.len() < value.len() { kept + "…" } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_any_library_transport_or_loader_something_is_kept() {
        let names = [
            "OMPI_MCA_btl",
            "OPAL_PREFIX",
            "PRTE_MCA_rmaps_default_mapping_policy",
            "PMIX_MCA_gds",
            "MPIR_CVAR_NEMESIS_SHM_EAGER_MAX_SZ",
            "I_MPI_PIN",
            "PSM2_DEVICES",
            "PSM3_MULTI_EP",
            "UCC_TLS",
            "UCX_TLS",
            "FI_PROVIDER",
            "LD_LIBRARY_PATH",
            "LD_PRELOAD",
        ];
        let found = variables(names.iter().map(|name| ((*name).to_owned(), "x".to_owned())));
        let mut expected = names.map(|name| (format!("variable {name}"), "x".to_owned()));
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn only_what_matters_is_kept_and_no_secrets() {
        let set =
            [("UCX_TLS", "sm"), ("HOME", "/root"), ("OMPI_MCA_btl", "self"), ("SLURM_JWT_TOKEN", "x"), ("FI", "y")];
        let set = set.into_iter().chain([("MALLOC_ARENA_MAX", "1"), ("LD_DEBUG", "all")]);
        let found = variables(set.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let expected =
            [("variable MALLOC_ARENA_MAX", "1"), ("variable OMPI_MCA_btl", "self"), ("variable UCX_TLS", "sm")];
        assert_eq!(found, expected.map(|(label, value)| (label.to_owned(), value.to_owned())));
        assert_eq!(cut(&"µ".repeat(LONGEST)), "µ".repeat(LONGEST));
        assert_eq!(cut(&"µ".repeat(LONGEST + 1)).chars().count(), LONGEST + 1);
    }
}
