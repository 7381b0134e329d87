//! Redirects are checked like any other URL.

use callpact_tools::engine::fetch::{FetchError, Ports};

use crate::connects::Connects;
use crate::server::{Reply, Server, local};
use crate::ssrf::{Script, get, public};
use crate::urls::{INSIDE, INVALID, LOOPBACK};

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
    let connects = Connects::default();
    let fetcher = connects.of(fetcher).build().unwrap();
    for (index, target) in targets.iter().enumerate() {
        connects.permit();
        let url = format!("http://start.example:{}/{index}", start.port);
        let found = get(&fetcher, &url).await;
        assert!(
            matches!(found, Err(FetchError::Redirect(_))),
            "{target}: {found:?}"
        );
    }
    assert_eq!(start.connects(), targets.len());
    assert_eq!((connects.refused(), inside.connects()), (0, 0));
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
