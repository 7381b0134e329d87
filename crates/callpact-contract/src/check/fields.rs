//! The fields of an object by name, indexed once for each object schema of a check.

use std::{cell::OnceCell, collections::HashMap};

use super::names::is_meant;
use crate::{
    schema::{Field, Object, field_by_case, is_safe_name},
    text::{fold_case, initial, landmarks},
};

/// The fields of an object, with those of flattened structs in their place.
pub(super) struct FieldIndex<'a> {
    pub(super) fields: Vec<&'a Field>,
    pub(super) rules: &'a Object,
    /// The number of each name and of each name without its case; only for an object of many fields.
    names: HashMap<&'a str, usize>,
    folded: HashMap<String, Option<usize>>,
    aliases: HashMap<&'a str, usize>,
    /// The fields whose own names some providers refuse.
    unsafe_names: Vec<usize>,
    /// The bits of the first letters of all names.
    initials: u32,
    /// The fields of each landmark of a name; only for an object of many fields.
    landmarks: OnceCell<HashMap<String, Vec<usize>>>,
}

/// So many names are compared one by one.
const FEW: usize = 16;

/// The most names that are compared with a key which resembles one of them. With more fields, a key is compared with the
/// fields that have a landmark in common with it, so that the work for a key does not grow with the schema.
const COMPARED: usize = 32;

impl<'a> FieldIndex<'a> {
    pub(super) fn of(rules: &'a Object) -> Self {
        let fields: Vec<&Field> = rules.all_fields().collect();
        let (mut names, mut folded) = (HashMap::new(), HashMap::new());
        let mut aliases = HashMap::new();
        let mut unsafe_names = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            if fields.len() > FEW {
                names.entry(field.name.part()).or_insert(number);
                let same = folded.entry(fold_case(field.name.part()));
                same.and_modify(|known| *known = None)
                    .or_insert(Some(number));
            }
            for alias in field.aliases {
                aliases.entry(*alias).or_insert(number);
            }
            if !is_safe_name(&field.name) {
                unsafe_names.push(number);
            }
        }
        let initials = fields
            .iter()
            .fold(0, |all, field| all | initial(field.name.part()));
        Self {
            fields,
            rules,
            names,
            folded,
            aliases,
            unsafe_names,
            initials,
            landmarks: OnceCell::new(),
        }
    }

    fn may_name(&self, key: &str) -> bool {
        self.initials & initial(key) != 0
    }

    /// The field with this name. Most keys come in the order of the declaration.
    pub(super) fn find(&self, expected: usize, key: &str) -> Option<usize> {
        if self
            .fields
            .get(expected)
            .is_some_and(|field| field.name == *key)
        {
            return Some(expected);
        }
        if !self.may_name(key) {
            return None;
        }
        if self.names.is_empty() {
            return self.fields.iter().position(|field| field.name == *key);
        }
        self.names.get(key).copied()
    }

    /// The field whose safe name this is, for dialects that refuse its own name.
    pub(super) fn by_safe_name(&self, key: &str) -> Option<usize> {
        let mut numbers = self.unsafe_names.iter().copied();
        numbers.find(|number| self.rules.is_safe_name_of(self.fields[*number], key))
    }

    pub(super) fn by_alias(&self, key: &str) -> Option<usize> {
        self.aliases.get(key).copied()
    }

    /// The only field that this key names in another case.
    pub(super) fn by_case(&self, key: &str) -> Option<usize> {
        if !self.may_name(key) {
            return None;
        }
        if self.names.is_empty() {
            let name = field_by_case(self.rules, key)?;
            return self.fields.iter().position(|field| field.name == *name);
        }
        self.folded.get(&fold_case(key)).copied().flatten()
    }

    /// The numbers of the fields that a key is compared with.
    fn compared_with(&self, key: &str) -> Vec<usize> {
        if self.fields.len() <= COMPARED {
            return (0..self.fields.len()).collect();
        }
        let index = self.landmarks.get_or_init(|| self.index_landmarks());
        let mut numbers: Vec<usize> = landmarks(key)
            .iter()
            .filter_map(|landmark| index.get(landmark))
            .flat_map(|numbers| numbers.iter().copied().take(COMPARED))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.truncate(COMPARED);
        numbers
    }

    fn index_landmarks(&self) -> HashMap<String, Vec<usize>> {
        let mut index: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, field) in self.fields.iter().enumerate() {
            for name in [field.name.part()].iter().chain(field.aliases) {
                for landmark in landmarks(name) {
                    index.entry(landmark).or_default().push(number);
                }
            }
        }
        index
    }

    /// The fields that a key resembles, of those that may be meant.
    pub(super) fn resembling(&self, key: &str, may_be_meant: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut numbers = self.compared_with(key);
        numbers.retain(|number| may_be_meant(*number) && is_meant(key, self.fields[*number]));
        numbers
    }

    /// The names that a key is compared with for a hint.
    pub(super) fn names_near(&self, key: &str) -> Vec<&'a str> {
        let numbers = self.compared_with(key);
        numbers
            .iter()
            .map(|number| self.fields[*number].name.part())
            .collect()
    }
}
