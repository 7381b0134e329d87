mod check;
mod redact;
mod resolve;
mod substitute;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::{Value, json};

use super::*;

/// All resolvers here answer at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a resolver in memory waits for nothing"),
    }
}

fn name(name: &str) -> SecretRef {
    SecretRef::new(name).expect("a name")
}

fn resolved(secrets: &[(&str, &str)]) -> ResolvedSecrets {
    try_resolved(secrets).expect("fit secrets")
}

fn try_resolved(secrets: &[(&str, &str)]) -> Result<ResolvedSecrets, SecretError> {
    ResolvedSecrets::new(
        secrets
            .iter()
            .map(|&(secret, value)| (name(secret), SecretValue::new(value))),
    )
}

fn paths(paths: &[&str]) -> SecretPaths {
    SecretPaths::new(paths).expect("paths")
}

/// A region of this process's memory, to be searched after its owner is gone.
#[cfg(target_os = "linux")]
pub(super) struct Memory {
    file: std::fs::File,
    pub(super) at: u64,
    /// Allocated first, since a buffer allocated later could reuse the searched memory.
    seen: Vec<u8>,
}

#[cfg(target_os = "linux")]
impl Memory {
    pub(super) fn of<T>(things: &[T]) -> Self {
        Self {
            file: std::fs::File::open("/proc/self/mem").expect("a process may look at itself"),
            at: things.as_ptr().addr() as u64,
            seen: vec![0; size_of_val(things)],
        }
    }

    /// How often a text occurs there now.
    pub(super) fn count(&mut self, text: &str) -> usize {
        let read = std::os::unix::fs::FileExt::read_exact_at(&self.file, &mut self.seen, self.at);
        // Memory that was returned to the system cannot be read.
        let seen = if read.is_ok() { &*self.seen } else { &[] };
        seen.windows(text.len())
            .filter(|window| *window == text.as_bytes())
            .count()
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_dropped_value_leaves_nothing_in_memory() {
    let value = SecretValue::new("quokka-7".repeat(1000));
    let mut memory = Memory::of(value.expose().as_bytes());
    assert_eq!(memory.count("quokka-7"), 1000);
    drop(value);
    assert_eq!(memory.count("quokka-7"), 0);
}
