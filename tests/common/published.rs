//! Summaries in the form in which PICO publishes numbers.

use fit::Benchmark;
use models::collective::Collective;
use programs::budget::Configuration;
use programs::method::Preset;
use programs::observation::Barrier;

/// First line of a summary.
pub const HEADS: &str = "system,run,test,nodes,ranks_per_node,collective,library,version,algorithm,elements,dtype,calls,first_ns,min_ns,\
    p10_ns,p25_ns,median_ns,p75_ns,p90_ns,mean_ns,max_ns,gpu,notes\n";

/// Collective, published name, elements of the whole buffer, and number in µs.
pub type Rows = Vec<(Collective, &'static str, u64, f64)>;

/// Lines of a summary: of a run on so many nodes with so many ranks each, all calls of each row having taken as long.
pub fn lines_on(run: &str, nodes: &str, library: &str, rows: Rows) -> String {
    let line = |(collective, name, elements, us): (Collective, &str, u64, f64)| {
        let (collective, ns) = (collective.name().to_uppercase().replace('-', "_"), us * 1e3);
        let ns = vec![ns.to_string(); 9].join(",");
        format!("alpha,{run},0,{nodes},{collective},{library},4.1.6,{name},{elements},int32,1000,{ns},no,\n")
    };
    rows.into_iter().map(line).collect()
}

/// The benchmark of such numbers, behind a barrier, on a platform of which more is known.
pub fn benchmark(barrier: &str, platform: &str) -> Benchmark {
    Benchmark {
        configuration: Configuration::preset(Preset::Pico, Some("median")).unwrap(),
        barrier: Barrier::find(barrier).unwrap(),
        samples: 16,
        platform: platform.to_owned(),
        near: false,
    }
}
