//! The list of what waits for a person: one short row for each call, in pages, with a search.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use callpact::store::{CallStore, ListedCall, Moment, StoreError, StoredCall};
use serde_json::{Value, json};

use crate::{
    Desk,
    row::{InboxRow, row_of_stored},
    sorted::{PAGE, SortedRows, WantedRows},
};

/// The shortest time between two reads of the store without a request, however many pages are open.
const EVERY: Duration = Duration::from_millis(900);
/// The most calls that are read one by one.
const FEW: usize = 64;

/// The calls of the store at the last look.
#[derive(Default)]
pub(crate) struct StoreInbox(Mutex<KnownCalls>);

#[derive(Default)]
struct KnownCalls {
    looked: Option<Instant>,
    version: Option<u64>,
    stored: BTreeMap<String, Arc<InboxRow>>,
    sorted: SortedRows,
    /// When the first of them changes, although its call does not change in the store.
    changes: Option<Moment>,
    is_first: bool,
}

impl StoreInbox {
    fn known(&self) -> MutexGuard<'_, KnownCalls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many calls of the store wait.
    pub(crate) fn count(&self) -> usize {
        self.known().sorted.waiting()
    }

    /// Forgets a call that was decided here, and what the store was.
    pub(crate) fn settle(&self, id: &str) {
        let mut known = self.known();
        known.version = None;
        if let Some(row) = known.stored.remove(id) {
            known.sorted.remove(&row);
        }
    }
}

impl KnownCalls {
    /// Keeps the rows of a new look, and returns those of the last one.
    fn replace(
        &mut self,
        rows: BTreeMap<String, Arc<InboxRow>>,
    ) -> BTreeMap<String, Arc<InboxRow>> {
        self.sorted = rows.values().cloned().collect();
        self.changes = rows.values().filter_map(|row| row.changes()).min();
        std::mem::replace(&mut self.stored, rows)
    }
}

/// One page of the inbox.
pub(crate) async fn page(desk: &Desk, mut wanted: WantedRows) -> Value {
    // What waits in this process can be decided about without the store.
    let failure = refresh(desk).await.err();
    wanted.search = wanted.search.to_lowercase();
    let asked = desk.0.state.questions.find_rows(&wanted);
    let stored = desk.0.state.inbox.known().sorted.find(&wanted);
    let found = asked.found + stored.found;
    let mut rows: Vec<&InboxRow> = asked
        .rows
        .iter()
        .chain(&stored.rows)
        .map(|row| &**row)
        .collect();
    rows.sort_by_cached_key(|row| row.order());
    let more = rows.len() > PAGE;
    rows.truncate(PAGE);
    json!({
        "live": asked.waiting, "stored": stored.waiting, "found": found, "rows": rows, "more": more,
        "now": Moment::now(), "error": failure.map(|error| error.to_string()),
    })
}

/// Tells the pages about the calls of the store that changed since the last look.
pub(crate) async fn watch_store(desk: &Desk) {
    let recently = {
        let mut known = desk.0.state.inbox.known();
        let now = Instant::now();
        let last = known.looked.replace(now);
        last.is_some_and(|last| now.duration_since(last) < EVERY)
    };
    if !recently {
        // The page reports a failing store when it asks for the list.
        let _ = refresh(desk).await;
    }
}

/// Reads the store if it has changed, and sends one event for each call that did.
async fn refresh(desk: &Desk) -> Result<(), StoreError> {
    let Some(store) = &desk.0.store else {
        return Ok(());
    };
    let inbox = &desk.0.state.inbox;
    let version = store.version().await?;
    // A run that is broken off, and a call that expires, change nothing in the store.
    let is_still = {
        let known = inbox.known();
        let now = Moment::now();
        let is_quiet = known.changes.is_none_or(|changes| changes > now);
        version.is_some() && version == known.version && is_quiet
    };
    if is_still {
        return Ok(());
    }
    let rows = read_rows(inbox, &**store).await?;
    let (gone, news) = {
        let mut known = inbox.known();
        let before = known.replace(rows);
        known.version = version;
        let is_new = !std::mem::replace(&mut known.is_first, true);
        let gone: Vec<String> = before
            .keys()
            .filter(|id| !known.stored.contains_key(*id))
            .cloned()
            .collect();
        let news: Vec<Arc<InboxRow>> = known
            .stored
            .values()
            .filter(|row| !is_new && before.get(&row.id) != Some(row))
            .cloned()
            .collect();
        (gone, news)
    };
    let stored = inbox.count();
    let events = &desk.0.state.events;
    for id in gone {
        events.send("settled", &json!({ "id": id, "stored": stored }));
    }
    for row in news {
        events.send("waiting", &json!({ "row": *row, "stored": stored }));
    }
    Ok(())
}

/// The rows of the store. A waiting call that is known is not read again.
async fn read_rows(
    inbox: &StoreInbox,
    store: &dyn CallStore,
) -> Result<BTreeMap<String, Arc<InboxRow>>, StoreError> {
    let mut rows = BTreeMap::new();
    let mut others = Vec::new();
    let listed = store.list_ids().await?;
    let is_known = listed.is_some();
    {
        let (known, now) = (inbox.known(), Moment::now());
        for ListedCall { id, is_decided } in listed.into_iter().flatten() {
            match known.stored.get(&id) {
                Some(row) if !is_decided && row.changes().is_none_or(|changes| changes > now) => {
                    rows.insert(id, Arc::clone(row));
                }
                _ => others.push(id),
            }
        }
    }
    let mut calls = Vec::new();
    if is_known && others.len() <= FEW {
        for id in &others {
            match store.get(id).await {
                // The store reports it when all calls are listed.
                Err(StoreError::Damaged(_)) => {}
                found => calls.extend(found?),
            }
        }
    } else {
        rows.clear();
        calls = store.list().await?;
    }
    for call in &calls {
        let doing = find_run(store, call).await?;
        let row = row_of_stored(call, doing);
        rows.insert(row.id.clone(), Arc::new(row));
    }
    Ok(rows)
}

/// The state of a call that was approved and has no result: `running`, or `broken_off` if its process has
/// ended, so that nobody knows whether it was carried out. `None` before it starts.
pub(crate) async fn find_run(
    store: &dyn CallStore,
    stored: &StoredCall,
) -> Result<Option<&'static str>, StoreError> {
    if stored.decision.is_none() {
        return Ok(None);
    }
    let record = match store.claim_record(&stored.key).await {
        // Its outcome cannot be read, but the other calls are shown all the same.
        Err(StoreError::Damaged(_)) => return Ok(Some("broken_off")),
        found => found?,
    };
    let unfinished = record.filter(|record| record.result.is_none());
    Ok(unfinished.map(|record| {
        if record.until > Moment::now() {
            "running"
        } else {
            "broken_off"
        }
    }))
}
