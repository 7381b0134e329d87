//! A call on its way: what the host must do about it when it stops waiting.

use callpact::{Outcome, ToolResult, adapter::CallRecord};
use tokio::{sync::watch, time::timeout_at};

use super::{
    connection::{ConnectionClosing, HostConnection},
    offered::{CallTimes, OfferedTool, did_not_run, result_of, was_stopped},
};
use crate::{
    NatsError,
    link::ServerLink,
    protocol::{CallMessage, RecordState, WorkerRecord, new_id},
    records::{ROUNDS, too_busy},
    results::{CallResults, KnownRecord},
    server::WorkerGroup,
};

/// A call on its way. If it is dropped before it has landed, the call is withdrawn or stopped.
pub(super) struct CallFlight {
    link: ServerLink,
    pub(super) results: CallResults,
    pub(super) group: WorkerGroup,
    pub(super) key: String,
    pub(super) digest: String,
    pub(super) tool: String,
    pub(super) repeatable: bool,
    /// Whether the server may have the call.
    pub(super) sent: bool,
    landed: bool,
    /// With this, the host counts the calls that have not ended.
    under_way: watch::Receiver<ConnectionClosing>,
}

/// The result of withdrawing a call.
pub(super) enum TakenBack {
    /// It never runs.
    Withdrawn,
    /// A worker has it, or may have it.
    Running,
    /// It has a result.
    Finished(CallRecord),
}

impl TakenBack {
    pub(super) fn is_withdrawn(&self) -> bool {
        matches!(self, Self::Withdrawn)
    }
}

impl CallFlight {
    pub(super) fn new(
        host: &HostConnection,
        offered: &OfferedTool,
        group: WorkerGroup,
        call: &CallMessage,
    ) -> Self {
        Self {
            link: host.link.clone(),
            results: host.results.clone(),
            group,
            key: call.key.clone(),
            digest: call.digest.clone(),
            tool: offered.name.clone(),
            repeatable: offered.repeatable,
            sent: false,
            landed: false,
            under_way: host.closing.subscribe(),
        }
    }

    /// The call needs nothing more.
    pub(super) fn land(&mut self) {
        self.landed = true;
    }

    /// Withdraws the call, so that no worker runs it from now on.
    pub(super) async fn withdraw(&self) -> Result<TakenBack, NatsError> {
        withdraw(&self.results, &self.key, &self.digest).await
    }

    /// Tells the worker to stop the call.
    pub(super) async fn stop(&self) {
        stop(&self.link, &self.results, &self.group, &self.key).await;
    }

    /// Ends a call whose time is up.
    pub(super) async fn end(&mut self, times: CallTimes) -> ToolResult {
        let tool = &self.tool;
        let taken_back = timeout_at(times.until + times.margin, self.withdraw()).await;
        let result = match taken_back {
            Ok(Ok(TakenBack::Withdrawn)) => did_not_run(tool, "no worker took the call in time"),
            Ok(Ok(TakenBack::Finished(result))) => return result_of(result),
            Ok(Ok(TakenBack::Running)) => {
                self.stop().await;
                return self.stopped();
            }
            Ok(Err(_)) | Err(_) if self.sent => return self.stopped(),
            Ok(Err(_)) | Err(_) => did_not_run(
                tool,
                "the NATS server cannot be reached, and the time was up",
            ),
        };
        result.with_outcome(Outcome::TimedOut)
    }

    fn stopped(&self) -> ToolResult {
        was_stopped(
            &self.tool,
            self.repeatable,
            "gave no result in time, and was stopped",
        )
    }
}

impl Drop for CallFlight {
    fn drop(&mut self) {
        if self.landed || !self.sent {
            return;
        }
        // Without a runtime there is no connection either.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (link, results) = (self.link.clone(), self.results.clone());
        let (group, key, digest) = (self.group.clone(), self.key.clone(), self.digest.clone());
        let mut under_way = self.under_way.clone();
        runtime.spawn(async move {
            let end = async {
                if let Ok(TakenBack::Running) = withdraw(&results, &key, &digest).await {
                    stop(&link, &results, &group, &key).await;
                }
            };
            tokio::select! {
                () = end => {}
                // If the host is gone, the call is stopped all the same.
                Ok(_) = under_way.wait_for(|closing| *closing == ConnectionClosing::Over) => {}
            }
        });
    }
}

async fn withdraw(results: &CallResults, key: &str, digest: &str) -> Result<TakenBack, NatsError> {
    let by = new_id();
    let record = WorkerRecord {
        digest: digest.to_owned(),
        state: RecordState::Withdrawn { by },
    };
    // Usually there is no record, so it is only read if the first write fails.
    let mut revision = 0;
    for _ in 0..ROUNDS {
        if results.write(key, &record, revision).await?.is_some() {
            return Ok(TakenBack::Withdrawn);
        }
        let known;
        (known, revision) = results.read(key).await?;
        match known {
            KnownRecord::Nothing => {}
            // A worker may have started the call before somebody overwrote its claim.
            KnownRecord::Spoiled => return Ok(TakenBack::Running),
            KnownRecord::Record(record) => match record.state {
                RecordState::Withdrawn { .. } => return Ok(TakenBack::Withdrawn),
                RecordState::Claimed(_) => return Ok(TakenBack::Running),
                RecordState::Finished { result, .. } => return Ok(TakenBack::Finished(result)),
            },
        }
    }
    Err(too_busy())
}

/// Tells the workers to stop a call. The one that runs it does.
async fn stop(link: &ServerLink, results: &CallResults, group: &WorkerGroup, key: &str) {
    let subject = group.stop(&link.prefix);
    let _ = link.client.publish(subject, key.to_owned().into()).await;
    // The program may end at any moment. The answer to a later request shows that the server has the message.
    let _ = results.read(key).await;
}
