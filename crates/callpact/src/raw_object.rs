//! The members of a JSON object as they are written.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of an object in their order, repeated keys included.
pub(crate) struct RawObject<'t>(pub(crate) Vec<(Cow<'t, str>, &'t RawValue)>);

#[derive(Deserialize)]
struct MemberKey<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'t> Deserialize<'t> for RawObject<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MemberVisitor)
    }
}

struct MemberVisitor;

impl<'t> Visitor<'t> for MemberVisitor {
    type Value = RawObject<'t>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<RawObject<'t>, A::Error> {
        let mut members = Vec::new();
        while let Some((MemberKey(key), value)) = map.next_entry()? {
            members.push((key, value));
        }
        Ok(RawObject(members))
    }
}
