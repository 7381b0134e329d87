//! Limits each person's share of a common resource, so that nobody takes it from the others.

use std::collections::{HashMap, VecDeque};

/// The limits for one person and for everybody together. Browsers without a person count as one.
#[derive(Clone, Copy)]
pub(crate) struct RequestShare {
    pub(crate) each: usize,
    pub(crate) all: usize,
}

impl RequestShare {
    /// Whether a person may have one more, given the owners of the others.
    pub(crate) fn has_room<'a>(
        self,
        owners: impl Iterator<Item = Option<&'a str>>,
        who: Option<&str>,
    ) -> bool {
        let (mut own, mut all) = (0, 0);
        for owner in owners {
            all += 1;
            own += usize::from(owner == who);
        }
        own < self.each && all < self.all
    }

    /// Makes room for one more of a person: their own oldest is removed. If all is full and they have none,
    /// the oldest of the person with the most is removed.
    pub(crate) fn make_room<T>(
        self,
        held: &mut VecDeque<T>,
        owner: impl Fn(&T) -> Option<&str>,
        who: Option<&str>,
    ) {
        while !self.has_room(held.iter().map(&owner), who) {
            let mut counts = HashMap::new();
            for one in held.iter() {
                *counts.entry(owner(one)).or_insert(0_usize) += 1;
            }
            let from = if counts.contains_key(&who) {
                Some(who)
            } else {
                held.iter().map(&owner).max_by_key(|one| counts.get(one))
            };
            let oldest = held.iter().position(|one| Some(owner(one)) == from);
            if held.remove(oldest.unwrap_or_default()).is_none() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RequestShare;

    #[test]
    fn one_person_pushes_out_their_own() {
        let share = RequestShare { each: 2, all: 5 };
        let mut held = std::collections::VecDeque::new();
        let mut come = |who: &'static str| {
            share.make_room(&mut held, |(owner, _)| Some(*owner), Some(who));
            let number = held.back().map_or(0, |(_, number)| number + 1);
            held.push_back((who, number));
            held.iter().copied().collect::<Vec<_>>()
        };
        for who in ["ada", "grace", "ada", "ada"] {
            come(who);
        }
        assert_eq!(come("ada"), [("grace", 1), ("ada", 3), ("ada", 4)]);
        come("eve");
        come("eve");
        // Full: a newcomer replaces one of the person with the most, and anybody else one of their
        // own.
        let full = come("bob");
        assert_eq!(full.len(), 5);
        assert!(full.contains(&("grace", 1)), "{full:?}");
        let full = come("grace");
        assert_eq!(full.len(), 5);
        assert!(
            full.contains(&("bob", 7)) && !full.contains(&("grace", 1)),
            "{full:?}"
        );
    }
}
