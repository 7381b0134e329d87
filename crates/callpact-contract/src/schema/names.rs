//! Names that a model writes in place of declared ones.

use super::{Field, Object};
use crate::text::{only_by_case, same};

/// The longest name that every provider takes.
const LONGEST: usize = 64;
/// The length of the mark that replaces the cut part.
const MARK: usize = 9;
/// How many fields are checked for the same name.
const COMPARED: usize = 256;

/// Whether a parameter has a name that every provider takes: `^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`.
pub(crate) const fn is_safe_name(name: &str) -> bool {
    let name = name.as_bytes();
    if name.is_empty() || name.len() > LONGEST || name[0].is_ascii_digit() {
        return false;
    }
    let mut i = 0;
    while i < name.len() {
        if !name[i].is_ascii_alphanumeric() && name[i] != b'_' {
            return false;
        }
        i += 1;
    }
    true
}

/// A name that every provider takes, for a parameter whose own name some providers refuse.
///
/// Each refused character becomes `_`. A name that is too long, or equal to that of another parameter, is cut
/// and ends in a hash of the whole name.
pub(crate) struct SafeName {
    bytes: [u8; LONGEST],
    len: usize,
    /// Its length without a limit.
    whole: usize,
}

impl SafeName {
    pub(crate) const fn of(object: &Object, field: &Field) -> Self {
        let name = field.name.part();
        let mut safe = Self::base(name);
        if same(safe.as_str(), name) {
            return safe;
        }
        // In a large object the other names are not checked.
        let mut taken = safe.whole > LONGEST || object.fields.part().len() > COMPARED;
        let mut fields = object.walk();
        while let Some(other) = fields.step() {
            if taken {
                break;
            }
            let other = other.name.part();
            taken = !same(other, name) && same(Self::base(other).as_str(), safe.as_str());
        }
        if taken {
            safe.mark(name);
        }
        safe
    }

    /// The name, without a check of the others.
    const fn base(name: &str) -> Self {
        let mut safe = Self {
            bytes: [b'_'; LONGEST],
            len: 0,
            whole: 0,
        };
        let name = name.as_bytes();
        if name.is_empty() || name[0].is_ascii_digit() {
            safe.push(b'_');
        }
        let mut i = 0;
        while i < name.len() {
            // The first byte of a character stands for all of them.
            if name[i].is_ascii_alphanumeric() {
                safe.push(name[i]);
            } else if name[i] & 0xc0 != 0x80 {
                safe.push(b'_');
            }
            i += 1;
        }
        safe
    }

    const fn push(&mut self, byte: u8) {
        if self.len < LONGEST {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
        self.whole += 1;
    }

    /// Appends eight digits of a hash.
    const fn mark(&mut self, name: &str) {
        let name = name.as_bytes();
        let mut hash: u32 = 0x811c_9dc5;
        let mut i = 0;
        while i < name.len() {
            hash = (hash ^ name[i] as u32).wrapping_mul(0x0100_0193);
            i += 1;
        }
        if self.len > LONGEST - MARK {
            self.len = LONGEST - MARK;
        }
        self.push(b'_');
        let mut shift = 32;
        while shift > 0 {
            shift -= 4;
            self.push(b"0123456789abcdef"[(hash >> shift & 15) as usize]);
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        let (bytes, _) = self.bytes.split_at(self.len);
        match std::str::from_utf8(bytes) {
            Ok(name) => name,
            Err(_) => panic!("letters and digits of ASCII"),
        }
    }
}

impl Object {
    /// Whether a key is the safe name of a field whose own name is different.
    #[inline]
    pub(crate) fn is_safe_name_of(&self, field: &Field, key: &str) -> bool {
        let first = field.name.as_bytes().first().copied();
        let begin = first.filter(u8::is_ascii_alphabetic).unwrap_or(b'_');
        key.as_bytes().first() == Some(&begin) && self.is_other_name_of(field, key)
    }

    #[cold]
    fn is_other_name_of(&self, field: &Field, key: &str) -> bool {
        if is_safe_name(&field.name) {
            return false;
        }
        let base = SafeName::base(&field.name);
        let begin = base.as_str();
        let begin = begin.get(..LONGEST - MARK).unwrap_or(begin);
        key.starts_with(begin) && SafeName::of(self, field).as_str() == key
    }
}

/// Keys that models put around the arguments.
pub(crate) const WRAPPERS: [&str; 5] = ["arguments", "args", "parameters", "params", "input"];

/// The key around name and arguments, as in a response.
pub(crate) const FUNCTION: &str = "function";

/// Whether a key is one that models put around the arguments.
pub(crate) fn is_wrapper(key: &str) -> bool {
    key == "name" || key == FUNCTION || WRAPPERS.contains(&key)
}

/// The only field that a key can mean.
#[cold]
pub(crate) fn field_by_case<'a>(rules: &'a Object, key: &str) -> Option<&'a str> {
    only_by_case(key, rules.all_fields().map(|field| field.name.part()))
}

#[cfg(test)]
mod tests {
    use super::{SafeName, is_safe_name};
    use crate::schema::{Field, Kind, Object, Schema, Unknown};

    fn safe(names: &[&str]) -> Vec<String> {
        let field = |name: &&str| {
            let any = Schema::of(Kind::Any);
            Field::of((*name).to_owned().into(), any.into(), false)
        };
        let object = Object {
            fields: names.iter().map(field).collect::<Vec<_>>().into(),
            unknown: Unknown::Keep,
            extra: None,
        };
        let fields = object.fields.iter();
        let safe = fields.map(|field| SafeName::of(&object, field).as_str().to_owned());
        let safe: Vec<String> = safe.collect();
        for (name, safe) in names.iter().zip(&safe) {
            assert!(is_safe_name(safe), "{name}: {safe}");
            assert_eq!(is_safe_name(name), name == safe);
        }
        safe
    }

    #[test]
    fn every_name_gets_unique_safe_name() {
        assert_eq!(
            safe(&["a", "_B9", "größe", "a b", "$x", "", "9", "filter[id]"]),
            ["a", "_B9", "gr__e", "a_b", "_x", "_", "_9", "filter_id_"]
        );
        let clash = safe(&["a b", "a_b", "a-b", &"x".repeat(64), &"x".repeat(65)]);
        assert_eq!(clash[1], "a_b");
        assert_eq!(clash[3], "x".repeat(64));
        let mut apart = clash.clone();
        apart.sort_unstable();
        apart.dedup();
        assert_eq!(apart.len(), clash.len(), "{clash:?}");
    }
}
