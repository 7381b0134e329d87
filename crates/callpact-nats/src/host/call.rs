//! One call from a host: find workers, publish once, wait for the result, and report the end
//! truthfully.

use std::{sync::Arc, time::Duration};

use async_nats::{
    Subscriber,
    jetstream::{context::PublishErrorKind, message::PublishMessage},
};
use bytes::Bytes;
use callpact::{Halt, Outcome, ToolContext, ToolResult, adapter::CallRecord};
use futures_util::StreamExt;
use serde_json::Value;
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout_at},
};

use super::{
    catalog::pin,
    connection::{ConnectionClosing, HostConnection},
    flight::{CallFlight, TakenBack},
    offered::{CallTimes, OfferedTool, did_not_run, result_of},
};
use crate::{
    TraceParent,
    protocol::{CallMessage, RecordState, WorkerNote, digest, new_id, parse, reply_subject},
    results::KnownRecord,
    server::WorkerGroup,
};

/// How long a host waits before it checks whether a call has its result, at first and at most.
const LOOKS: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// The bytes that the headers of a call may need.
const HEADERS: usize = 1024;

/// How long a host waits before it publishes a call again.
const PAUSE: Duration = Duration::from_millis(100);

/// Calls a tool at a worker. The result has the outcome from the worker.
pub(super) async fn call_worker(
    host: &Arc<HostConnection>,
    offered: &OfferedTool,
    arguments: &Value,
    cx: &ToolContext,
) -> ToolResult {
    let closing = host.closing.subscribe();
    if *closing.borrow() != ConnectionClosing::No {
        return did_not_run(
            &offered.name,
            "the program has closed its connection to the workers",
        );
    }
    match try_call(host, offered, arguments, closing, cx).await {
        Ok(result) | Err(result) => result,
    }
}

/// Waits until the program closes its connection to the workers, and has reached this stage.
async fn closed(closing: &mut watch::Receiver<ConnectionClosing>, stage: ConnectionClosing) {
    // The host outlives its calls, and so does the sender.
    let _ = closing.wait_for(|closing| *closing >= stage).await;
}

async fn try_call(
    host: &Arc<HostConnection>,
    offered: &OfferedTool,
    arguments: &Value,
    mut closing: watch::Receiver<ConnectionClosing>,
    cx: &ToolContext,
) -> Result<ToolResult, ToolResult> {
    let times = CallTimes::new(host.timeout, host.results.longest_call(), cx);
    let arguments = arguments.to_string();
    let holds_secret = cx
        .redactor()
        .is_some_and(|secrets| secrets.redact(&arguments) != arguments);
    if holds_secret {
        let why = "its arguments hold the value of a secret, which does not leave this machine";
        return Err(did_not_run(&offered.name, why).with_outcome(Outcome::Refused));
    }
    let group = tokio::select! {
        group = find_workers(host, offered, times.until) => group?,
        () = closed(&mut closing, ConnectionClosing::Ending) => return Ok(cancelled()),
    };
    let key = cx
        .idempotency_key()
        .map_or_else(new_id, |key| digest(&[key]));
    let call = CallMessage {
        id: cx.call_id().to_owned(),
        tool: offered.name.clone(),
        fingerprint: offered.fingerprint.clone(),
        digest: CallMessage::digest_of(&offered.fingerprint, &arguments),
        arguments,
        role: cx.named_role().map(str::to_owned),
        caller: cx.caller().map(str::to_owned),
        timeout: u64::try_from(times.run.as_millis()).unwrap_or(u64::MAX),
        trace: cx.get::<TraceParent>().map(|parent| parent.0.clone()),
        key,
    };
    let mut flight = CallFlight::new(host, offered, group, &call);
    let reply = reply_subject(&host.link.prefix, &call.key);
    let notes = host.link.client.subscribe(reply).await;
    let mut notes = notes.map_err(|error| did_not_run(&offered.name, &error.to_string()))?;
    let calling = async {
        match publish(host, &call, &mut flight, times).await {
            Ok(()) => wait(host, &mut flight, &mut notes, times.until, cx).await,
            Err(ended) => ended,
        }
    };
    let ended = tokio::select! {
        ended = calling => ended,
        () = closed(&mut closing, ConnectionClosing::Ending) => tokio::select! {
            ended = break_off(host, &mut flight, &mut notes, times.until, cx) => ended,
            () = closed(&mut closing, ConnectionClosing::Over) => WaitEnd::Failed(broken_off(&flight)),
        },
    };
    let result = match ended {
        WaitEnd::Result(record) => result_of(record),
        WaitEnd::Failed(result) => result,
        WaitEnd::NoTime => flight.end(times).await,
    };
    flight.land();
    Ok(result)
}

/// How the wait for a result ended.
enum WaitEnd {
    Result(CallRecord),
    Failed(ToolResult),
    NoTime,
}

fn cancelled() -> ToolResult {
    ToolResult::halt(Halt::Cancelled)
}

/// The result of an interrupted call whose end is not known.
fn broken_off(flight: &CallFlight) -> ToolResult {
    if flight.sent && !flight.repeatable {
        ToolResult::unknown(&flight.tool)
    } else {
        cancelled()
    }
}

/// Withdraws a call, or stops it and waits for its worker's report if that can change the result.
async fn break_off(
    host: &HostConnection,
    flight: &mut CallFlight,
    notes: &mut Subscriber,
    until: Instant,
    cx: &ToolContext,
) -> WaitEnd {
    if !flight.sent {
        return WaitEnd::Failed(cancelled());
    }
    loop {
        match timeout_at(until, flight.withdraw()).await {
            Ok(Ok(TakenBack::Withdrawn)) => return WaitEnd::Failed(cancelled()),
            Ok(Ok(TakenBack::Finished(result))) => return WaitEnd::Result(result),
            Ok(Ok(TakenBack::Running)) => break,
            Ok(Err(_)) => sleep(PAUSE).await,
            Err(_) => return WaitEnd::NoTime,
        }
    }
    flight.stop().await;
    if flight.repeatable {
        WaitEnd::Failed(cancelled())
    } else {
        wait(host, flight, notes, until, cx).await
    }
}

/// The workers that have the accepted form of the tool.
async fn find_workers(
    host: &HostConnection,
    offered: &OfferedTool,
    until: Instant,
) -> Result<WorkerGroup, ToolResult> {
    let (toolset, tool) = (&offered.toolset, &offered.name);
    let mut looks = host.looks.subscribe();
    let mut looked = false;
    loop {
        {
            let catalog = host.catalog();
            if catalog.pins.get(&pin(toolset, tool)) != Some(&offered.fingerprint) {
                let why = "another form of it was accepted, but the list of tools is still the old one; \
                           the program has to build it again";
                return Err(did_not_run(tool, why).with_outcome(Outcome::Refused));
            }
            if let Some(group) = catalog.route(toolset, &offered.fingerprint) {
                return Ok(group.clone());
            }
        }
        let connection = host.link.connection();
        if !connection.up {
            if !host.link.connected(until).await {
                return Err(out_of_reach(tool));
            }
        } else if connection.is_fresh() {
            // Workers need a moment to come back too.
            if timeout_at(until, looks.changed()).await.is_err() {
                return Err(no_worker(host, offered));
            }
        } else if looked {
            return Err(no_worker(host, offered));
        } else {
            looked = true;
            match timeout_at(until, host.look()).await {
                Ok(found) => found.map_err(|error| did_not_run(tool, &error.to_string()))?,
                Err(_) => return Err(no_worker(host, offered).with_outcome(Outcome::TimedOut)),
            }
        }
    }
}

fn out_of_reach(tool: &str) -> ToolResult {
    did_not_run(
        tool,
        "the NATS server cannot be reached, and the time was up",
    )
    .with_outcome(Outcome::TimedOut)
}

fn no_worker(host: &HostConnection, offered: &OfferedTool) -> ToolResult {
    let (toolset, tool) = (&offered.toolset, &offered.name);
    let changed = host
        .catalog()
        .listed()
        .iter()
        .any(|(of, offer)| of == toolset && offer.listed.name == *tool);
    if changed {
        let why = "it has changed since it was accepted; it is not called until a person accepts the \
                   change. Go on without it";
        return did_not_run(tool, why).with_outcome(Outcome::Refused);
    }
    did_not_run(tool, "no worker that has it is there")
}

/// Publishes a call until the server has it.
async fn publish(
    host: &HostConnection,
    call: &CallMessage,
    flight: &mut CallFlight,
    times: CallTimes,
) -> Result<(), WaitEnd> {
    let (link, tool) = (&host.link, &call.tool);
    let failed = |why: &str| WaitEnd::Failed(did_not_run(tool, why));
    let bytes = serde_json::to_vec(call).map_err(|error| failed(&error.to_string()))?;
    let size = bytes.len();
    // The server drops the call when nobody waits for it any more.
    let left = times.until.saturating_duration_since(Instant::now());
    let seconds = Duration::from_secs(left.as_secs() + 1);
    let message = PublishMessage::build()
        .payload(Bytes::from(bytes))
        .message_id(&call.key)
        .ttl(seconds);
    let subject = flight.group.calls(&link.prefix);
    loop {
        if !link.connected(times.until).await {
            return Err(WaitEnd::NoTime);
        }
        let most = link.max_message();
        if size + HEADERS > most {
            return Err(failed(&format!(
                "its call has {size} bytes; a message between machines may have {most}"
            )));
        }
        let sent_before = std::mem::replace(&mut flight.sent, true);
        let stored = async {
            let sent = link
                .jetstream
                .send_publish(subject.clone(), message.clone());
            Ok(match sent.await {
                Ok(acknowledged) => acknowledged.await,
                Err(error) => Err(error),
            })
        };
        let stored = link.rights.ask(|denied| denied == subject, stored);
        let error = match timeout_at(times.until, stored).await {
            Ok(Ok(Ok(_))) => return Ok(()),
            Ok(Ok(Err(error))) => error,
            // The server refused it.
            Ok(Err(error)) => {
                flight.sent = sent_before;
                return Err(failed(&error.to_string()));
            }
            Err(_) => return Err(WaitEnd::NoTime),
        };
        match error.kind() {
            PublishErrorKind::StreamNotFound => {
                // A server that lost its data has no stream.
                let _ = timeout_at(times.until, link.calls()).await;
            }
            _ => {
                tracing::debug!(target: "callpact", %tool, "the call is published again: {error}");
            }
        }
        sleep(PAUSE).await;
    }
}

/// Waits for the result: for the worker's message or, if that is lost, for the record.
async fn wait(
    host: &HostConnection,
    flight: &mut CallFlight,
    notes: &mut Subscriber,
    until: Instant,
    cx: &ToolContext,
) -> WaitEnd {
    let mut pause = LOOKS.0;
    let mut next_look = Instant::now() + pause;
    loop {
        tokio::select! {
            biased;
            // Before the notes, so that a flood of them cannot delay the end of the call.
            () = sleep_until(until) => return WaitEnd::NoTime,
            () = sleep_until(next_look) => {
                pause = (pause * 2).min(LOOKS.1);
                next_look = Instant::now() + pause;
                if let Ok(Some(ended)) = timeout_at(until, look(host, flight)).await {
                    return ended;
                }
            }
            Some(note) = notes.next() => match parse(&note.payload).ok() {
                Some(WorkerNote::Done(result)) => return WaitEnd::Result(result),
                Some(WorkerNote::Progress { done, total, message }) => {
                    cx.progress(done, total, message.as_deref());
                }
                None => {}
            },
        }
    }
}

/// Checks the record of a call, and whether there are workers to take it.
async fn look(host: &HostConnection, flight: &mut CallFlight) -> Option<WaitEnd> {
    let connection = host.link.connection();
    if !connection.up {
        return None;
    }
    let (known, _) = flight.results.read(&flight.key).await.ok()?;
    match known {
        KnownRecord::Record(record) if record.digest != flight.digest => {
            let why = "another call ran under the key of this one";
            let result = did_not_run(&flight.tool, why).with_outcome(Outcome::Refused);
            Some(WaitEnd::Failed(result))
        }
        KnownRecord::Record(record) => match record.state {
            RecordState::Finished { result, .. } => Some(WaitEnd::Result(result)),
            // A repeated call of a run.
            RecordState::Withdrawn { .. } => {
                let why = "this call was taken back before, when no worker took it; make it again as a new call";
                Some(WaitEnd::Failed(did_not_run(&flight.tool, why)))
            }
            // The worker that runs the call, or the next one, will finish it.
            RecordState::Claimed(_) => None,
        },
        KnownRecord::Spoiled => None,
        KnownRecord::Nothing if connection.is_fresh() || host.catalog().is_there(&flight.group) => {
            None
        }
        KnownRecord::Nothing => {
            let why = "the workers that have it went away before one took the call";
            let withdrawn = flight.withdraw().await.ok()?.is_withdrawn();
            withdrawn.then(|| WaitEnd::Failed(did_not_run(&flight.tool, why)))
        }
    }
}
