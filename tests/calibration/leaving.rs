//! When ranks leave a barrier, by who entered it last: a calibration returns the times that its machine was given.

use super::one_clock::OneClock;
use super::{fitted, quick};
use models::network::{Network, SendRule};
use models::platform::Platform;
use programs::calibration::{CalibrationSettings, Leaving};
use programs::machine::ExitSkew;
use programs::observation::Implementation;
use sim::SimWorld;

/// What calibrating so many ranks of a platform says of their barrier.
fn left(refinements: &str, ranks: u32, one_clock: bool) -> ExitSkew {
    let network = Network::parse("loggp", Some("L=5us,o=200ns,g=300ns,G=0.04ns/B"), None).expect("a network");
    let platform = Platform::parse(network, refinements, |file| Err(file.to_owned())).expect("a platform");
    let world = SimWorld { network: platform, ..SimWorld::ideal(network, ranks) };
    let leaving = Some(Leaving::new(Implementation::Library, 60));
    let settings = CalibrationSettings { leaving, touching: false, ..quick(256) };
    let run = async |rank| {
        if one_clock { settings.run(&OneClock(rank)).await } else { settings.run(&rank).await }
    };
    let samples = world.run(run).expect("no deadlock").results.swap_remove(0).expect("samples");
    fitted(SendRule::Eager, &samples).exit_skew.pop().expect("exits")
}

/// The times in ns.
fn ns(skew: &ExitSkew) -> Vec<Vec<f64>> {
    let rounded = |us: &f64| (us * 1e6).round() / 1e3;
    skew.until_us.iter().map(|row| row.iter().map(rounded).collect()).collect()
}

#[test]
fn times_from_each_entry_to_each_exit_come_back() {
    let two = left("barrier=50ns/145ns/150ns/55ns", 2, true);
    assert_eq!(ns(&two), [[50.0, 145.0], [150.0, 55.0]]);
    // Rank 0 lets the others go, whoever enters last.
    let three = left("barrier=10ns/70ns/80ns/90ns/160ns/170ns/100ns/170ns/180ns", 3, true);
    assert_eq!(ns(&three), [[10.0, 70.0, 80.0], [90.0, 160.0, 170.0], [100.0, 170.0, 180.0]]);
    assert_eq!((three.ranks, three.barriers), (3, 60));
}

#[test]
fn where_nothing_was_given_they_are_those_of_messages() {
    // A dissemination barrier of two ranks: who enters last finds the other one's message, whose o it pays, and its own is under
    // way for o + L + o.
    let plain = left("", 2, true);
    assert_eq!(ns(&plain), [[400.0, 5_400.0], [5_400.0, 400.0]]);
}

#[test]
fn clocks_that_agree_less_well_than_a_tenth_of_a_time_tell_no_times() {
    assert_eq!(left("barrier=50ns/145ns/150ns/55ns", 2, false).until_us, Vec::<Vec<f64>>::new());
    let long = left("barrier=100us/190us/200us/110us", 2, false);
    let near = |found: &f64, given: f64| (found - given).abs() < 0.1;
    let [[a, b], [c, d]] = [&long.until_us[0], &long.until_us[1]].map(|row| [row[0], row[1]]);
    assert!(near(&a, 100.0) && near(&b, 190.0) && near(&c, 200.0) && near(&d, 110.0), "{long:?}");
}
