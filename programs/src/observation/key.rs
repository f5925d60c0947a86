//! Keys made of parts of a case: cases that differ only in parts that a key leaves out have the same key.

use super::{Case, CasePlace, CaseSubject, CaseTiming, Conditions};
use crate::method::{Buffer, Method};

/// A case without its method, which the methods of one comparison share. Its order is that of cases. The functions of
/// [`Case`] that make keys name the further parts that each leaves out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseKey {
    /// Ranks that run the cases.
    pub place: CasePlace,
    /// Call that the cases time.
    pub subject: CaseSubject,
    /// Number k of calls per timed loop.
    pub calls: u32,
    /// Conditions of the measurement, as far as the key has them.
    pub conditions: Conditions,
}

/// Cases of one table: a [`CaseKey`] without the lengths of its calls and of fixed windows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family(CaseKey);

impl Case {
    /// Returns the key of a comparison: all but the method.
    pub fn without_method(&self) -> CaseKey {
        let CaseTiming { calls, conditions, .. } = self.timing;
        CaseKey { place: self.place, subject: self.subject.clone(), calls, conditions }
    }

    /// Returns the key of the windows that the case is held against: those that adapt, behind the same barrier where
    /// windows call one.
    pub fn reference(&self) -> CaseKey {
        self.without_method().with(|conditions| conditions.window = None)
    }

    /// Returns the key of a call under any conditions.
    pub fn without_conditions(&self) -> CaseKey {
        self.without_method().with(|conditions| *conditions = Conditions::default())
    }

    /// Returns the key of all lengths of a call, of fixed windows too.
    pub fn family(&self) -> Family {
        let mut key = self.reference();
        (key.subject.bytes, key.subject.counts) = (0, None);
        Family(key)
    }
}

impl CaseKey {
    fn with(mut self, change: impl FnOnce(&mut Conditions)) -> CaseKey {
        change(&mut self.conditions);
        self
    }

    /// Returns the key without its barrier, for cases that differ in their barriers while windows call none.
    pub fn without_barrier(self) -> CaseKey {
        self.with(|conditions| conditions.barrier = None)
    }

    /// Returns the case of this key that has a method.
    pub fn by(&self, method: Method) -> Case {
        let timing = CaseTiming { method, calls: self.calls, conditions: self.conditions };
        Case { place: self.place, subject: self.subject.clone(), timing }
    }
}

impl Family {
    /// Returns the family without the state of its buffers, which windows that were asked for as a reference share with
    /// the calls that are held against them.
    pub fn with_any_buffer(&self) -> Family {
        Family(self.0.clone().with(|own| (own.reference, own.buffer) = (false, Buffer::default())))
    }

    /// Returns the case by windows that stands for the family; its length is 0.
    pub fn windows(&self) -> Case {
        self.0.by(Method::Window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::{Barrier, Carrier, Implementation, World};
    use models::call::Call;
    use models::collective::Collective;
    use models::time::Span;

    fn case(method: Method, conditions: Conditions) -> Case {
        let subject = CaseSubject {
            collective: Collective::Bcast,
            implementation: Implementation::Library,
            root: 0,
            bytes: 8,
            segment_bytes: None,
            fanout: None,
            counts: None,
            call: Call::default(),
        };
        let place = CasePlace { world: World::OPENMPI, carrier: Carrier::Native, ranks: 4 };
        Case { place, subject, timing: CaseTiming { method, calls: 2, conditions } }
    }

    #[test]
    fn each_key_leaves_out_what_its_name_says() {
        let usual = Conditions::default();
        let fixed = Conditions { window: Some(Span::from_ns(9)), ..usual };
        let (own, windows) = (case(Method::Loop, usual), case(Method::Window, fixed));
        assert_eq!(own.without_method(), case(Method::Window, usual).without_method());
        assert_ne!(own.without_method(), windows.without_method());
        assert_eq!((own.reference(), own.family()), (windows.reference(), windows.family()));
        let behind = case(Method::Loop, Conditions { barrier: Some(Barrier::Library), ..usual });
        assert_ne!(behind.reference(), own.reference());
        assert_eq!(behind.reference().without_barrier(), own.reference());
        let touched = case(Method::Window, Conditions { buffer: Buffer::Touched, reference: true, ..usual });
        assert_eq!(touched.without_conditions(), own.without_conditions());
        assert_ne!(touched.family(), own.family());
        assert_eq!(touched.family().with_any_buffer(), own.family().with_any_buffer());
        let longer = own.clone().with(|case| case.subject.bytes = 64);
        assert_eq!(longer.family(), own.family());
        assert_ne!(longer.without_conditions(), own.without_conditions());
        assert_eq!(own.without_method().by(Method::Loop), own);
    }
}
