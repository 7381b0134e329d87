//! The members of a JSON object, in the order of the text.

use std::{collections::HashMap, ops::Deref};

use super::JsonValue;

/// Members up to this number are searched one by one.
const FEW: usize = 16;

/// The members of an object. A key is found in constant time, however many there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct JsonObject {
    entries: Vec<(String, JsonValue)>,
    /// The place of each key; empty if there are few.
    places: HashMap<String, usize>,
}

impl JsonObject {
    fn place(&self, key: &str) -> Option<usize> {
        if self.places.is_empty() {
            self.entries.iter().position(|(name, _)| name == key)
        } else {
            self.places.get(key).copied()
        }
    }

    /// The value of a key; the first one if the key comes twice.
    pub(super) fn get(&self, key: &str) -> Option<&JsonValue> {
        let (_, value) = self.entries.get(self.place(key)?)?;
        Some(value)
    }

    /// Sets the value of a key, which keeps its place.
    pub(super) fn set(&mut self, key: String, value: JsonValue) {
        let place = self.place(&key);
        match place.and_then(|place| self.entries.get_mut(place)) {
            Some((_, old)) => *old = value,
            None => self.push(key, value),
        }
    }

    fn push(&mut self, key: String, value: JsonValue) {
        self.entries.push((key, value));
        let from = match self.entries.len() {
            ..=FEW => return,
            _ if self.places.is_empty() => 0,
            count => count - 1,
        };
        for (place, (key, _)) in self.entries.iter().enumerate().skip(from) {
            self.places.entry(key.clone()).or_insert(place);
        }
    }
}

impl FromIterator<(String, JsonValue)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (String, JsonValue)>>(entries: I) -> Self {
        let mut object = Self::default();
        for (key, value) in entries {
            object.push(key, value);
        }
        object
    }
}

impl Deref for JsonObject {
    type Target = [(String, JsonValue)];

    fn deref(&self) -> &Self::Target {
        &self.entries
    }
}

impl IntoIterator for JsonObject {
    type Item = (String, JsonValue);
    type IntoIter = std::vec::IntoIter<(String, JsonValue)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, JsonObject, JsonValue};

    #[test]
    fn finds_each_key_at_its_place() {
        for count in [0, 1, FEW, FEW + 1, 100] {
            let key = |number: usize| format!("k{number}");
            let value = |number: usize| JsonValue::Text(key(number));
            let mut object: JsonObject = (0..count).map(|at| (key(at), value(at))).collect();
            for at in 0..count {
                assert_eq!(object.get(&key(at)), Some(&value(at)));
                object.set(key(at), value(at + 1));
                assert_eq!(object[at], (key(at), value(at + 1)));
            }
            assert_eq!((object.len(), object.get("other")), (count, None));
            object.set("other".to_owned(), JsonValue::Null);
            assert_eq!(object.get("other"), Some(&JsonValue::Null));
            assert_eq!(object.len(), count + 1);
        }
    }

    #[test]
    fn first_of_two_equal_keys_counts() {
        let twice = |count: usize| (0..count).map(|at| format!("k{}", at / 2));
        for count in [4, 2 * FEW, 100] {
            let object: JsonObject = twice(count)
                .enumerate()
                .map(|(at, key)| (key, JsonValue::Text(at.to_string())))
                .collect();
            for (at, key) in twice(count).enumerate() {
                assert_eq!(
                    object.get(&key),
                    Some(&JsonValue::Text((at / 2 * 2).to_string()))
                );
            }
        }
    }
}
