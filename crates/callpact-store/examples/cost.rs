//! What the store costs beside the same steps written with rusqlite alone, for `scripts/bench`.
//!
//! `cost list store 10000` prints the least milliseconds of five listings of 10,000 waiting calls, by the time on
//! a processor, which other programs do not lengthen.
//! `cost put store 100` puts 100 calls, and `cost take store 100` also decides about each of them; both are for
//! tools that count instructions. `plain` instead of `store` is rusqlite alone.

use std::{error::Error, path::Path, process::ExitCode, time::Duration};

use callpact::{
    PendingCall, ReviewDecision,
    store::{CallStore, Decided, Moment, StoredCall, Taken},
};
use callpact_store::SqliteStore;
use rusqlite::Connection;
use serde_json::json;
use tokio::runtime::Runtime;

type Done<T = ()> = Result<T, Box<dyn Error>>;

/// A call with 300 bytes of arguments and a preview of the same size.
fn waiting(number: u64) -> Done<StoredCall> {
    let text = "Costs of the quarter, by month and by team. ".repeat(6);
    let call: PendingCall = serde_json::from_value(json!({
        "id": format!("{number:032x}"),
        "call_id": format!("call_{number}"),
        "tool": "file_write",
        "arguments": json!({"path": "report.md", "content": text}).to_string(),
        "preview": format!("+{text}"),
        "permission": "write",
        "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }))?;
    Ok(StoredCall::new(call, format!("key {number}"), Moment(number)).asked_by("ada"))
}

/// The steps that are measured.
trait Steps {
    fn put(&self, call: &StoredCall) -> Done;
    fn take(&self, id: &str, decision: &Decided) -> Done<bool>;
    fn list(&self) -> Done<usize>;
}

struct Store(SqliteStore, Runtime);

impl Steps for Store {
    fn put(&self, call: &StoredCall) -> Done {
        Ok(self.1.block_on(self.0.put(call))?)
    }
    fn take(&self, id: &str, decision: &Decided) -> Done<bool> {
        let taken = self.1.block_on(self.0.take(id, decision))?;
        Ok(matches!(taken, Taken::Won(_)))
    }
    fn list(&self) -> Done<usize> {
        Ok(self.1.block_on(self.0.list())?.len())
    }
}

/// One table and three statements: what a program would write for itself. It has no claims, no expiry and no
/// versions of the file.
struct Plain(Connection);

impl Plain {
    fn open(file: &Path) -> Done<Self> {
        let connection = Connection::open(file)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(
            "CREATE TABLE calls (arrival INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, call TEXT NOT NULL,
             decision TEXT) STRICT; CREATE INDEX waiting ON calls (arrival) WHERE decision IS NULL;",
        )?;
        Ok(Self(connection))
    }
}

impl Steps for Plain {
    fn put(&self, call: &StoredCall) -> Done {
        let text = serde_json::to_string(call)?;
        let put = "INSERT INTO calls (id, call) VALUES (?1, ?2)";
        self.0.execute(put, (&call.call.id, text))?;
        Ok(())
    }
    fn take(&self, id: &str, decision: &Decided) -> Done<bool> {
        let text = serde_json::to_string(decision)?;
        let take =
            "UPDATE calls SET decision = ?2 WHERE id = ?1 AND decision IS NULL RETURNING call";
        let call: String = self.0.query_row(take, (id, text), |row| row.get(0))?;
        let call: StoredCall = serde_json::from_str(&call)?;
        Ok(call.call.id == id)
    }
    fn list(&self) -> Done<usize> {
        let list = "SELECT call FROM calls WHERE decision IS NULL ORDER BY arrival";
        let mut list = self.0.prepare(list)?;
        let calls = list.query_map((), |row| row.get::<_, String>(0))?;
        let calls: Done<Vec<StoredCall>> = calls
            .map(|call| Ok(serde_json::from_str(&call?)?))
            .collect();
        Ok(calls?.len())
    }
}

/// How long the threads of this process have run, as Linux counts it.
fn time_on_processor() -> Done<Duration> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task")? {
        let counted = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        nanoseconds += counted
            .split(' ')
            .next()
            .unwrap_or_default()
            .parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanoseconds))
}

fn run(step: &str, way: &str, count: u64) -> Done<Option<String>> {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let steps: Box<dyn Steps> = match way {
        "store" => {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            Box::new(Store(SqliteStore::open(file)?, runtime))
        }
        "plain" => Box::new(Plain::open(&file)?),
        _ => return Ok(None),
    };
    for number in 0..count {
        steps.put(&waiting(number)?)?;
    }
    match step {
        "put" => {}
        "take" => {
            let decision = Decided::new(ReviewDecision::Continue, "grace", Moment(count));
            for number in 0..count {
                assert!(
                    steps.take(&format!("{number:032x}"), &decision)?,
                    "one winner"
                );
            }
        }
        "list" => {
            let mut least = Duration::MAX;
            for _ in 0..5 {
                let start = time_on_processor()?;
                assert_eq!(u64::try_from(steps.list()?)?, count, "every call");
                least = least.min(time_on_processor()?.saturating_sub(start));
            }
            return Ok(Some(format!("{:.2}", least.as_secs_f64() * 1e3)));
        }
        _ => return Ok(None),
    }
    Ok(Some(String::new()))
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match *words {
        [step, way, count] => count
            .parse()
            .map_err(Into::into)
            .and_then(|count| run(step, way, count)),
        _ => Ok(None),
    };
    match done {
        Ok(Some(text)) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Ok(None) => {
            eprintln!("cost put|take|list store|plain COUNT");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
