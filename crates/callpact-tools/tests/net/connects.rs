//! A connector that counts. It lets through only as many connections as a test permits, so that a fault in the
//! check of addresses is a failed test and not a connection to another machine.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tower_layer::Layer;
use tower_service::Service;

use callpact_tools::engine::fetch::FetcherBuilder;

/// The attempts of one fetcher to connect.
#[derive(Clone, Default)]
pub(crate) struct Connects {
    permitted: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
}

impl Connects {
    /// A fetcher that makes no connection but those that are permitted later.
    pub(crate) fn of(&self, builder: FetcherBuilder) -> FetcherBuilder {
        let connects = self.clone();
        builder.finish_client(|client| client.connector_layer(connects))
    }

    /// Lets one more connection through.
    pub(crate) fn permit(&self) {
        self.permitted.fetch_add(1, Ordering::SeqCst);
    }

    /// How many connections were tried beyond those that were permitted.
    pub(crate) fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    fn take(&self) -> bool {
        let less = |permitted: usize| permitted.checked_sub(1);
        let order = Ordering::SeqCst;
        let taken = self.permitted.fetch_update(order, order, less).is_ok();
        self.refused.fetch_add(usize::from(!taken), order);
        taken
    }
}

impl<S> Layer<S> for Connects {
    type Service = Counting<S>;

    fn layer(&self, inner: S) -> Counting<S> {
        Counting {
            inner,
            connects: self.clone(),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Counting<S> {
    inner: S,
    connects: Connects,
}

type Error = Box<dyn std::error::Error + Send + Sync>;

impl<S, R> Service<R> for Counting<S>
where
    S: Service<R, Error = Error>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: R) -> Self::Future {
        if self.connects.take() {
            Box::pin(self.inner.call(request))
        } else {
            Box::pin(async { Err("a connection that no test permitted".into()) })
        }
    }
}
