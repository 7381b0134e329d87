//! Waiting calls and results on a NATS server.

use std::{fmt, time::Duration};

use callpact::store::{
    CallState, CallStore, Claim, ClaimRecord, ClaimToken, Decided, Moment, StoreError, StoreFuture,
    StoredCall, Taken,
};
use serde::{Deserialize, Serialize};

use crate::{
    NatsError, Server,
    link::ServerLink,
    protocol::{digest, new_id},
    records::{FoundRecord, MARKER, ROUNDS, RecordBucket, too_busy},
};

/// Waiting calls, and the results of calls that ran, in two key-value buckets that many machines share.
///
/// It passes the same checks as the stores in memory and in a file. A call and a result must each fit in
/// one message of the server, which is 1 MB unless the server is configured otherwise.
///
/// ```no_run
/// use callpact::ToolContext;
/// use callpact_nats::NatsStore;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let store = NatsStore::open("nats://127.0.0.1:4222").await?;
/// let cx = ToolContext::new().with_store(store).with_run("run-7");
/// # let _ = cx;
/// # Ok(())
/// # }
/// ```
pub struct NatsStore {
    calls: RecordBucket,
    claims: RecordBucket,
}

impl NatsStore {
    /// Connects, and creates missing buckets.
    ///
    /// # Errors
    /// If the server cannot be reached, is too old, or has no `JetStream`.
    pub async fn open(server: impl Into<Server>) -> Result<Self, NatsError> {
        let link = ServerLink::open(server.into()).await?;
        let for_ever = Duration::ZERO;
        Ok(Self {
            calls: link.bucket("waiting", for_ever, Some(MARKER)).await?,
            claims: link.bucket("claims", for_ever, Some(MARKER)).await?,
        })
    }

    async fn find(&self, id: &str) -> Result<FoundRecord<StoredRecord>, StoreError> {
        let of_another = |record: &StoredRecord| record.call.call.id != id;
        match self.calls.read::<StoredRecord>(&digest(&[id])).await {
            Ok(found) if found.value.as_ref().is_some_and(of_another) => Err(damaged(
                &format!("the call `{id}`"),
                "its text has the id of another call",
            )),
            Ok(found) => Ok(found),
            Err(NatsError::Damaged(why)) => Err(damaged(&format!("the call `{id}`"), &why)),
            Err(error) => Err(failed(error)),
        }
    }

    async fn find_claim(&self, key: &str) -> Result<FoundRecord<StoredClaim>, StoreError> {
        match self.claims.read(&digest(&[key])).await {
            Err(NatsError::Damaged(why)) => Err(damaged("the record of a run", &why)),
            found => found.map_err(failed),
        }
    }

    /// Whether a call needs nothing more: it was rejected, or it has a result.
    async fn is_settled(&self, call: &StoredCall) -> Result<bool, StoreError> {
        match &call.decision {
            None => Ok(false),
            Some(decided) if !decided.decision.goes_on() => Ok(true),
            Some(_) => {
                match self.find_claim(&call.key).await {
                    Ok(claim) => Ok(claim.value.is_some_and(|claim| claim.result.is_some())),
                    // Somebody has to look at it, but it must not block the other calls.
                    Err(StoreError::Damaged(_)) => Ok(false),
                    Err(error) => Err(error),
                }
            }
        }
    }

    /// Changes a claim that is the latest one and has no result.
    async fn change_claim(
        &self,
        key: &str,
        token: ClaimToken,
        change: impl Fn(&mut StoredClaim),
    ) -> Result<(), StoreError> {
        for _ in 0..ROUNDS {
            let found = self.find_claim(key).await?;
            let held = found
                .value
                .filter(|claim| claim.token == token.0 && claim.result.is_none());
            let mut claim = held.ok_or(StoreError::Fenced)?;
            change(&mut claim);
            if write(&self.claims, key, &mut claim, found.revision).await? {
                return Ok(());
            }
        }
        Err(failed(too_busy()))
    }

    async fn take_call(&self, id: &str, decision: &Decided) -> Result<Taken, StoreError> {
        for _ in 0..ROUNDS {
            let found = self.find(id).await?;
            let Some(mut record) = found.value else {
                return Ok(Taken::Unknown);
            };
            if let Some(first) = record.call.decision {
                return Ok(Taken::Lost(first));
            }
            if record.call.state(decision.at) == CallState::Expired {
                return Ok(Taken::Expired);
            }
            record.call.decision = Some(decision.clone());
            // Only a decision changes the record, so this is still the revision of its arrival.
            record.arrival = Some(found.revision);
            if write(&self.calls, id, &mut record, found.revision).await? {
                return Ok(Taken::Won(Box::new(record.call)));
            }
        }
        Err(failed(too_busy()))
    }

    async fn claim_call(
        &self,
        key: &str,
        lease: Duration,
        now: Moment,
    ) -> Result<Claim, StoreError> {
        for _ in 0..ROUNDS {
            let found = self.find_claim(key).await?;
            let token = match found.value {
                Some(StoredClaim {
                    result: Some((result, _)),
                    ..
                }) => return Ok(Claim::Finished(result)),
                Some(claim) if claim.until > now => {
                    return Ok(Claim::Busy { until: claim.until });
                }
                Some(claim) => claim.token + 1,
                None => 1,
            };
            let mut claim = StoredClaim {
                token,
                until: now.after(lease),
                result: None,
                writer: String::new(),
            };
            if write(&self.claims, key, &mut claim, found.revision).await? {
                let proof = ClaimToken(token);
                return Ok(match token {
                    1 => Claim::Held(proof),
                    _ => Claim::Abandoned(proof),
                });
            }
        }
        Err(failed(too_busy()))
    }

    async fn list_open(&self) -> Result<Vec<StoredCall>, StoreError> {
        let mut open = Vec::new();
        for (_, record, revision) in self.calls.all::<StoredRecord>().await.map_err(failed)? {
            if !self.is_settled(&record.call).await? {
                let arrival = record.arrival.unwrap_or(revision);
                open.push((record.call.since, arrival, record.call));
            }
        }
        open.sort_by_key(|(since, arrival, _)| (*since, *arrival));
        Ok(open.into_iter().map(|(.., call)| call).collect())
    }

    async fn remove_call(&self, id: &str) -> Result<bool, StoreError> {
        for _ in 0..ROUNDS {
            let key = digest(&[id]);
            let Some(revision) = self.calls.revision(&key).await.map_err(failed)? else {
                return Ok(false);
            };
            let removed = self.calls.remove(&key, revision).await;
            if removed.map_err(failed)? {
                return Ok(true);
            }
        }
        Err(failed(too_busy()))
    }

    async fn forget_old(&self, before: Moment) -> Result<u64, StoreError> {
        let mut forgotten = 0;
        for (key, record, revision) in self.calls.all::<StoredRecord>().await.map_err(failed)? {
            let is_old = match &record.call.decision {
                Some(decided) => decided.at < before && self.is_settled(&record.call).await?,
                None => record.call.until.is_some_and(|until| until < before),
            };
            if is_old && self.calls.remove(&key, revision).await.map_err(failed)? {
                forgotten += 1;
            }
        }
        for (key, claim, revision) in self.claims.all::<StoredClaim>().await.map_err(failed)? {
            let is_old = claim.result.is_some_and(|(_, finished)| finished < before);
            if is_old && self.claims.remove(&key, revision).await.map_err(failed)? {
                forgotten += 1;
            }
        }
        Ok(forgotten)
    }
}

/// A record that names its last writer.
trait SignedRecord: Serialize {
    fn sign(&mut self, writer: String);
}

/// Writes a record under a key of the program. Returns whether no other writer was faster.
async fn write(
    records: &RecordBucket,
    key: &str,
    record: &mut impl SignedRecord,
    revision: u64,
) -> Result<bool, StoreError> {
    record.sign(new_id());
    let written = records.write(&digest(&[key]), record, revision).await;
    written.map(|revision| revision.is_some()).map_err(failed)
}

/// A call as stored in its bucket.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    call: StoredCall,
    /// The revision of its arrival, once a decision has changed the record.
    arrival: Option<u64>,
    writer: String,
}

impl SignedRecord for StoredRecord {
    fn sign(&mut self, writer: String) {
        self.writer = writer;
    }
}

/// A claim as stored in its bucket.
#[derive(Serialize, Deserialize)]
struct StoredClaim {
    token: u64,
    until: Moment,
    /// The result and the time at which it came, once there is one.
    result: Option<(String, Moment)>,
    writer: String,
}

impl SignedRecord for StoredClaim {
    fn sign(&mut self, writer: String) {
        self.writer = writer;
    }
}

fn failed(error: NatsError) -> StoreError {
    StoreError::Failed(error.into())
}

fn damaged(what: &str, why: &str) -> StoreError {
    StoreError::Damaged(format!("{what} cannot be read: {why}").into())
}

impl CallStore for NatsStore {
    fn put<'a>(&'a self, call: &'a StoredCall) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let id = &call.call.id;
            let mut record = StoredRecord {
                call: call.clone(),
                arrival: None,
                writer: String::new(),
            };
            let found = self.find(id).await?;
            let free = found.value.is_none();
            if free && write(&self.calls, id, &mut record, found.revision).await? {
                return Ok(());
            }
            Err(StoreError::Duplicate { id: id.clone() })
        })
    }

    fn get<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredCall>> {
        Box::pin(async move { Ok(self.find(id).await?.value.map(|record| record.call)) })
    }

    fn list(&self) -> StoreFuture<'_, Vec<StoredCall>> {
        Box::pin(self.list_open())
    }

    fn take<'a>(&'a self, id: &'a str, decision: &'a Decided) -> StoreFuture<'a, Taken> {
        Box::pin(self.take_call(id, decision))
    }

    fn claim<'a>(&'a self, key: &'a str, lease: Duration, now: Moment) -> StoreFuture<'a, Claim> {
        Box::pin(self.claim_call(key, lease, now))
    }

    fn claim_record<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<ClaimRecord>> {
        Box::pin(async move {
            let claim = self.find_claim(key).await?.value;
            Ok(claim.map(|claim| match claim.result {
                Some((result, at)) => ClaimRecord::finished(claim.until, result, at),
                None => ClaimRecord::running(claim.until),
            }))
        })
    }

    fn renew<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        lease: Duration,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        Box::pin(self.change_claim(key, token, move |claim| claim.until = now.after(lease)))
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        token: ClaimToken,
        result: &'a str,
        now: Moment,
    ) -> StoreFuture<'a, ()> {
        Box::pin(self.change_claim(key, token, move |claim| {
            claim.result = Some((result.to_owned(), now));
        }))
    }

    fn forget(&self, before: Moment) -> StoreFuture<'_, u64> {
        Box::pin(self.forget_old(before))
    }

    fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(self.remove_call(id))
    }
}

impl fmt::Debug for NatsStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsStore").finish_non_exhaustive()
    }
}
