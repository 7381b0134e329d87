//! Names of tools and parameters.

use std::collections::HashSet;

/// The most characters of a tool's name.
const LONGEST: usize = 64;

/// Names without duplicates.
#[derive(Default)]
pub(crate) struct UniqueNames(HashSet<String>);

impl UniqueNames {
    /// A name of letters, digits, `_` and `-` that nobody has yet, as near to the given one as possible.
    pub(crate) fn add(&mut self, wanted: &str) -> String {
        let wanted = plain(wanted);
        for number in 1_u32.. {
            let end = if number == 1 {
                String::new()
            } else {
                format!("_{number}")
            };
            let start: String = wanted.chars().take(LONGEST - end.len()).collect();
            let name = start + &end;
            if self.0.insert(name.clone()) {
                return name;
            }
        }
        wanted
    }
}

/// The name with `_` for everything that no provider takes, and without `_` at its ends.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '-' {
            plain.push(c);
        } else if !plain.ends_with('_') {
            plain.push('_');
        }
    }
    let plain = plain.trim_matches('_');
    if plain.is_empty() {
        "operation".to_owned()
    } else {
        plain.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::UniqueNames;

    #[test]
    fn names_are_plain_short_and_different() {
        let mut names = UniqueNames::default();
        let long = "x".repeat(100);
        for (wanted, name) in [
            ("repos/get", "repos_get".to_owned()),
            ("repos.get", "repos_get_2".to_owned()),
            ("", "operation".to_owned()),
            ("get /pets/{id}", "get_pets_id".to_owned()),
            (&long, "x".repeat(64)),
            (&long, format!("{}_2", "x".repeat(62))),
        ] {
            assert_eq!(names.add(wanted), name);
        }
    }
}
