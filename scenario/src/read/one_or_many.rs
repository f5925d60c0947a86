//! Keys whose value is a single value or a list.

use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// Type of the values of such a key.
pub(super) trait Listed {
    /// Type of a single value.
    type One: DeserializeOwned;
    /// Whether a value is text. Otherwise it is a whole number.
    const IS_TEXT: bool;
    /// Description of the expected values, for error messages.
    const EXPECTED: &'static str;
}

/// Values of a key, written as one value or as a list.
pub(super) struct OneOrMany<L: Listed>(pub Vec<L::One>);

impl<'de, L: Listed> Deserialize<'de> for OneOrMany<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OneOrMany<L>, D::Error> {
        deserializer.deserialize_any(Reader(PhantomData))
    }
}

struct Reader<L>(PhantomData<L>);

impl<'de, L: Listed> Visitor<'de> for Reader<L> {
    type Value = OneOrMany<L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(L::EXPECTED)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<OneOrMany<L>, E> {
        let found = Unexpected::Signed(number);
        if L::IS_TEXT {
            return Err(E::invalid_type(found, &self));
        }
        let one = L::One::deserialize(IntoDeserializer::<E>::into_deserializer(number));
        one.map(|one| OneOrMany(vec![one])).map_err(|_| E::invalid_value(found, &self))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<OneOrMany<L>, E> {
        if !L::IS_TEXT {
            return Err(E::invalid_type(Unexpected::Str(text), &self));
        }
        L::One::deserialize(text.into_deserializer()).map(|one| OneOrMany(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OneOrMany<L>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMany)
    }
}
