//! The store in a file: promises, other processes, other versions, damage.

use std::{fs, path::Path, time::Duration};

use callpact::{
    ToolCall, ToolContext, Toolset,
    review::ReviewDecision,
    store::{CallStore, Claim, Decided, Moment, StoreError, Taken},
    tool,
};
use callpact_store::{OpenError, SqliteStore};
use callpact_testing::{assert_store, waiting_call};

type Tested = Result<(), Box<dyn std::error::Error>>;

#[tokio::test]
async fn the_file_keeps_the_promises_of_a_store() -> Tested {
    let dir = tempfile::tempdir()?;
    assert_store(&SqliteStore::open(dir.path().join("calls.db"))?).await;
    Ok(())
}

fn decided(by: &str) -> Decided {
    Decided::new(ReviewDecision::Continue, by, Moment(5))
}

#[tokio::test]
async fn what_is_in_the_file_survives_the_process() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let call = waiting_call("one", Moment(1)).until(Moment(u64::MAX));
    let store = SqliteStore::open(&file)?;
    store.put(&call).await?;
    let claimed = store.claim("k", Duration::MAX, Moment(0)).await?;
    assert!(matches!(claimed, Claim::Held(_)));
    drop(store);
    let store = SqliteStore::open(&file)?;
    let found = store.list().await?;
    assert_eq!((found.len(), &found[0].call), (1, &call.call));
    assert!(matches!(
        store.take("one", &decided("ada")).await?,
        Taken::Won(_)
    ));
    assert!(matches!(
        store.claim("k", Duration::ZERO, Moment(9)).await?,
        Claim::Busy { .. }
    ));
    Ok(())
}

#[test]
fn of_many_connections_one_wins_each_call() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let block_on = |future| {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.expect("a runtime").block_on(future);
    };
    let calls: Vec<_> = (0..200)
        .map(|n| waiting_call(&n.to_string(), Moment(n)))
        .collect();
    block_on(async {
        let store = SqliteStore::open(&file).expect("a store");
        for call in &calls {
            store.put(call).await.expect("put");
        }
    });
    let decide = |name: &str| {
        let store = SqliteStore::open(&file).expect("a store");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let mut won = 0;
            for call in &calls {
                let taken = store
                    .take(&call.call.id, &decided(name))
                    .await
                    .expect("taken");
                won += usize::from(matches!(taken, Taken::Won(_)));
            }
            won
        })
    };
    let won = std::thread::scope(|scope| {
        let threads: Vec<_> = ["a", "b", "c", "d"]
            .map(|name| scope.spawn(move || decide(name)))
            .into();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a count"))
            .sum::<usize>()
    });
    assert_eq!(won, calls.len());
    Ok(())
}

/// The bytes of a file before and after an attempt to open it, which fails.
fn refused(file: &Path) -> Result<OpenError, Box<dyn std::error::Error>> {
    let before = fs::read(file)?;
    let error = SqliteStore::open(file).expect_err("not a store");
    assert_eq!(fs::read(file)?, before, "the file is unchanged");
    Ok(error)
}

#[test]
fn names_foreign_file_and_keeps_content() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("notes.txt");
    fs::write(
        &file,
        "These are notes, and there are many more of them than a header has bytes.",
    )?;
    let error = refused(&file)?;
    assert!(matches!(error, OpenError::NotAStore { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("notes.txt is not a call store: "),
        "{error}"
    );

    let file = dir.path().join("other.db");
    rusqlite::Connection::open(&file)?.execute_batch("CREATE TABLE t (x)")?;
    let error = refused(&file)?.to_string();
    assert!(
        error.ends_with("it is the database of another program"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_file_of_a_newer_version_is_refused() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    drop(SqliteStore::open(&file)?);
    rusqlite::Connection::open(&file)?.pragma_update(None, "user_version", 9)?;
    let error = refused(&file)?.to_string();
    assert!(
        error.ends_with(
            "has version 9 of the call store; this program knows version 2. Use a newer program"
        ),
        "{error}"
    );
    Ok(())
}

#[test]
fn rejects_file_of_prerelease_version() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    drop(SqliteStore::open(&file)?);
    rusqlite::Connection::open(&file)?.pragma_update(None, "application_id", 0x5457_4353)?;
    let read_only = SqliteStore::open_read_only(&file).expect_err("it is refused");
    for error in [refused(&file)?, read_only] {
        let error = error.to_string();
        assert!(
            error.ends_with(
                "calls.db is not a call store: it was made by a version before 0.1.0; settle its calls with that \
                 version, or use a new file"
            ),
            "{error}"
        );
    }
    Ok(())
}

#[test]
fn a_damaged_file_is_named_and_loses_nothing() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    drop(SqliteStore::open(&file)?);
    let mut bytes = fs::read(&file)?;
    let end = bytes.len().min(4096);
    bytes[100..end].fill(0xAA);
    fs::write(&file, &bytes)?;
    let error = refused(&file)?;
    assert!(matches!(error, OpenError::NotAStore { .. }), "{error:?}");
    Ok(())
}

#[tokio::test]
async fn damage_error_names_file_and_loses_nothing() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?;
    store.put(&waiting_call("one", Moment(1))).await?;
    drop(store);
    let mut bytes = fs::read(&file)?;
    // The first page has the names of the tables; all others have what is in them.
    bytes[4096..].fill(0xAA);
    fs::write(&file, &bytes)?;
    let store = SqliteStore::open(&file)?;
    let errors = [
        store.list().await.err(),
        store.get("one").await.err(),
        store.take("one", &decided("ada")).await.err(),
        store.claim("k", Duration::ZERO, Moment(0)).await.err(),
    ];
    for error in errors {
        let error = error.ok_or("it is damaged")?.to_string();
        assert!(error.starts_with("the call store failed: "), "{error}");
        assert!(error.contains("calls.db: "), "{error}");
    }
    drop(store);
    assert_eq!(fs::read(&file)?[4096..], bytes[4096..]);
    Ok(())
}

#[tokio::test]
async fn a_file_is_verified_as_a_whole() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?;
    store.put(&waiting_call("one", Moment(1))).await?;
    store.verify().await?;
    drop(store);
    let whole = fs::read(&file)?;
    for damaged in [1, whole.len() / 4096 - 1] {
        let mut bytes = whole.clone();
        bytes[damaged * 4096..][..4096].fill(0x5A);
        fs::write(&file, &bytes)?;
        let error = SqliteStore::open(&file)?
            .verify()
            .await
            .expect_err("damage");
        assert!(matches!(error, OpenError::NotAStore { .. }), "{error:?}");
        assert!(error.to_string().contains("calls.db"), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    fs::write(&file, &whole)?;
    rusqlite::Connection::open(&file)?.execute_batch("DROP TABLE claims")?;
    assert!(SqliteStore::open(&file)?.verify().await.is_err());
    Ok(())
}

/// The pipe may never have a writer.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_no_store() -> Tested {
    let dir = tempfile::tempdir()?;
    let pipe = dir.path().join("calls.db");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status()?;
    assert!(made.success());
    for opened in [SqliteStore::open(&pipe), SqliteStore::open_read_only(&pipe)] {
        let error = opened.expect_err("a pipe").to_string();
        assert!(error.ends_with(": it is not a regular file"), "{error}");
    }
    Ok(())
}

#[test]
fn a_directory_is_no_store() -> Tested {
    let dir = tempfile::tempdir()?;
    let error = SqliteStore::open(dir.path()).expect_err("a directory");
    assert!(
        error.to_string().ends_with(": it is a directory"),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn a_result_that_is_no_text_is_damaged() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?;
    let Claim::Held(token) = store.claim("k", Duration::ZERO, Moment(0)).await? else {
        return Err("it is free".into());
    };
    store.finish("k", token, "{}", Moment(1)).await?;
    let sql = "UPDATE claims SET result = CAST(X'FF' AS TEXT)";
    rusqlite::Connection::open(&file)?.execute(sql, [])?;
    for error in [
        store.claim_record("k").await.err(),
        store.claim("k", Duration::ZERO, Moment(2)).await.err(),
    ] {
        assert!(matches!(error, Some(StoreError::Damaged(_))), "{error:?}");
    }
    Ok(())
}

#[tokio::test]
async fn reports_unreachable_store() -> Tested {
    let dir = tempfile::tempdir()?;
    let error = SqliteStore::open(dir.path().join("no/such/folder.db")).expect_err("no folder");
    assert!(matches!(error, OpenError::Failed { .. }), "{error:?}");
    let store = SqliteStore::open(dir.path().join("calls.db"))?;
    rusqlite::Connection::open(store.path())?.execute_batch("DROP TABLE claims")?;
    let claimed = store.claim("k", Duration::ZERO, Moment(0)).await;
    assert!(matches!(claimed, Err(StoreError::Failed(_))), "{claimed:?}");
    Ok(())
}

#[tokio::test]
async fn one_damaged_call_does_not_stop_the_others() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?;
    let faults = [
        "call = 'no JSON'",
        "call = substr(call, 1, 20)",
        "call = replace(call, '\"permission\"', '\"permissions\"')",
        "call = CAST(X'FF80' AS TEXT)",
        "call = replace(call, '\"id\":\"', '\"id\":\"other')",
        "decision = '{', goes_on = 1, decided_at = 5",
        "decision = '{\"decision\":\"maybe\"}', goes_on = 1, decided_at = 5",
    ];
    store.put(&waiting_call("first", Moment(0))).await?;
    for (nth, fault) in faults.iter().enumerate() {
        let id = format!("damaged {nth}");
        store.put(&waiting_call(&id, Moment(1))).await?;
        let sql = format!("UPDATE calls SET {fault} WHERE id = '{id}'");
        assert_eq!(rusqlite::Connection::open(&file)?.execute(&sql, [])?, 1);
    }
    store.put(&waiting_call("last", Moment(2))).await?;
    let ids: Vec<_> = store
        .list()
        .await?
        .into_iter()
        .map(|call| call.call.id)
        .collect();
    assert_eq!(ids, ["first", "last"]);
    let found = store.open_calls().await?;
    assert_eq!(found.len(), faults.len() + 2);
    let damaged: Vec<_> = found.into_iter().filter_map(Result::err).collect();
    for (nth, damaged) in damaged.iter().enumerate() {
        let id = format!("damaged {nth}");
        assert_eq!(damaged.id, id);
        assert!(!damaged.reason.is_empty());
        // Nobody decides about a call that cannot be read.
        for error in [
            store.get(&id).await.err(),
            store.take(&id, &decided("ada")).await.err(),
        ] {
            let error = error.ok_or("it is damaged")?.to_string();
            let words = format!("calls.db: the call `{id}` is damaged: ");
            assert!(error.contains(&words), "{error}");
        }
    }
    let taken = store.take("last", &decided("ada")).await?;
    assert!(matches!(taken, Taken::Won(_)), "{taken:?}");
    Ok(())
}

#[tokio::test]
async fn settled_calls_can_be_looked_at() -> Tested {
    let dir = tempfile::tempdir()?;
    let store = SqliteStore::open(dir.path().join("calls.db"))?;
    for id in ["ran", "refused", "waits"] {
        store.put(&waiting_call(id, Moment(1))).await?;
    }
    store.take("ran", &decided("ada")).await?;
    let Claim::Held(token) = store.claim("key of ran", Duration::ZERO, Moment(2)).await? else {
        return Err("nobody else claims it".into());
    };
    store.finish("key of ran", token, "{}", Moment(3)).await?;
    let no = Decided::new(ReviewDecision::REJECT, "ada", Moment(4));
    store.take("refused", &no).await?;
    let ids = |calls: Vec<Result<callpact::store::StoredCall, _>>| -> Vec<String> {
        let calls = calls.into_iter().filter_map(Result::ok);
        calls.map(|call| call.call.id).collect()
    };
    assert_eq!(ids(store.open_calls().await?), ["waits"]);
    assert_eq!(ids(store.all_calls().await?), ["ran", "refused", "waits"]);
    Ok(())
}

#[tokio::test]
async fn a_file_is_read_without_being_written() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls ? #1.db");
    let missing = SqliteStore::open_read_only(&file).expect_err("no file");
    assert!(matches!(missing, OpenError::Failed { .. }), "{missing:?}");
    assert!(!file.exists());
    let writer = SqliteStore::open(&file)?;
    writer.put(&waiting_call("one", Moment(1))).await?;
    // While somebody writes, and when nobody does.
    let reader = SqliteStore::open_read_only(&file)?;
    assert_eq!(reader.list().await?.len(), 1);
    writer.put(&waiting_call("two", Moment(2))).await?;
    assert_eq!(reader.list().await?.len(), 2);
    drop((writer, reader));
    let bytes = fs::read(&file)?;
    let reader = SqliteStore::open_read_only(&file)?;
    assert_eq!(reader.list().await?.len(), 2);
    let refused = [
        reader.put(&waiting_call("three", Moment(3))).await.err(),
        reader.take("one", &decided("ada")).await.err(),
        reader.claim("k", Duration::ZERO, Moment(0)).await.err(),
        reader.forget(Moment(9)).await.err(),
    ];
    for error in refused {
        let error = error.ok_or("it was opened to be read")?.to_string();
        assert!(error.contains("readonly database"), "{error}");
    }
    drop(reader);
    assert_eq!(fs::read(&file)?, bytes);
    let other = dir.path().join("other.db");
    rusqlite::Connection::open(&other)?.execute_batch("CREATE TABLE t (x)")?;
    let error = SqliteStore::open_read_only(&other).expect_err("of another program");
    assert!(matches!(error, OpenError::NotAStore { .. }), "{error:?}");
    fs::write(&other, "")?;
    let error = SqliteStore::open_read_only(&other)
        .expect_err("empty")
        .to_string();
    assert!(
        error.ends_with("a program that may write to it has to open it first"),
        "{error}"
    );
    Ok(())
}

/// Locks the file for writing, as another process would.
fn lock(file: &Path) -> rusqlite::Result<rusqlite::Connection> {
    let other = rusqlite::Connection::open(file)?;
    other.execute_batch("BEGIN IMMEDIATE")?;
    Ok(other)
}

#[tokio::test]
async fn locked_file_blocks_no_caller_thread() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?;
    let other = lock(&file)?;
    let mut claiming = store.claim("k", Duration::MAX, Moment(0));
    // This runtime has one thread, which is free while the claim waits.
    tokio::select! {
        biased;
        claimed = &mut claiming => return Err(format!("the file is locked: {claimed:?}").into()),
        () = tokio::task::yield_now() => {}
    }
    other.execute_batch("COMMIT")?;
    assert!(matches!(claiming.await?, Claim::Held(_)));
    Ok(())
}

#[tokio::test]
async fn busy_store_fails_after_patience() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?.with_patience(Duration::from_millis(50));
    let other = lock(&file)?;
    let call = waiting_call("one", Moment(1));
    // Steps that wait for one another do not add up their patience.
    let steps: Vec<_> = (0..100).map(|_| store.put(&call)).collect();
    let start = std::time::Instant::now();
    for step in steps {
        let error = step.await.expect_err("the file is locked").to_string();
        assert!(error.starts_with("the call store failed: "), "{error}");
        let words = "calls.db: the store is busy: another process has locked the file";
        assert!(error.ends_with(words), "{error}");
    }
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    // A file of this version is opened and read in the meantime.
    assert!(SqliteStore::open(&file)?.list().await?.is_empty());
    drop(other);
    store.put(&call).await?;
    Ok(())
}

/// Reads
#[tool(read_only)]
fn look() -> &'static str {
    "seen"
}

/// Pays
#[tool(destructive)]
fn pay(euros: u32) -> u32 {
    euros
}

/// `CALLPACT_LOCK=20` keeps the lock for so many seconds and holds the times, on an idle machine.
#[tokio::test]
async fn a_long_lock_slows_no_call_without_the_store() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let whole = std::env::var("CALLPACT_LOCK").ok();
    let whole = whole.map(|seconds| seconds.parse()).transpose()?;
    let lasts = whole.map_or(Duration::from_millis(300), Duration::from_secs);
    let mut store = SqliteStore::open(&file)?;
    if whole.is_none() {
        store = store.with_patience(Duration::from_millis(50));
    }
    let tools = Toolset::builder().tool(Look).tool(Pay).build()?;
    let cx = ToolContext::new()
        .with_store(std::sync::Arc::new(store))
        .with_deferred_approval();
    let look = ToolCall::new("1", "look", "{}");
    let pay = ToolCall::new("2", "pay", r#"{"euros": 5}"#);
    let other = lock(&file)?;
    let began = std::time::Instant::now();
    let reads = async {
        let (mut count, mut slowest) = (0, Duration::ZERO);
        while began.elapsed() < lasts {
            let start = std::time::Instant::now();
            assert!(tools.call(&look, &cx).await.is_ok_and(|it| it.is_success()));
            slowest = slowest.max(start.elapsed());
            count += 1;
            tokio::task::yield_now().await;
        }
        (count, slowest)
    };
    let waits = async {
        let (mut count, mut slowest) = (0, Duration::ZERO);
        while began.elapsed() < lasts {
            let start = std::time::Instant::now();
            let halt = tools.call(&pay, &cx).await.expect_err("the file is locked");
            let words = "the store is busy: another process has locked the file";
            assert!(halt.to_string().ends_with(words), "{halt}");
            slowest = slowest.max(start.elapsed());
            count += 1;
        }
        (count, slowest)
    };
    let (reads, waits) = tokio::join!(reads, waits);
    println!("calls without the store: {reads:?}; calls with it: {waits:?}");
    if whole.is_some() {
        assert!(reads.1 < Duration::from_millis(10), "{reads:?}");
        assert!(waits.1 < Duration::from_millis(5_500), "{waits:?}");
    }
    drop(other);
    let halt = tools.call(&pay, &cx).await.expect_err("it waits");
    assert!(matches!(halt, callpact::Halt::Pending(_)), "{halt}");
    Ok(())
}

#[tokio::test]
async fn opening_locked_file_reports_busy() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let other = rusqlite::Connection::open(&file)?;
    other.execute_batch("BEGIN EXCLUSIVE")?;
    let error = SqliteStore::open(&file).expect_err("the file is locked");
    assert!(matches!(error, OpenError::Busy { .. }), "{error:?}");
    let words = "calls.db: the store is busy: another process has locked the file";
    assert!(error.to_string().ends_with(words), "{error}");
    Ok(())
}

#[tokio::test]
async fn dropped_claim_is_not_made() -> Tested {
    let dir = tempfile::tempdir()?;
    let file = dir.path().join("calls.db");
    let store = SqliteStore::open(&file)?;
    let other = lock(&file)?;
    drop(store.claim("k", Duration::MAX, Moment(0)));
    let finishing = store.claim_record("k");
    other.execute_batch("COMMIT")?;
    assert_eq!(finishing.await?, None);
    let claimed = store.claim("k", Duration::MAX, Moment(0)).await?;
    assert!(matches!(claimed, Claim::Held(_)), "{claimed:?}");
    Ok(())
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_reads_a_new_file() -> Tested {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &Path| fs::metadata(path).map(|data| data.permissions().mode() & 0o777);
    let dir = tempfile::tempdir()?;
    symlink(dir.path().join("real.db"), dir.path().join("link.db"))?;
    for (name, real) in [("calls.db", "calls.db"), ("link.db", "real.db")] {
        let store = SqliteStore::open(dir.path().join(name))?;
        store.put(&waiting_call("one", Moment(1))).await?;
        for end in ["", "-wal", "-shm"] {
            let file = dir.path().join(format!("{real}{end}"));
            assert_eq!(mode(&file)?, 0o600, "{}", file.display());
        }
    }
    // The mode of a file that exists belongs to its owner.
    let file = dir.path().join("shared.db");
    fs::write(&file, "")?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o660))?;
    drop(SqliteStore::open(&file)?);
    assert_eq!(mode(&file)?, 0o660);
    Ok(())
}
