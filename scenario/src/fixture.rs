//! A sample case for tests.

use models::call::Call;
use models::collective::Collective;
use programs::method::Method;
use programs::observation::{Carrier, Case, CasePlace, CaseSubject, CaseTiming, Conditions, Implementation, World};

pub(crate) fn case() -> Case {
    Case {
        place: CasePlace { world: World::Threads, carrier: Carrier::EMULATED, ranks: 2 },
        subject: CaseSubject {
            collective: Collective::Bcast,
            implementation: Implementation::Own("linear".to_owned()),
            root: 0,
            bytes: 8,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        },
        timing: CaseTiming { method: Method::Loop, calls: 4, conditions: Conditions::default() },
    }
}
