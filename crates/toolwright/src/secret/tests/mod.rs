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
