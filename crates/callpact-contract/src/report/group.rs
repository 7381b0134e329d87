//! Issues that differ only in one index or in one key of a map, which share a line.

use super::{Issue, Step};
use crate::text::whole;

/// From how many on equal lines become one.
const SEVERAL: usize = 3;

/// Issues that differ only in one index or in one key of a map.
pub(super) struct IssueGroup {
    /// The number of its first issue, where it is told.
    pub(super) first: usize,
    /// Which step of the path differs.
    pub(super) step: usize,
    /// Its values: `[0..2]` or `{a, b}`.
    pub(super) steps: String,
    /// What was found there.
    pub(super) found: String,
    pub(super) problems: usize,
}

/// The groups among some issues.
#[derive(Default)]
pub(super) struct IssueGroups {
    all: Vec<IssueGroup>,
    /// Which group each issue is in; empty where there is none.
    of: Vec<Option<usize>>,
}

impl IssueGroups {
    pub(super) fn among(issues: &[Issue]) -> Self {
        let mut groups = Self::default();
        // Mostly there are fewer of one kind.
        let mut counts = [0_u8; 32];
        let has_several = issues.len() >= SEVERAL
            && issues.iter().any(|seen| {
                let count = counts.get_mut(seen.kind as usize);
                may_repeat(seen)
                    && count.is_none_or(|count| {
                        *count += 1;
                        usize::from(*count) == SEVERAL
                    })
            });
        if has_several {
            let indexed = issues.iter().enumerate();
            let indexed = indexed.filter(|(_, issue)| may_repeat(issue));
            indexed.for_each(|(number, _)| groups.add(issues, number));
        }
        groups
    }

    /// The group that an issue is in.
    pub(super) fn of(&self, number: usize) -> Option<&IssueGroup> {
        self.all.get((*self.of.get(number)?)?)
    }

    /// Adds the group of those that are like the issue of this number, if there are several.
    fn add(&mut self, issues: &[Issue], first: usize) {
        let Some(issue) = issues.get(first) else {
            return;
        };
        if self.of(first).is_some() {
            return;
        }
        // What another group tells already is not told once more.
        let others = issues.iter().enumerate().skip(first + 1);
        let others = others.filter(|(number, _)| self.of(*number).is_none());
        // The step in which the next one differs is the step of all.
        let mut steps = others.filter_map(|(number, other)| {
            let step = other_step(issue, other)?;
            Some((number, other, step))
        });
        let Some((number, other, step)) = steps.next() else {
            return;
        };
        let mut members = vec![(first, issue), (number, other)];
        members.extend(
            steps
                .filter(|like| like.2 == step)
                .map(|like| (like.0, like.1)),
        );
        if members.len() < SEVERAL {
            return;
        }
        if self.of.is_empty() {
            self.of = vec![None; issues.len()];
        }
        let mut parts = Vec::new();
        let mut found: Vec<&str> = Vec::new();
        for (number, member) in members {
            if let Some(part) = member.path.steps().get(step) {
                parts.push(part);
                if !found.contains(&&*member.found) {
                    found.push(&member.found);
                }
            }
            if let Some(place) = self.of.get_mut(number) {
                *place = Some(self.all.len());
            }
        }
        let more = if found.len() > SEVERAL { ", …" } else { "" };
        found.truncate(SEVERAL);
        self.all.push(IssueGroup {
            first,
            step,
            steps: steps_in_words(&parts),
            found: found.join(", ") + more,
            problems: parts.len(),
        });
    }
}

/// Whether an issue is about an item of a list or an entry of a map.
fn may_repeat(issue: &Issue) -> bool {
    issue.clue.entry.is_some() || issue.path.has_index()
}

/// The only step in which another issue differs: an index, or the key of a map.
fn other_step(one: &Issue, other: &Issue) -> Option<usize> {
    if one.kind != other.kind || one.expected != other.expected || one.hint != other.hint {
        return None;
    }
    let step = one.path.only_other_step(&other.path)?;
    let is_free = |issue: &Issue| issue.clue.entry == Some(step);
    let is_index = matches!(one.path.steps().get(step), Some(Step::Index(_)));
    (is_index || is_free(one) && is_free(other)).then_some(step)
}

/// The values of a step: `[0..2]` or `{a, b}`.
fn steps_in_words(parts: &[&Step]) -> String {
    let indexes: Vec<usize> = parts
        .iter()
        .filter_map(|part| match part {
            Step::Index(index) => Some(*index),
            Step::Key(_) => None,
        })
        .collect();
    if !indexes.is_empty() {
        return format!("[{}]", ranges(&indexes));
    }
    let mut words = String::from("{");
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            words.push_str(", ");
        }
        part.write_alone(&mut words);
    }
    words.push('}');
    words
}

/// Indexes in their order, as in `0..31` or `0, 2, 5..7`.
fn ranges(indexes: &[usize]) -> String {
    const MOST: usize = 20;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for index in indexes {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == *index => *end = *index,
            _ => runs.push((*index, *index)),
        }
    }
    let mut words = String::new();
    for (number, (start, end)) in runs.iter().enumerate() {
        if number > 0 {
            words.push_str(", ");
        }
        if number == MOST {
            words.push('…');
            break;
        }
        whole(*start as i128, &mut words);
        if end > start {
            words.push_str("..");
            whole(*end as i128, &mut words);
        }
    }
    words
}
