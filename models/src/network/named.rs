//! Published networks by name, as choices for a lesson or a first simulation.

/// A network whose LogP-family parameters were published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Name of the network, which `--set` takes.
    pub name: &'static str,
    /// Description of the network.
    pub words: &'static str,
    /// Year of the publication.
    pub year: u16,
    /// Parameters of LogGP, as `--set` takes them. Where none was published, G is 0.
    pub set: &'static str,
    /// Publication of the parameters, and the way in which they were taken over.
    pub source: &'static str,
}

/// All published networks, the oldest first.
pub const NAMED: [Named; 7] = [
    Named {
        name: "cm5-1993",
        words: "CM-5, active messages",
        year: 1993,
        set: "L=6us,o=2us,g=4us,G=0ns/B",
        source: "Culler et al., LogP: towards a realistic model of parallel computation, PPoPP 1993; short messages only, no G",
    },
    Named {
        name: "now-1997",
        words: "Berkeley NOW, Myrinet",
        year: 1997,
        set: "L=5us,o=2.9us,g=5.8us,G=26.3ns/B",
        source: "Martin et al., Effects of communication latency, overhead, and bandwidth in a cluster architecture, ISCA 1997; G from 38 MB/s",
    },
    Named {
        name: "paragon-1997",
        words: "Intel Paragon",
        year: 1997,
        set: "L=6.5us,o=1.8us,g=7.6us,G=7.1ns/B",
        source: "Martin et al., ISCA 1997, for comparison with NOW; G from 141 MB/s",
    },
    Named {
        name: "cs2-1997",
        words: "Meiko CS-2",
        year: 1997,
        set: "L=7.5us,o=1.7us,g=13.6us,G=21.3ns/B",
        source: "Martin et al., ISCA 1997, for comparison with NOW; G from 47 MB/s",
    },
    Named {
        name: "xt4-2008",
        words: "Cray XT4, SeaStar, MPI between nodes",
        year: 2008,
        set: "L=305ns,o=3.92us,g=3.92us,G=0.4ns/B",
        source: "Mudalige, Vernon and Jarvis, A plug-and-play model for evaluating wavefront computations on parallel architectures, IPDPS 2008; no g: that of o",
    },
    Named {
        name: "loggopsim-2010",
        words: "default of LogGOPSim",
        year: 2010,
        set: "L=2.5us,o=1.5us,g=1us,G=6ns/B",
        source: "Hoefler, Schneider and Lumsdaine, LogGOPSim, HPDC 2010: defaults of its command line, of no machine in particular",
    },
    Named {
        name: "alps-2025",
        words: "CSCS Alps, Slingshot, GPU collectives",
        year: 2025,
        set: "L=3.7us,o=200ns,g=5ns,G=0.04ns/B",
        source: "Shen et al., ATLAHS, SC 2025: lgs_ai_config.yaml of its repository",
    },
];

impl Named {
    /// Finds the network of a name.
    pub fn find(name: &str) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::parse;

    #[test]
    fn names_are_parameters_of_every_model_that_has_them_and_others_are_refused() {
        for named in NAMED {
            let by_name = parse("loggops", Some(named.name), None).unwrap();
            assert_eq!(by_name, parse("loggops", Some(named.set), None).unwrap(), "{}", named.name);
            assert!(named.name.ends_with(&named.year.to_string()) && named.source.contains(&named.year.to_string()));
        }
        assert!(NAMED.is_sorted_by_key(|named| named.year));
        let over = parse("loggp", Some("now-1997,L=1us"), None).unwrap();
        assert_eq!(over, parse("loggp", Some("L=1us,o=2.9us,g=5.8us,G=26.3ns/B"), None).unwrap());
        assert!(parse("loggops", Some("now-1998"), None).unwrap_err().contains("now-1997"));
    }
}
