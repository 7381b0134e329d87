//! The rows of the inbox in their order, so that a page of them costs no more than what it sends.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use callpact::{Permission, store::CallState};
use serde::Deserialize;

use crate::row::{InboxRow, RowOrder};

/// The rows of a page.
pub(crate) const PAGE: usize = 50;

/// What the page asks the inbox for.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct WantedRows {
    pub(crate) search: String,
    permission: Option<Permission>,
    /// The last row that the page has.
    after: Option<RowOrder>,
}

impl WantedRows {
    fn is_all(&self) -> bool {
        self.search.is_empty() && self.permission.is_none()
    }

    fn takes(&self, row: &InboxRow) -> bool {
        let permission = self.permission;
        permission.is_none_or(|only| row.permission == only)
            && (self.search.is_empty() || row.has(&self.search))
    }
}

/// Rows in the order of the inbox.
#[derive(Default)]
pub(crate) struct SortedRows {
    rows: BTreeMap<RowOrder, Arc<InboxRow>>,
    waiting: usize,
}

/// The rows for a page.
pub(crate) struct FoundRows {
    /// The first ones that match, and one more if there are more.
    pub(crate) rows: Vec<Arc<InboxRow>>,
    /// How many match, also before and after the page.
    pub(crate) found: usize,
    /// How many wait, whether they match or not.
    pub(crate) waiting: usize,
}

impl SortedRows {
    pub(crate) fn insert(&mut self, row: Arc<InboxRow>) {
        self.waiting += usize::from(row.state == CallState::Waiting);
        self.rows.insert(row.order(), row);
    }

    pub(crate) fn remove(&mut self, row: &InboxRow) {
        if let Some(row) = self.rows.remove(&row.order()) {
            self.waiting -= usize::from(row.state == CallState::Waiting);
        }
    }

    /// How many of the calls wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The rows of one page. Only a search looks at all rows.
    pub(crate) fn find(&self, wanted: &WantedRows) -> FoundRows {
        let takes = |row: &&Arc<InboxRow>| wanted.takes(row);
        let start = wanted
            .after
            .as_ref()
            .map_or(Bound::Unbounded, Bound::Excluded);
        let rows = self.rows.range((start, Bound::Unbounded));
        let found = if wanted.is_all() {
            self.rows.len()
        } else {
            self.rows.values().filter(takes).count()
        };
        FoundRows {
            rows: rows
                .map(|(_, row)| row)
                .filter(takes)
                .take(PAGE + 1)
                .cloned()
                .collect(),
            found,
            waiting: self.waiting,
        }
    }
}

impl FromIterator<Arc<InboxRow>> for SortedRows {
    fn from_iter<I: IntoIterator<Item = Arc<InboxRow>>>(rows: I) -> Self {
        let mut sorted = Self::default();
        for row in rows {
            sorted.insert(row);
        }
        sorted
    }
}
