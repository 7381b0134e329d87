//! No URL, name or redirect leads into a network that was not allowed. A listener on this machine
//! counts: nothing may reach it.

use std::net::IpAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use toolwright_tools::engine::address::Network;
use toolwright_tools::engine::fetch::{
    FetchError, FetchRequest, Fetcher, FetcherBuilder, Lookup, Ports, Resolver,
};

use crate::server::{Reply, Server, local};

/// Answers with the next entry of a list at each lookup, and stays on the last.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Vec<Vec<IpAddr>>>,
    lookups: Arc<AtomicUsize>,
}

impl Script {
    fn new(answers: &[&[&str]]) -> Self {
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

fn public() -> FetcherBuilder {
    Fetcher::builder()
        .ports(Ports::Any)
        .timeout(Duration::from_secs(2))
}

async fn get(fetcher: &Fetcher, url: &str) -> Result<u16, FetchError> {
    fetcher
        .fetch(FetchRequest::get(url))
        .await
        .map(|answer| answer.status)
}

/// Spellings of this machine's own addresses that a URL parser accepts.
const LOOPBACK: &[&str] = &[
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.000.000.001",
    "0177.0.0.1",
    "0177.0.0.01",
    "00000177.1",
    "0x7f.0.0.1",
    "0x7f.1",
    "0X7F.0X0.0X0.0X1",
    "0x7f000001",
    "0x7F000001",
    "2130706433",
    "2130706433.",
    "017700000001",
    "0x7f.0.1",
    "0x7f.0x1",
    "127.0x0.0.1",
    "127.0.0.0x1",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "127。0。0。1",
    "127．0．0．1",
    "127｡0｡0｡1",
    "①②⑦.⓪.⓪.①",
    "１２７.０.０.１",
    "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "１２７。１",
    "0",
    "0.0.0.0",
    "0x0",
    "00",
    "0.0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "LocalHost.",
    "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "ｌｏｃａｌｈｏｓｔ",
    "l%6Fcalhost",
    "foo.localhost",
    "127.0.0.2",
    "127.255.255.254",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000::0001]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:7F00:0001]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:0.0.0.0]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:7f00:0001::1]",
    "[2001:0:7f00:1::]",
    "[2001::]",
];

/// Other addresses that are not public.
const INSIDE: &[&str] = &[
    "169.254.169.254",
    "169.254.170.2",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "169.254.43518",
    "0xA9.0xFE.0xA9.0xFE",
    "[::ffff:169.254.169.254]",
    "[fd00:ec2::254]",
    "[fe80::a9fe:a9fe]",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "10.0.0.1",
    "10.255.255.255",
    "012.0.0.1",
    "0xa.0.0.1",
    "167772161",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.1",
    "3232235521",
    "100.64.0.1",
    "100.127.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "[::ffff:10.0.0.1]",
    "[::ffff:192.168.0.1]",
    "[64:ff9b::a00:1]",
    "[2002:a00:1::]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fec0::1]",
    "[fe80::1]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
    "[5f00::1]",
    "[3fff::1]",
    "[::2]",
    "[1::1]",
];

/// Texts that are no URL for a fetcher at all. `P` stands for the port of the listener.
const INVALID: &[&str] = &[
    "http://user@127.0.0.1:P/",
    "http://user:pw@127.0.0.1:P/",
    "http://example.org@127.0.0.1:P/",
    "http://example.org:80@127.0.0.1:P/",
    "http://example.org%40127.0.0.1:P/",
    "http://127.0.0.1:P@example.org/",
    "http://127.0.0.1:P\\@example.org:x/",
    "ftp://127.0.0.1:P/",
    "file:///etc/passwd",
    "file://127.0.0.1:P/",
    "gopher://127.0.0.1:P/_GET",
    "dict://127.0.0.1:P/",
    "ldap://127.0.0.1:P/",
    "ws://127.0.0.1:P/",
    "jar:http://127.0.0.1:P/!/",
    "data:text/html,x",
    "javascript:fetch('http://127.0.0.1:P')",
    "about:blank",
    "unix:/run/x.sock",
    "//127.0.0.1:P/",
    "127.0.0.1:P",
    "/127.0.0.1:P",
    "http://[fe80::1%25lo]:P/",
    "http://[::1%lo]:P/",
    "http://[::1%251]:P/",
    "http://[127.0.0.1]:P/",
    "http://[::ffff:127.0.0.1.]:P/",
    "http://[::1]]:P/",
    "http://::1:P/",
    "http://127.0.0.1.1:P/",
    "http://127.0.0.256:P/",
    "http://0x7f.0x.1.1.1:P/",
    "http://4294967296:P/",
    "http://09.0.0.1:P/",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1 :P/",
    "http://127.0.0.1\t:P/",
    "http://127.0.0.1:P/\r\nX: y",
    "ht\ntp://127.0.0.1:P/",
    "\u{0}http://127.0.0.1:P/",
    "http://127.0.0.1\u{0}.example.org:P/",
    "http://",
    "http:///",
    "http://%00:P/",
    "http://#:P/",
    "",
];

#[tokio::test]
async fn no_url_reaches_the_machine() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let fetcher = public().build().unwrap();
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
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.connects(), 0);
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
    for host in LOOPBACK
        .iter()
        .filter(|host| !host.starts_with("[2") && !host.starts_with("[6"))
    {
        let url = format!("http://{host}:{}/", server.port);
        reached += usize::from(get(&open, &url).await == Ok(200));
    }
    assert!(reached > 35, "{reached}");
    assert_eq!(server.connects(), reached);
}

#[tokio::test]
async fn no_name_reaches_the_machine() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let ips = [
        "127.0.0.1",
        "127.0.0.2",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.1",
        "::1",
        "::",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "fc00::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "255.255.255.255",
        "224.0.0.1",
        "198.18.0.1",
        "203.0.113.1",
        "168.63.129.16",
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

/// `127.0.0.2`, where nobody listens, plays the public address; the listener is what lies inside.
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
async fn redirects_are_checked_again() {
    let inside = Server::start(|_| Reply::ok("inside")).await;
    let port = inside.port;
    let mut targets: Vec<String> = LOOPBACK
        .iter()
        .chain(INSIDE)
        .map(|host| format!("http://{host}:{port}/"))
        .collect();
    targets.extend(
        INVALID
            .iter()
            .filter(|t| t.contains(':') && t.is_ascii())
            .map(|t| t.replace('P', &port.to_string())),
    );
    targets.retain(|target| !target.contains(char::is_control) && target.contains("//"));
    targets.push(format!("//127.0.0.1:{port}/"));
    targets.push(format!("\\\\127.0.0.1:{port}\\"));
    let list = targets.clone();
    let start = Server::start(move |request| {
        let index = request
            .split('/')
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let index: usize = index.and_then(|index| index.parse().ok()).unwrap();
        Reply::redirect(302, &list[index])
    })
    .await;
    // The first server is allowed by its name only, so its address is not.
    let fetcher = public()
        .allow_host("start.example")
        .resolver(Script::new(&[&["127.0.0.1"]]));
    let fetcher = fetcher.build().unwrap();
    for (index, target) in targets.iter().enumerate() {
        let url = format!("http://start.example:{}/{index}", start.port);
        let found = get(&fetcher, &url).await;
        assert!(
            matches!(found, Err(FetchError::Redirect(_))),
            "{target}: {found:?}"
        );
    }
    assert_eq!(start.connects(), targets.len());
    assert_eq!(inside.connects(), 0);
}

#[tokio::test]
async fn every_redirect_status_and_every_hop_is_checked() {
    let inside = Server::start(|_| Reply::ok("inside")).await;
    let port = inside.port;
    let start = Server::start(move |request| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        match path {
            "/chain" => Reply::redirect(301, "/second"),
            "/second" => Reply::redirect(307, "/third?x"),
            "/third?x" => Reply::redirect(308, &format!("http://127.0.0.1:{port}/")),
            status => {
                let status = status[1..].parse().unwrap();
                Reply::redirect(status, &format!("http://[::ffff:127.0.0.1]:{port}/"))
            }
        }
    })
    .await;
    let fetcher = public()
        .allow_host("start.example")
        .resolver(Script::new(&[&["127.0.0.1"]]));
    let fetcher = fetcher.build().unwrap();
    for path in ["301", "302", "303", "307", "308", "chain"] {
        let found = get(
            &fetcher,
            &format!("http://start.example:{}/{path}", start.port),
        )
        .await;
        assert!(
            matches!(found, Err(FetchError::Redirect(_))),
            "{path}: {found:?}"
        );
    }
    assert_eq!(inside.connects(), 0);
}

#[tokio::test]
async fn ports_are_checked_on_redirects_too() {
    let inside = Server::start(|_| Reply::ok("inside")).await;
    let to = inside.url("/");
    let start = Server::start(move |_| Reply::redirect(302, &to)).await;
    let fetcher = local()
        .ports(Ports::Only(vec![start.port]))
        .build()
        .unwrap();
    let found = get(&fetcher, &start.url("/")).await;
    let denied = FetchError::Redirect(Box::new(FetchError::PortDenied(inside.port)));
    assert_eq!(found, Err(denied));
    assert_eq!(inside.connects(), 0);
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
