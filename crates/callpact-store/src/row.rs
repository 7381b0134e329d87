//! A call as a row of the file, and calls whose row can no longer be read.

use std::{error::Error, fmt};

use callpact::{
    PendingCall,
    store::{Moment, StoredCall},
};
use rusqlite::Row;

/// A call in the file that can no longer be read. The others can.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DamagedCall {
    /// The id under which it was stored.
    pub id: String,
    /// What is wrong with it.
    pub reason: String,
}

impl DamagedCall {
    /// A call that cannot be read, with a reason cut at 300 characters.
    pub fn new(id: impl Into<String>, reason: &str) -> Self {
        Self {
            id: id.into(),
            reason: reason.chars().take(REASON).collect(),
        }
    }
}

impl fmt::Display for DamagedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the call `{}` is damaged: {}", self.id, self.reason)
    }
}

impl Error for DamagedCall {}

/// The most characters of a reason, which may quote the call.
const REASON: usize = 300;

/// The columns of a call.
pub(super) const COLUMNS: &str = "call, key, since, until, asked_by, decision, id";

/// Reads a row of [`COLUMNS`].
pub(super) fn read_row(row: &Row<'_>) -> Result<StoredCall, DamagedCall> {
    read_call(row).map_err(|error| {
        let id = row
            .get_ref(6)
            .ok()
            .and_then(|id| id.as_bytes().ok().map(<[u8]>::to_vec));
        let id = String::from_utf8_lossy(&id.unwrap_or_default()).into_owned();
        DamagedCall::new(id, &error.to_string())
    })
}

/// Reads a row of [`COLUMNS`]. The texts are parsed in SQLite's memory, without a copy.
fn read_call(row: &Row<'_>) -> Result<StoredCall, Box<dyn Error + Send + Sync>> {
    let call: PendingCall = serde_json::from_str(row.get_ref(0)?.as_str()?)?;
    if call.id != row.get_ref(6)?.as_str()? {
        return Err("its text has the id of another call".into());
    }
    let since = moment(row.get(2)?);
    let mut call = StoredCall::new(call, row.get::<_, String>(1)?, since);
    call.until = row.get::<_, Option<i64>>(3)?.map(moment);
    call.asked_by = row.get(4)?;
    let decision = row.get_ref(5)?.as_str_or_null()?;
    call.decision = decision.map(serde_json::from_str).transpose()?;
    Ok(call)
}

/// A moment as the file keeps it.
pub(super) fn integer(moment: Moment) -> i64 {
    i64::try_from(moment.0).unwrap_or(i64::MAX)
}

pub(super) fn moment(integer: i64) -> Moment {
    Moment(u64::try_from(integer).unwrap_or_default())
}
