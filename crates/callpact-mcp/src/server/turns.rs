//! Large results are written in turns, so that many at once do not delay the small ones.

use std::{sync::Arc, time::Duration};

use rmcp::model::{CallToolResult, ContentBlock};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The bytes from which a result is large. Writing such a result takes a millisecond or more.
const LARGE: usize = 256 << 10;

/// How many large results are written at the same time.
const AT_ONCE: usize = 2;

/// The longest turn: a client that does not read must not block the others.
const LONGEST: Duration = Duration::from_millis(50);

/// The most bytes of results that wait for their turns. Beyond that, a result is written at once: the listener bounds
/// the bytes that clients do not read, and nothing else bounds the results that wait here.
const WAITING: usize = 64 << 20;

/// The turns of a server.
#[derive(Clone)]
pub(super) struct ServerTurns {
    permits: Arc<Semaphore>,
    /// The bytes of results that may still wait.
    room: Arc<Semaphore>,
}

impl Default for ServerTurns {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            room: Arc::new(Semaphore::new(WAITING)),
        }
    }
}

impl ServerTurns {
    /// The handle with which one request takes its turn and ends it.
    pub(super) fn of_request(&self) -> RequestTurn {
        RequestTurn {
            all: self.clone(),
            ended: CancellationToken::new(),
        }
    }
}

/// The turn of one request.
#[derive(Clone)]
pub(super) struct RequestTurn {
    all: ServerTurns,
    ended: CancellationToken,
}

impl RequestTurn {
    /// Waits until this result may be written, if it is large.
    pub(super) async fn take(&self, result: &CallToolResult) {
        let own = size(result);
        if own < LARGE {
            return;
        }
        let bytes = u32::try_from(own.min(WAITING)).unwrap_or(u32::MAX);
        let Ok(_room) = self.all.room.try_acquire_many(bytes) else {
            return;
        };
        let permit = tokio::select! {
            permit = Arc::clone(&self.all.permits).acquire_owned() => permit,
            () = self.ended.cancelled() => return,
        };
        let ended = self.ended.clone();
        tokio::spawn(async move {
            let _ = tokio::time::timeout(LONGEST, ended.cancelled()).await;
            drop(permit);
        });
    }

    /// Records written bytes of the answer.
    pub(super) fn note_written(&self, bytes: usize) {
        if bytes >= LARGE {
            self.end();
        }
    }

    /// Ends the turn: the answer is complete, or nobody waits for it any more.
    pub(super) fn end(&self) {
        self.ended.cancel();
    }
}

/// The bytes of the texts and data of a result.
fn size(result: &CallToolResult) -> usize {
    let of_block = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text.len(),
        ContentBlock::Image(image) => image.data.len(),
        ContentBlock::Audio(audio) => audio.data.len(),
        _ => 0,
    };
    result.content.iter().map(of_block).sum()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rmcp::model::{CallToolResult, ContentBlock};
    use tokio::time::{Instant, timeout};

    use super::{AT_ONCE, LARGE, LONGEST, ServerTurns, WAITING};

    fn result(bytes: usize) -> CallToolResult {
        CallToolResult::success(vec![ContentBlock::text("x".repeat(bytes))])
    }

    #[tokio::test(start_paused = true)]
    async fn large_result_waits_and_small_result_does_not() {
        let turns = ServerTurns::default();
        let first: Vec<_> = (0..AT_ONCE).map(|_| turns.of_request()).collect();
        for turn in &first {
            turn.take(&result(LARGE)).await;
        }
        let next = turns.of_request();
        let start = Instant::now();
        next.take(&result(LARGE - 1)).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        let large = result(LARGE);
        let waits = timeout(LONGEST / 2, next.take(&large)).await;
        assert!(waits.is_err(), "it did not wait");
        first[0].note_written(LARGE);
        next.take(&large).await;
        assert_eq!(start.elapsed(), LONGEST / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_ends_though_nothing_is_written() {
        let turns = ServerTurns::default();
        let held: Vec<_> = (0..=AT_ONCE).map(|_| turns.of_request()).collect();
        let start = Instant::now();
        for turn in &held {
            turn.take(&result(LARGE)).await;
        }
        assert!(start.elapsed() >= LONGEST && start.elapsed() < 2 * LONGEST);
    }

    #[tokio::test(start_paused = true)]
    async fn result_beyond_bound_does_not_wait() {
        let turns = ServerTurns::default();
        let held: Vec<_> = (0..AT_ONCE).map(|_| turns.of_request()).collect();
        let start = Instant::now();
        for turn in &held {
            turn.take(&result(LARGE)).await;
        }
        let next = turns.of_request();
        let fills = tokio::spawn(async move { next.take(&result(WAITING)).await });
        tokio::task::yield_now().await;
        turns.of_request().take(&result(LARGE)).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        fills.await.expect("no panic");
        assert_eq!(start.elapsed(), LONGEST);
        // What has waited does not count any more.
        let late = turns.of_request();
        let takes = timeout(LONGEST / 2, late.take(&result(LARGE))).await;
        assert!(takes.is_ok(), "the other permit is free");
        let large = result(LARGE);
        let waits = timeout(LONGEST / 2, held[0].take(&large)).await;
        assert!(waits.is_err(), "it did not wait");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_an_answer_that_is_over() {
        let turns = ServerTurns::default();
        let held: Vec<_> = (0..=AT_ONCE).map(|_| turns.of_request()).collect();
        let start = Instant::now();
        for turn in &held[..AT_ONCE] {
            turn.take(&result(LARGE)).await;
        }
        held[AT_ONCE].end();
        held[AT_ONCE].take(&result(LARGE)).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
