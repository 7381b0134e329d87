//! Fetches the lists of tools that workers announce.

use std::time::Duration;

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::time::{Instant, timeout, timeout_at};

use super::catalog::{ToolOffer, ToolOffers};
use crate::{
    NatsError,
    link::ServerLink,
    protocol::{ToolPage, WorkerTool, check_list, list_digest, parse},
    server::WorkerGroup,
};

/// How long a worker may take to send a page of its list.
const PAGE: Duration = Duration::from_secs(5);

/// How long a host waits for a worker before it also asks another.
const SILENCE: Duration = Duration::from_millis(500);

/// Fetches the list of a group from its first worker. As long as no list arrives, it asks one more worker
/// after each pause, so that a frozen or lying worker cannot block the others.
pub(super) async fn fetch(
    link: &ServerLink,
    group: &WorkerGroup,
    workers: &[String],
    end: Instant,
) -> Result<ToolOffers, NatsError> {
    let mut workers = workers.iter();
    let mut asked = FuturesUnordered::new();
    let mut failed = NatsError::Server("no list in time".to_owned());
    while Instant::now() < end {
        match workers.next() {
            Some(worker) => asked.push(fetch_from(link, group, worker)),
            None if asked.is_empty() => break,
            None => {}
        }
        match timeout_at(end.min(Instant::now() + SILENCE), asked.next()).await {
            Ok(Some(Ok(offers))) => return Ok(offers),
            Ok(Some(Err(error))) => failed = error,
            Ok(None) | Err(_) => {}
        }
    }
    Err(failed)
}

/// Fetches the list of a worker page by page, and checks that it is the announced one.
async fn fetch_from(
    link: &ServerLink,
    group: &WorkerGroup,
    worker: &str,
) -> Result<ToolOffers, NatsError> {
    let subject = group.list(&link.prefix, worker);
    let mut listed: Vec<WorkerTool> = Vec::new();
    let (mut page, mut bytes) = (0, 0);
    loop {
        let asked = async {
            let asked = link
                .client
                .request(subject.clone(), page.to_string().into());
            match timeout(PAGE, asked).await {
                Ok(answer) => answer.map_err(|error| NatsError::server("no answer", &error)),
                Err(_) => Err(NatsError::Server(format!("no answer within {PAGE:?}"))),
            }
        };
        let answer = link.rights.ask(|denied| denied == subject, asked).await?;
        bytes += answer.payload.len();
        let answer: ToolPage = parse(&answer.payload)
            .map_err(|error| NatsError::server("a page cannot be read", &error))?;
        let is_last = page + 1 >= answer.pages || answer.tools.is_empty();
        listed.extend(answer.tools);
        page += 1;
        check_list(listed.len(), bytes)?;
        if is_last {
            break;
        }
    }
    let offers: ToolOffers = listed
        .into_iter()
        .map(|listed| ToolOffer {
            fingerprint: listed.fingerprint(),
            listed,
        })
        .collect();
    let digest = list_digest(offers.iter().map(|offer| &*offer.fingerprint));
    if digest == group.digest {
        Ok(offers)
    } else {
        let text = "the list is not the announced one";
        Err(NatsError::Server(text.to_owned()))
    }
}
