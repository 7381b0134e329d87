//! One child from its start to its end.

use std::future::pending;
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::capture::StreamSink;
use super::group::ProcessGroup;
use super::spec::{ProcessError, ProcessSpec};

// The most time after the deadline: two searches of which the second may be repeated here, the grace
// of 300 ms, and twice `REAP`: 0.9 s.

/// How long to wait for output after the child has ended. A process that still holds a pipe then was left behind.
const DRAIN: Duration = Duration::from_millis(250);
/// How long a killed child may take to disappear.
const REAP: Duration = Duration::from_millis(100);
/// How often to check a child if no notice of its end comes.
const LOOK: Duration = Duration::from_millis(50);
/// How long the search for offspring may take before it is repeated on this thread.
const SEARCH: Duration = Duration::from_millis(120);

/// A running child. Dropping it kills its descendants.
pub(crate) struct RunningChild {
    // The order matters: the group is killed while the child has not been waited for.
    guard: KillGuard,
    child: Child,
    deadline: Option<Instant>,
}

struct KillGuard {
    group: Arc<ProcessGroup>,
    armed: bool,
}

impl Drop for KillGuard {
    fn drop(&mut self) {
        if self.armed {
            self.group.kill();
        }
    }
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ChildEnd {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) timed_out: bool,
    pub(crate) stopped: bool,
}

impl RunningChild {
    pub(crate) fn start(spec: &ProcessSpec) -> Result<Self, ProcessError> {
        // A runtime without a driver panics here; after the start, nothing would end the child.
        drop((sleep(Duration::ZERO), signal(SignalKind::child())));
        // The clock starts before the child, so that a slow start counts.
        let deadline = Instant::now().checked_add(spec.timeout);
        let (mut command, enclosed) = spec.prepare()?;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn()?;
        let pipes = [
            child.stdout.as_ref().and_then(pipe_number),
            child.stderr.as_ref().and_then(pipe_number),
        ];
        let group = enclosed.group(child.id(), pipes.into_iter().flatten().collect());
        Ok(Self {
            guard: KillGuard {
                group: Arc::new(group),
                armed: true,
            },
            child,
            deadline,
        })
    }

    #[cfg(feature = "process")]
    pub(crate) fn group(&self) -> Arc<ProcessGroup> {
        Arc::clone(&self.guard.group)
    }
}

fn pipe_number(pipe: &impl std::os::fd::AsFd) -> Option<u64> {
    rustix::fs::fstat(pipe).ok().map(|stat| stat.st_ino)
}

/// Feeds and drains a child until it and all its descendants are gone. Ends it early when its time
/// is up or when `stop` is done.
pub(crate) async fn supervise(
    started: RunningChild,
    spec: &ProcessSpec,
    out: &mut impl StreamSink,
    err: &mut impl StreamSink,
    stop: impl Future<Output = ()> + Send,
) -> ChildEnd {
    let deadline = started.deadline;
    // Dropped in the reverse order, so the group is killed before the child can be waited for.
    let mut child = started.child;
    let mut guard = started.guard;
    let mut exit = ExitNotice::of(Arc::clone(&guard.group));
    let (mut timed_out, mut stopped) = (false, false);
    {
        let input = feed(child.stdin.take(), &spec.stdin);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let output = async { tokio::join!(drain(stdout, out), drain(stderr, err)) };
        tokio::pin!(input, output, stop);
        // Unread input must not delay the end, so feeding is not waited for.
        let (mut fed, mut drained) = (false, false);
        loop {
            tokio::select! {
                () = exit.wait() => break,
                () = until(deadline) => { timed_out = true; break }
                () = &mut stop => { stopped = true; break }
                () = &mut input, if !fed => fed = true,
                _ = &mut output, if !drained => drained = true,
            }
        }
        if (timed_out || stopped) && !spec.grace.is_zero() {
            search(&guard.group, ProcessGroup::ask).await;
            let end = sleep(spec.grace);
            tokio::pin!(end);
            loop {
                tokio::select! {
                    () = exit.wait() => break,
                    () = &mut end => break,
                    _ = &mut output, if !drained => drained = true,
                }
            }
        } else if !timed_out && !stopped && !drained {
            // The output of the child is in the pipes, which end when the last holder is gone.
            drained = timeout(DRAIN, &mut output).await.is_ok();
        }
        search(&guard.group, ProcessGroup::kill).await;
        if !drained {
            let _ = timeout(REAP, &mut output).await;
        }
    }
    guard.group.release();
    guard.armed = false;
    // A child in an uninterruptible wait is left to the runtime, which waits for it later.
    let status = timeout(REAP, child.wait()).await.ok().and_then(Result::ok);
    let (code, signal) = status.map_or((None, None), |s| {
        use std::os::unix::process::ExitStatusExt;
        (s.code(), s.signal())
    });
    ChildEnd {
        code,
        signal,
        timed_out,
        stopped,
    }
}

/// A search through procfs blocks, if only for milliseconds, so another thread does it; if none is
/// free, this one.
async fn search(group: &Arc<ProcessGroup>, act: fn(&ProcessGroup)) {
    let there = Arc::clone(group);
    let done = timeout(SEARCH, tokio::task::spawn_blocking(move || act(&there))).await;
    if !matches!(done, Ok(Ok(()))) {
        act(group);
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}

async fn feed(stdin: Option<ChildStdin>, bytes: &[u8]) {
    if let Some(mut stdin) = stdin {
        // A child that closes its input early has read all it wants.
        let _ = stdin.write_all(bytes).await;
        let _ = stdin.shutdown().await;
    }
}

async fn drain(stream: Option<impl AsyncRead + Unpin>, sink: &mut impl StreamSink) {
    let Some(mut stream) = stream else { return };
    let mut buffer = vec![0; 64 << 10];
    loop {
        match stream.read(&mut buffer).await {
            Ok(0) => return,
            Ok(length) => sink.push(buffer.get(..length).unwrap_or_default()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Notifies of the end of a child without waiting for it: while it is a zombie, its number can mean
/// only its own group.
struct ExitNotice {
    group: Arc<ProcessGroup>,
    children: Option<Signal>,
}

impl ExitNotice {
    fn of(group: Arc<ProcessGroup>) -> Self {
        // Without notices, an occasional check must do.
        Self {
            group,
            children: signal(SignalKind::child()).ok(),
        }
    }

    async fn wait(&mut self) {
        while !self.group.has_ended() {
            match &mut self.children {
                // One notice may stand for several children, and another handler may take them all.
                Some(children) => drop(timeout(LOOK, children.recv()).await),
                None => sleep(LOOK).await,
            }
        }
    }
}
