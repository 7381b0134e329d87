//! No URL, name or redirect leads into a network that was not allowed. A listener on this machine
//! counts: nothing may reach it.

use std::net::IpAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use callpact_tools::engine::address::Network;
use callpact_tools::engine::fetch::{
    FetchError, FetchRequest, Fetcher, FetcherBuilder, Lookup, Ports, Resolver,
};

use crate::connects::Connects;
use crate::server::{Reply, Server, local};
use crate::urls::{INSIDE, INVALID, LOOPBACK};

/// Answers with the next entry of a list at each lookup, and stays on the last.
#[derive(Clone, Default)]
pub(crate) struct Script {
    answers: Arc<Vec<Vec<IpAddr>>>,
    lookups: Arc<AtomicUsize>,
}

impl Script {
    pub(crate) fn new(answers: &[&[&str]]) -> Self {
        let ips = |ips: &&[&str]| ips.iter().map(|ip| ip.parse().unwrap()).collect();
        Self {
            answers: Arc::new(answers.iter().map(ips).collect()),
            ..Self::default()
        }
    }

    fn lookups(&self) -> usize {
        self.lookups.load(Ordering::SeqCst)
    }
}

impl Resolver for Script {
    fn lookup<'a>(&'a self, _: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            let at = self.lookups.fetch_add(1, Ordering::SeqCst);
            let answer = self.answers.get(at).or(self.answers.last());
            answer
                .cloned()
                .ok_or_else(|| std::io::ErrorKind::NotFound.into())
        })
    }
}

pub(crate) fn public() -> FetcherBuilder {
    Fetcher::builder()
        .ports(Ports::Any)
        .timeout(Duration::from_secs(2))
}

pub(crate) async fn get(fetcher: &Fetcher, url: &str) -> Result<u16, FetchError> {
    fetcher
        .fetch(FetchRequest::get(url))
        .await
        .map(|answer| answer.status)
}

#[tokio::test]
async fn no_url_reaches_the_machine() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let connects = Connects::default();
    let fetcher = connects.of(public()).build().unwrap();
    let mut tried = 0;
    for host in LOOPBACK.iter().chain(INSIDE) {
        for scheme in ["http", "https"] {
            let url = format!("{scheme}://{host}:{}/latest/meta-data/", server.port);
            let found = get(&fetcher, &url).await;
            assert!(
                matches!(found, Err(FetchError::Denied { .. })),
                "{url}: {found:?}"
            );
            tried += 1;
        }
    }
    for text in INVALID {
        let url = text.replace('P', &server.port.to_string());
        let found = get(&fetcher, &url).await;
        let refused = matches!(
            found,
            Err(FetchError::InvalidUrl(_) | FetchError::Denied { .. })
        );
        assert!(refused, "{url}: {found:?}");
        tried += 1;
    }
    assert!(tried > 250, "{tried}");
    assert_eq!((connects.refused(), server.connects()), (0, 0));
}

/// Whether a connection to this host stays on the machine: by its address or by its name.
fn is_local(host: &str) -> bool {
    let url = reqwest::Url::parse(&format!("http://{host}/")).unwrap();
    let host = url.host_str().unwrap().trim_matches(['[', ']']);
    match host.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(ip) => ip.is_loopback() || ip.is_unspecified(),
        // With a dot at its end, a server of names may be asked for it.
        Err(_) => host == "localhost",
    }
}

/// The test of the test: with the check opened, the same spellings do reach the listener.
#[tokio::test]
async fn the_listener_would_have_seen_them() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let everything = |builder: FetcherBuilder| {
        builder
            .allow_network("0.0.0.0/0".parse::<Network>().unwrap())
            .allow_network("::/0".parse::<Network>().unwrap())
            .allow_host("localhost")
    };
    let open = everything(public().timeout(Duration::from_millis(300)))
        .build()
        .unwrap();
    let mut reached = 0;
    for host in LOOPBACK.iter().filter(|host| is_local(host)) {
        let url = format!("http://{host}:{}/", server.port);
        reached += usize::from(get(&open, &url).await == Ok(200));
    }
    assert!(reached > 35, "{reached}");
    // A slow machine may connect and miss the answer.
    assert!(server.connects() >= reached);
}

#[tokio::test]
async fn no_name_reaches_the_machine() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    // Every other address is tried without a socket, in the filter itself.
    let ips = [
        "127.0.0.1",
        "127.0.0.2",
        "0.0.0.0",
        "::1",
        "::",
        "::ffff:127.0.0.1",
    ];
    for ip in ips {
        let script = Script::new(&[&[ip]]);
        let fetcher = public().resolver(script.clone()).build().unwrap();
        let found = get(&fetcher, &format!("http://public.example:{}/", server.port)).await;
        assert_eq!(
            found,
            Err(FetchError::Denied {
                host: "public.example".into()
            }),
            "{ip}"
        );
        assert_eq!(script.lookups(), 1, "{ip}");
    }
    assert_eq!(server.connects(), 0);
}

/// `127.0.0.2`, where nobody listens, plays the public address; the listener plays the inside.
fn flipping(answers: &[&[&str]]) -> (Fetcher, Script) {
    let script = Script::new(answers);
    let builder = public().allow_network("127.0.0.2".parse::<Network>().unwrap());
    (builder.resolver(script.clone()).build().unwrap(), script)
}

#[tokio::test]
async fn a_resolver_that_flips_is_asked_once() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let url = format!("http://flip.example:{}/", server.port);
    let (fetcher, script) = flipping(&[&["127.0.0.2"], &["127.0.0.1"]]);
    let found = get(&fetcher, &url).await;
    // It connected to the address that was checked, and to nothing else.
    assert!(
        matches!(found, Err(FetchError::Connect { .. })),
        "{found:?}"
    );
    assert_eq!(script.lookups(), 1);
    // The next call looks again, and is refused.
    assert!(matches!(
        get(&fetcher, &url).await,
        Err(FetchError::Denied { .. })
    ));
    assert_eq!((script.lookups(), server.connects()), (2, 0));
}

#[tokio::test]
async fn a_mixed_answer_is_no_way_in() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let url = format!("http://mixed.example:{}/", server.port);
    for answer in [["127.0.0.2", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"]] {
        let (fetcher, script) = flipping(&[&answer]);
        let found = get(&fetcher, &url).await;
        assert!(
            matches!(found, Err(FetchError::Connect { .. })),
            "{found:?}"
        );
        assert_eq!(script.lookups(), 1);
    }
    assert_eq!(server.connects(), 0);
}

#[tokio::test]
async fn failed_lookups_fail_closed() {
    let (fetcher, _) = flipping(&[]);
    let found = get(&fetcher, "http://nowhere.example/").await;
    assert_eq!(
        found,
        Err(FetchError::Unresolved {
            host: "nowhere.example".into()
        })
    );
    let (fetcher, _) = flipping(&[&[]]);
    let found = get(&fetcher, "http://nowhere.example/").await;
    assert_eq!(
        found,
        Err(FetchError::Unresolved {
            host: "nowhere.example".into()
        })
    );
}

#[tokio::test]
async fn allowed_networks_and_hosts_work() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    assert_eq!(
        get(&local().build().unwrap(), &server.url("/")).await,
        Ok(200)
    );
    let by_name = public().allow_host("intranet.example");
    let by_name = by_name
        .resolver(Script::new(&[&["127.0.0.1"]]))
        .build()
        .unwrap();
    let url = |host: &str| format!("http://{host}:{}/", server.port);
    assert_eq!(get(&by_name, &url("intranet.example")).await, Ok(200));
    assert_eq!(get(&by_name, &url("INTRANET.example.")).await, Ok(200));
    assert!(get(&by_name, &url("other.example")).await.is_err());
    assert_eq!(server.connects(), 3);
}

/// The environment can only be set for another process, so the test runs itself again.
#[tokio::test]
async fn the_environments_proxy_is_ignored() {
    let target = Server::start(|_| Reply::ok("direct")).await;
    if let Ok(url) = std::env::var("NET_TEST_URL") {
        let answer = local()
            .build()
            .unwrap()
            .fetch(FetchRequest::get(url))
            .await
            .unwrap();
        assert_eq!(answer.text(), "direct");
        return;
    }
    let proxy = Server::start(|_| Reply::ok("by proxy")).await;
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "ssrf::the_environments_proxy_is_ignored"]);
    child
        .env("NET_TEST_URL", target.url("/"))
        .env_remove("NO_PROXY")
        .env_remove("no_proxy");
    for name in [
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
        "HTTPS_PROXY",
    ] {
        child.env(name, proxy.url("/"));
    }
    let done = tokio::task::spawn_blocking(move || child.output().unwrap())
        .await
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
    assert_eq!((target.connects(), proxy.connects()), (1, 0));
}
