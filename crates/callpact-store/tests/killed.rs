//! Processes that are killed at every point of a call's way, and processes that decide at the same time.
//!
//! `CALLPACT_KILLS` is how often a process is killed at each point (200 in the long run), and
//! `CALLPACT_DECIDED` how many calls two processes decide about (10,000 in the long run).
#![cfg(unix)] // elsewhere a process that is killed is another thing

use std::{
    collections::HashMap,
    error::Error,
    fs::OpenOptions,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use callpact::{
    Halt, Outcome, Permission, ReviewDecision, State, ToolCall, ToolContext, ToolInput, Toolset,
    TypedAgentTool,
    adapter::CallRecord,
    call::ResumeError,
    store::{
        CallStore, Claim, ClaimRecord, ClaimToken, Decided, Moment, StoreFuture, StoredCall, Taken,
    },
    tool,
};
use callpact_store::SqliteStore;
use callpact_testing::waiting_call;

type Tested = Result<(), Box<dyn Error>>;

/// The points at which a process is killed, in the order of a call's way.
const POINTS: [&str; 13] = [
    "start",
    "before put",
    "after put",
    "before take",
    "after take",
    "before claim",
    "after claim",
    "in the tool",
    "after the effect",
    "before finish",
    "after finish",
    "before reply",
    "end",
];

fn number(variable: &str, usual: usize) -> usize {
    let set = std::env::var(variable).ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(usual)
}

/// Waits to be killed, if this is the point of this process.
fn pass(point: &str) {
    if std::env::var("CALLPACT_POINT").as_deref() == Ok(point) {
        println!("\nhere");
        std::thread::sleep(Duration::from_secs(600));
    }
}

/// A store that passes a point before and behind each step.
struct Watched(SqliteStore);

impl Watched {
    fn step<'a, T: 'a>(
        name: &'static str,
        step: impl FnOnce() -> StoreFuture<'a, T> + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move {
            pass(&format!("before {name}"));
            let done = step().await;
            pass(&format!("after {name}"));
            done
        })
    }
}

impl CallStore for Watched {
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
        Self::step("put", move || self.0.put(call))
    }
    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        self.0.get(id)
    }
    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        self.0.list()
    }
    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        Self::step("take", move || self.0.take(id, decision))
    }
    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        Self::step("claim", move || self.0.claim(key, lease, now))
    }
    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        self.0.claim_record(key)
    }
    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        self.0.renew(key, token, lease, now)
    }
    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        Self::step("finish", move || self.0.finish(key, token, result, now))
    }
    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        self.0.forget(before)
    }
}

/// The place where the effects of calls are counted, outside the store.
struct Ledger(PathBuf);

/// Pays a bill
#[tool(destructive)]
fn pay(bill: u32, State(ledger): State<Ledger>) -> Result<String, std::io::Error> {
    pass("in the tool");
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&ledger.0)?;
    file.write_all(format!("{bill}\n").as_bytes())?;
    pass("after the effect");
    Ok(format!("paid {bill}"))
}

/// Takes a call all its way, from wherever another process left it.
async fn take_all_the_way(dir: &Path, bill: usize, now: Moment) -> Result<Outcome, Box<dyn Error>> {
    pass("start");
    let tools = Toolset::single(Pay)?;
    let store = Watched(SqliteStore::open(dir.join("calls.db"))?);
    let cx = ToolContext::new()
        .with_store(std::sync::Arc::new(store))
        .with_deferred_approval()
        .with_run("the run")
        .with_clock(move || now)
        .with(std::sync::Arc::new(Ledger(dir.join("ledger"))));
    let arguments = format!("{{\"bill\": {bill}}}");
    let call = ToolCall::new(format!("call-{bill}"), "pay", arguments);
    let outcome = match tools.call(&call, &cx).await {
        Ok(reply) => reply.outcome,
        Err(Halt::Pending(pending)) => {
            let reply = tools.decide(&pending.id, ReviewDecision::Continue, &cx);
            reply.await?.outcome
        }
        Err(halt) => return Err(halt.into()),
    };
    pass("before reply");
    Ok(outcome)
}

/// Runs a part of this file in a process of its own.
fn process(part: &str, dir: &Path, variables: &[(&str, &str)]) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args(["--exact", part, "--ignored", "--nocapture", "--quiet"])
        .env("CALLPACT_DIR", dir)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
}

/// The lines that a process writes.
fn said(child: &mut Child) -> impl Iterator<Item = String> {
    let out = child.stdout.take().expect("it is piped");
    BufReader::new(out).lines().map_while(Result::ok)
}

fn directory() -> PathBuf {
    std::env::var_os("CALLPACT_DIR")
        .expect("this part runs in a process of its own")
        .into()
}

#[tokio::test]
#[ignore = "a process of `no_call_is_lost_or_runs_twice`"]
async fn one_way() -> Tested {
    let bill = std::env::var("CALLPACT_BILL")?.parse()?;
    take_all_the_way(&directory(), bill, Moment(0)).await?;
    pass("end");
    Ok(())
}

#[tokio::test]
#[ignore = "a process of `no_call_is_lost_or_runs_twice`"]
async fn every_way_again() -> Tested {
    // The leases of the processes that were killed are over.
    let now = Moment(3_600_000);
    for bill in 0..std::env::var("CALLPACT_BILL")?.parse()? {
        let outcome = take_all_the_way(&directory(), bill, now).await?;
        println!("\noutcome {bill} {outcome}");
    }
    Ok(())
}

#[tokio::test]
async fn no_call_is_lost_or_runs_twice() -> Tested {
    let kills = number("CALLPACT_KILLS", 2);
    for point in POINTS {
        let dir = tempfile::tempdir()?;
        for bill in 0..kills {
            let bill = bill.to_string();
            let mut child = process(
                "one_way",
                dir.path(),
                &[("CALLPACT_POINT", point), ("CALLPACT_BILL", &bill)],
            )?;
            assert!(said(&mut child).any(|line| line == "here"), "{point}");
            child.kill()?;
            child.wait()?;
        }
        let bills = kills.to_string();
        let mut child = process("every_way_again", dir.path(), &[("CALLPACT_BILL", &bills)])?;
        let outcomes: Vec<String> = said(&mut child)
            .filter_map(|line| line.strip_prefix("outcome ").map(str::to_owned))
            .collect();
        assert!(child.wait()?.success(), "{point}");
        let (outcome, paid) = match point {
            "after claim" | "in the tool" => ("unknown", 0),
            "after the effect" | "before finish" => ("unknown", 1),
            _ => ("success", 1),
        };
        let expected: Vec<String> = (0..kills).map(|bill| format!("{bill} {outcome}")).collect();
        assert_eq!(outcomes, expected, "{point}: no call is lost");
        let ledger = std::fs::read_to_string(dir.path().join("ledger")).unwrap_or_default();
        let mut payments: HashMap<&str, usize> = HashMap::new();
        for bill in ledger.lines() {
            *payments.entry(bill).or_default() += 1;
        }
        let all = (0..kills).all(|bill| payments.get(&*bill.to_string()).copied() == Some(paid));
        assert!(
            if paid == 0 { payments.is_empty() } else { all },
            "{point}: {payments:?}"
        );
        every_call_is_settled(dir.path(), outcome, kills).await?;
    }
    Ok(())
}

/// Every call has its result in the file, and none waits any more.
async fn every_call_is_settled(dir: &Path, outcome: &str, calls: usize) -> Tested {
    let store = SqliteStore::open(dir.join("calls.db"))?;
    assert_eq!(store.list().await?, []);
    let tools = Toolset::single(Pay)?;
    for bill in 0..calls {
        let other = std::sync::Arc::new(callpact::store::MemoryStore::new());
        let cx = ToolContext::new()
            .with_store(std::sync::Arc::clone(&other))
            .with_deferred_approval()
            .with_run("the run");
        let arguments = format!("{{\"bill\": {bill}}}");
        let call = ToolCall::new(format!("call-{bill}"), "pay", arguments);
        let Err(Halt::Pending(pending)) = tools.call(&call, &cx).await else {
            panic!("it waits");
        };
        let stored = store
            .get(&pending.id)
            .await?
            .ok_or("the call is in the file")?;
        let record = store
            .claim_record(&stored.key)
            .await?
            .ok_or("it was claimed")?;
        let (result, _) = record.result.ok_or("it has a result")?;
        let result: CallRecord = serde_json::from_str(&result)?;
        assert_eq!(result.outcome.name(), outcome);
    }
    Ok(())
}

const DAY: u64 = 24 * 3_600_000;

/// The context of one of the processes of a call that waits for a week.
fn on_day(day: u64) -> Result<(Toolset, ToolContext), Box<dyn Error>> {
    let dir = directory();
    let cx = ToolContext::new()
        .with_store(SqliteStore::open(dir.join("calls.db"))?)
        .with_deferred_approval()
        .with_run("the run")
        .with_waiting_time(Duration::from_millis(10 * DAY))
        .with_clock(move || Moment(day * DAY))
        .with(std::sync::Arc::new(Ledger(dir.join("ledger"))));
    Ok((Toolset::single(Pay)?, cx))
}

#[tokio::test]
#[ignore = "a process of `other_process_approves_edit_week_later`"]
async fn ask_on_the_first_day() -> Tested {
    let (tools, cx) = on_day(1)?;
    let call = ToolCall::new("call-1", "pay", r#"{"bill": 90}"#);
    match tools.call(&call, &cx).await {
        Err(Halt::Pending(pending)) => println!("\nid {}", pending.id),
        other => return Err(format!("{other:?}").into()),
    }
    Ok(())
}

#[tokio::test]
#[ignore = "a process of `other_process_approves_edit_week_later`"]
async fn approve_on_the_eighth_day() -> Tested {
    let (tools, cx) = on_day(8)?;
    let id = std::env::var("CALLPACT_ID")?;
    let edit = |text: &str| ReviewDecision::Edit(text.to_owned());
    let bad = tools.decide(&id, edit(r#"{"bill": -1}"#), &cx).await;
    assert!(matches!(bad, Err(ResumeError::Edit(_))), "{bad:?}");
    let good = tools.decide(&id, edit(r#"{"bill": 80}"#), &cx).await?;
    println!("\nreply {}", good.to_model());
    Ok(())
}

#[tokio::test]
#[ignore = "a process of `other_process_approves_edit_week_later`"]
async fn ask_again_on_the_eighth_day() -> Tested {
    let (tools, cx) = on_day(8)?;
    let call = ToolCall::new("call-1", "pay", r#"{"bill": 90}"#);
    println!("\nreply {}", tools.call(&call, &cx).await?.to_model());
    Ok(())
}

#[test]
fn other_process_approves_edit_week_later() -> Tested {
    let dir = tempfile::tempdir()?;
    let run = |part: &str, id: &str, start: &str| -> Result<String, Box<dyn Error>> {
        let mut child = process(part, dir.path(), &[("CALLPACT_ID", id)])?;
        let lines: Vec<String> = said(&mut child).collect();
        assert!(child.wait()?.success(), "{part}: {lines:?}");
        let found = lines.iter().find_map(|line| line.strip_prefix(start));
        Ok(found.ok_or("it says something")?.to_owned())
    };
    let id = run("ask_on_the_first_day", "", "id ")?;
    assert!(!dir.path().join("ledger").exists());
    let reply = run("approve_on_the_eighth_day", &id, "reply ")?;
    assert_eq!(reply, "paid 80");
    // The run that begins again gets the result, and nothing runs twice.
    let reply = run("ask_again_on_the_eighth_day", &id, "reply ")?;
    assert_eq!(reply, "paid 80");
    assert_eq!(std::fs::read_to_string(dir.path().join("ledger"))?, "80\n");
    Ok(())
}

#[tokio::test]
#[ignore = "a process of `two_processes_decide_once`"]
async fn decide_about_all() -> Tested {
    let store = SqliteStore::open(directory().join("calls.db"))?;
    let name = std::env::var("CALLPACT_NAME")?;
    let mut calls = store.list().await?;
    if name == "last to first" {
        calls.reverse();
    }
    let mut won = 0;
    for call in calls {
        let decided = Decided::new(ReviewDecision::Continue, &name, Moment(1));
        match store.take(&call.call.id, &decided).await? {
            Taken::Won(_) => won += 1,
            Taken::Lost(first) => assert_ne!(first.by, name),
            other => return Err(format!("{other:?}").into()),
        }
    }
    println!("\nwon {won}");
    Ok(())
}

#[tokio::test]
async fn two_processes_decide_once() -> Tested {
    let calls = number("CALLPACT_DECIDED", 200);
    let dir = tempfile::tempdir()?;
    let store = SqliteStore::open(dir.path().join("calls.db"))?;
    for call in 0..calls {
        store
            .put(&waiting_call(&call.to_string(), Moment(0)))
            .await?;
    }
    let names = ["first to last", "last to first"];
    let mut children = Vec::new();
    for name in names {
        children.push(process(
            "decide_about_all",
            dir.path(),
            &[("CALLPACT_NAME", name)],
        )?);
    }
    let mut won = HashMap::new();
    for (name, child) in names.into_iter().zip(&mut children) {
        // To the end, since a process cannot write to a pipe that nobody reads.
        let lines: Vec<String> = said(child).collect();
        let line = lines.iter().find_map(|line| line.strip_prefix("won "));
        won.insert(name, line.ok_or("it says how many")?.parse::<usize>()?);
        assert!(child.wait()?.success());
    }
    assert_eq!(won.values().sum::<usize>(), calls, "{won:?}");
    let mut recorded: HashMap<String, usize> = HashMap::new();
    for call in store.list().await? {
        let decided = call.decision.ok_or("every call is decided")?;
        *recorded.entry(decided.by).or_default() += 1;
    }
    for name in names {
        assert_eq!(recorded.get(name).copied().unwrap_or_default(), won[name]);
    }
    Ok(())
}

/// Writes a file, and shows its content before the write.
struct Save(PathBuf);

#[derive(ToolInput)]
struct SaveInput {
    path: String,
    text: String,
}

impl TypedAgentTool for Save {
    type Input = SaveInput;
    type Output = Result<&'static str, std::io::Error>;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "save"
    }
    fn description(&self) -> &'static str {
        "Writes a file."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn preview(&self, input: &SaveInput) -> Option<callpact::review::Preview> {
        let old = std::fs::read_to_string(self.0.join(&input.path)).ok()?;
        Some(format!("-{old}\n+{}", input.text).into())
    }
    async fn execute(&self, input: SaveInput, _: &ToolContext) -> Self::Output {
        std::fs::write(self.0.join(input.path), input.text)?;
        Ok("saved")
    }
}

fn saving() -> Result<(Toolset, ToolContext), Box<dyn Error>> {
    let dir = directory();
    let store = Watched(SqliteStore::open(dir.join("calls.db"))?);
    let cx = ToolContext::new()
        .with_store(std::sync::Arc::new(store))
        .with_deferred_approval()
        .with_run("the run");
    Ok((Toolset::single(Save(dir))?, cx))
}

fn save_a() -> ToolCall {
    ToolCall::new("call-1", "save", r#"{"path": "a", "text": "new"}"#)
}

#[tokio::test]
#[ignore = "a process of `runs_shown_edit_after_kill`"]
async fn edit_and_end() -> Tested {
    let (tools, cx) = saving()?;
    let Err(Halt::Pending(pending)) = tools.call(&save_a(), &cx).await else {
        return Err("it waits".into());
    };
    let edit = ReviewDecision::Edit(r#"{"path": "b", "text": "new"}"#.to_owned());
    tools.decide(&pending.id, edit, &cx).await?;
    Err("it is killed before the end".into())
}

#[tokio::test]
#[ignore = "a process of `runs_shown_edit_after_kill`"]
async fn go_on_with_the_edit() -> Tested {
    let (tools, cx) = saving()?;
    let reply = tools.call(&save_a(), &cx).await?;
    println!(
        "\nend {}: {}",
        reply.outcome.name(),
        reply.result.to_model()
    );
    Ok(())
}

#[test]
fn runs_shown_edit_after_kill() -> Tested {
    for point in ["after take", "before claim"] {
        for (meddled, end, b) in [
            ("a", "success: saved", "new"),
            (
                "b",
                "refused: Error: Tool 'save' did not run: what it would do has changed",
                "mine",
            ),
        ] {
            let dir = tempfile::tempdir()?;
            let file = |name: &str| dir.path().join(name);
            std::fs::write(file("a"), "old a")?;
            std::fs::write(file("b"), "old b")?;
            let mut child = process("edit_and_end", dir.path(), &[("CALLPACT_POINT", point)])?;
            assert!(said(&mut child).any(|line| line == "here"), "{point}");
            child.kill()?;
            child.wait()?;
            std::fs::write(file(meddled), "mine")?;
            // Twice: the end of the call is its end.
            for _ in 0..2 {
                let mut child = process("go_on_with_the_edit", dir.path(), &[])?;
                let lines: Vec<String> = said(&mut child).collect();
                assert!(child.wait()?.success(), "{point}: {lines:?}");
                let found = lines.iter().find_map(|line| line.strip_prefix("end "));
                assert!(
                    found.is_some_and(|it| it.starts_with(end)),
                    "{point}: {lines:?}"
                );
                assert_eq!(std::fs::read_to_string(file("b"))?, b, "{point}");
            }
        }
    }
    Ok(())
}
