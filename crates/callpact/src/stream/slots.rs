//! The calls of a turn, and how a piece finds its call.

use std::collections::HashMap;

use super::slot::{CallKey, CallSlot, is_no_id};

/// The calls of a turn in the order in which they began. Each piece finds its call without a search.
#[derive(Debug, Default)]
pub(super) struct CallSlots<'a> {
    slots: Vec<CallSlot<'a>>,
    /// The newest call with a key, with an id, and with both.
    by_key: HashMap<CallKey, usize>,
    by_id: HashMap<String, usize>,
    by_both: HashMap<(CallKey, String), usize>,
    /// The calls that changed since the last report.
    changed: Vec<usize>,
}

impl<'a> CallSlots<'a> {
    /// Opens a call, and returns its position.
    pub(super) fn open(&mut self, key: CallKey) -> usize {
        let position = self.slots.len();
        self.by_key.insert(key.clone(), position);
        self.slots.push(CallSlot::new(key));
        self.changed.push(position);
        position
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn get(&self, position: usize) -> Option<&CallSlot<'a>> {
        self.slots.get(position)
    }

    /// The call at a position, which changes.
    pub(super) fn slot(&mut self, position: usize) -> &mut CallSlot<'a> {
        if self.changed.last() != Some(&position) {
            self.changed.push(position);
        }
        &mut self.slots[position]
    }

    /// The call at a position, whose report changes nothing.
    pub(super) fn reported(&mut self, position: usize) -> Option<&mut CallSlot<'a>> {
        self.slots.get_mut(position)
    }

    /// The calls that changed since this was asked.
    pub(super) fn take_changed(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.changed)
    }

    pub(super) fn newest(&self) -> Option<usize> {
        self.slots.len().checked_sub(1)
    }

    /// The newest call with a key.
    pub(super) fn of_key(&self, key: &CallKey) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// The newest call with an id.
    pub(super) fn of_id(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The newest call with a key and an id.
    pub(super) fn of_both(&self, key: CallKey, id: &str) -> Option<usize> {
        self.by_both.get(&(key, id.to_owned())).copied()
    }

    /// Takes an id; an empty one, the text `null` that an SDK fills in, and a second one change nothing.
    pub(super) fn take_id(&mut self, position: usize, id: &str) {
        let slot = self.slot(position);
        if is_no_id(id) || !slot.id.is_empty() {
            return;
        }
        id.clone_into(&mut slot.id);
        let key = slot.key.clone();
        for newest in [
            self.by_id.entry(id.to_owned()).or_default(),
            self.by_both.entry((key, id.to_owned())).or_default(),
        ] {
            *newest = position.max(*newest);
        }
    }
}

impl<'a> IntoIterator for CallSlots<'a> {
    type Item = CallSlot<'a>;
    type IntoIter = std::vec::IntoIter<CallSlot<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.slots.into_iter()
    }
}
