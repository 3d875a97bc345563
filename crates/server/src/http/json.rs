//! Strict JSON for request bodies: one flat object, no duplicate keys, bounded depth, numbers kept as text.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::code::Code;
use super::reply::{Refusal, refuse};

const MAX_FIELDS: usize = 200;
const MAX_DEPTH: usize = 8;

/// The pairs of a JSON object, in order; values as their own text. A key that comes twice is an error.
pub struct Pairs(pub Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Pairs;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs: Vec<(String, Box<RawValue>)> = Vec::new();
                let mut seen = std::collections::HashSet::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if pairs.len() >= MAX_FIELDS || !seen.insert(name.clone()) {
                        return Err(serde::de::Error::custom("key comes twice, or too many keys"));
                    }
                    pairs.push((name, value));
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Refuses deeper nesting than eight, and keys that come twice, below a field of the object.
pub fn check_nested(value: &RawValue) -> Result<(), Refusal> {
    check_at(value, 2)
}

fn check_at(value: &RawValue, depth: usize) -> Result<(), Refusal> {
    let malformed = |_| refuse(Code::UnreadableBody);
    let nested: Vec<Box<RawValue>> = match value.get().as_bytes().first() {
        Some(b'{') => serde_json::from_str::<Pairs>(value.get()).map_err(malformed)?.0.into_iter().map(|(_, value)| value).collect(),
        Some(b'[') => serde_json::from_str(value.get()).map_err(malformed)?,
        _ => return Ok(()),
    };
    if depth > MAX_DEPTH {
        return Err(refuse(Code::UnreadableBody));
    }
    nested.iter().try_for_each(|value| check_at(value, depth + 1))
}
