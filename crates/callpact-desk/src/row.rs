//! One line for each call that waits.

use std::cmp::Ordering;

use callpact::{
    PendingCall, Permission, ReviewRequest, Toolset,
    review::{CallFacts, Preview, PreviewShape},
    store::{CallState, Moment, StoredCall},
};
use serde::{Deserialize, Serialize};

use crate::asked::{AskedQuestion, LIVE};

/// One row of the inbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct InboxRow {
    pub(crate) id: String,
    /// Where it waits: `program` or `store`.
    from: &'static str,
    pub(crate) state: CallState,
    tool: String,
    title: Option<String>,
    pub(crate) permission: Permission,
    summary: String,
    /// The numbers of new and of old lines, if a file changes.
    stat: Option<(usize, usize)>,
    agent: Option<String>,
    run: Option<String>,
    turn: Option<u32>,
    program: String,
    since: Moment,
    pub(crate) until: Option<Moment>,
    /// What a decided call does: it runs, or its process ended in the middle.
    pub(crate) doing: Option<&'static str>,
}

/// The order of the inbox: what ends first is first.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowOrder {
    until: Option<Moment>,
    since: Moment,
    id: String,
}

impl Ord for RowOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        let until = |order: &Self| order.until.map_or(u64::MAX, |until| until.0);
        let times = |order: &Self| (until(order), order.since.0);
        times(self)
            .cmp(&times(other))
            .then_with(|| self.id.cmp(&other.id))
    }
}

impl PartialOrd for RowOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl InboxRow {
    pub(crate) fn order(&self) -> RowOrder {
        RowOrder {
            until: self.until,
            since: self.since,
            id: self.id.clone(),
        }
    }

    /// When it changes, although its call does not change in the store: its time ends, or its run is broken off.
    pub(crate) fn changes(&self) -> Option<Moment> {
        match self.doing {
            Some(_) => Some(Moment(0)),
            None if self.state == CallState::Waiting => self.until,
            None => None,
        }
    }

    pub(crate) fn has(&self, wanted: &str) -> bool {
        let texts = [
            Some(&self.tool),
            self.title.as_ref(),
            Some(&self.summary),
            self.agent.as_ref(),
            self.run.as_ref(),
            Some(&self.program),
        ];
        let mut texts = texts.into_iter().flatten();
        texts.any(|text| text.to_lowercase().contains(wanted))
    }
}

fn stat(preview: Option<&Preview>) -> Option<(usize, usize)> {
    match preview?.shape()? {
        PreviewShape::File(change) => Some((change.added, change.removed)),
        _ => None,
    }
}

/// The row of a question of this process.
pub(crate) fn row_of_asked(tools: &Toolset, program: &str, asked: &AskedQuestion) -> InboxRow {
    let request: &ReviewRequest = &asked.request;
    let CallFacts {
        title,
        agent,
        run,
        turn,
        summary,
        ..
    } = request.facts.clone();
    let short = |text: &str| {
        text.lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(120)
            .collect()
    };
    let summary = match (&*summary, &*request.action) {
        ("", "") => short(&request.description),
        ("", action) => short(action),
        _ => summary,
    };
    let permission = tools.permission(&request.tool);
    InboxRow {
        id: format!("{LIVE}{}", asked.id),
        from: "program",
        state: CallState::Waiting,
        tool: request.tool.clone(),
        title,
        // An unknown tool may do anything.
        permission: permission.unwrap_or(Permission::Destructive),
        summary,
        stat: stat(request.preview.as_ref()),
        agent,
        run,
        turn,
        program: match &asked.by {
            Some(by) => by.to_string(),
            None => program.to_owned(),
        },
        since: asked.since,
        until: request.timeout.map(|timeout| asked.since.after(timeout)),
        doing: None,
    }
}

pub(crate) fn row_of_stored(stored: &StoredCall, doing: Option<&'static str>) -> InboxRow {
    let call: &PendingCall = stored.seen();
    let facts = call.facts.clone();
    InboxRow {
        id: stored.call.id.clone(),
        from: "store",
        state: stored.state(Moment::now()),
        tool: call.tool.clone(),
        title: facts.title,
        permission: call.permission,
        summary: facts.summary,
        stat: stat(call.preview.as_ref()),
        agent: facts.agent,
        run: facts.run,
        turn: facts.turn,
        program: stored
            .asked_by
            .clone()
            .unwrap_or_else(|| "store".to_owned()),
        since: stored.since,
        until: stored.until,
        doing,
    }
}
