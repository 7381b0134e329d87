//! Numbered events, so that a browser can resume after a break.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use tokio::sync::watch;

/// How many events are kept for a browser that comes back.
const KEPT: usize = 2_000;

/// The events of a desk.
pub(crate) struct DeskEvents {
    /// Tells the events of this process from those of an earlier one.
    epoch: String,
    log: Mutex<EventLog>,
    newest: watch::Sender<u64>,
}

#[derive(Default)]
struct EventLog {
    newest: u64,
    kept: VecDeque<(u64, Arc<str>)>,
}

/// How far a browser has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeenEvents(u64);

impl DeskEvents {
    pub(crate) fn new() -> Self {
        // A process that starts at another millisecond has another epoch.
        let epoch = format!("{:x}", callpact::store::Moment::now().0);
        Self {
            epoch,
            log: Mutex::default(),
            newest: watch::Sender::new(0),
        }
    }

    fn log(&self) -> MutexGuard<'_, EventLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an event to every browser.
    pub(crate) fn send(&self, name: &str, data: &impl Serialize) {
        let data = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
        let newest = {
            let mut log = self.log();
            log.newest += 1;
            let id = log.newest;
            let text = self.write(id, name, &data);
            log.kept.push_back((id, text.into()));
            if log.kept.len() > KEPT {
                log.kept.pop_front();
            }
            id
        };
        self.newest.send_replace(newest);
    }

    /// One event in its sent form. JSON has no line breaks of its own.
    fn write(&self, id: u64, name: &str, data: &str) -> String {
        format!("id: {}-{id}\nevent: {name}\ndata: {data}\n\n", self.epoch)
    }

    /// A receiver that is notified of new events.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// The position of a browser that has seen the event with an id, and the greeting for one that must
    /// reload everything.
    pub(crate) fn resume(&self, last: Option<&str>) -> (SeenEvents, Option<String>) {
        let log = self.log();
        let oldest = log.newest + 1 - log.kept.len() as u64;
        let seen = last
            .and_then(|last| last.strip_prefix(&self.epoch)?.strip_prefix('-'))
            .and_then(|number| number.parse::<u64>().ok())
            .filter(|seen| *seen <= log.newest && *seen + 1 >= oldest);
        match seen {
            Some(seen) => (SeenEvents(seen), None),
            None => (
                SeenEvents(log.newest),
                Some(self.write(log.newest, "hello", "{}")),
            ),
        }
    }

    /// The events that a browser has not seen, as one text. If some are lost, the greeting.
    pub(crate) fn after(&self, seen: &mut SeenEvents) -> String {
        let log = self.log();
        let mut text = String::new();
        let oldest = log.kept.front().map_or(log.newest + 1, |(id, _)| *id);
        if seen.0 + 1 < oldest {
            text = self.write(log.newest, "hello", "{}");
        } else {
            for (_, event) in log.kept.iter().filter(|(id, _)| *id > seen.0) {
                text.push_str(event);
            }
        }
        seen.0 = log.newest;
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{DeskEvents, KEPT};

    #[test]
    fn returning_browser_receives_missed_events() {
        let events = DeskEvents::new();
        let (mut seen, hello) = events.resume(None);
        assert!(hello.is_some_and(|hello| hello.contains("event: hello")));
        events.send("call", &1);
        events.send("call", &2);
        let text = events.after(&mut seen);
        assert!(
            text.contains("data: 1\n") && text.contains("data: 2\n"),
            "{text}"
        );
        let first = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("id: "));
        let (mut seen, hello) = events.resume(first);
        assert_eq!(hello, None);
        let text = events.after(&mut seen);
        assert!(
            !text.contains("data: 1\n") && text.contains("data: 2\n"),
            "{text}"
        );
        assert_eq!(events.after(&mut seen), "");
    }

    #[test]
    fn a_gap_and_another_process_start_anew() {
        let events = DeskEvents::new();
        let (mut seen, _) = events.resume(None);
        for number in 0..KEPT + 10 {
            events.send("call", &number);
        }
        assert!(events.after(&mut seen).contains("event: hello"));
        for last in ["", "1", "x-1", "ffff-18446744073709551615"] {
            assert!(events.resume(Some(last)).1.is_some(), "{last}");
        }
        let own = format!("{}-18446744073709551615", events.epoch);
        assert!(events.resume(Some(&own)).1.is_some());
    }
}
