//! Clients that hold on to the desk, and people who only come in, do not keep it shut.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger and the times stricter. It needs a release build, an idle machine, and
//! 4,000 open files.

use std::{
    io::Write,
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use callpact::{
    ToolContext,
    identity::{Identity, StaticTokens},
};
use callpact_desk::Desk;

use crate::kit::{Client, Diary, Served, tools};

/// Whether the whole crowd comes.
fn is_whole() -> bool {
    std::env::var("CALLPACT_CROWD").is_ok_and(|crowd| crowd == "whole")
}

/// A client is served in time.
fn assert_serves(client: &Client) {
    let began = Instant::now();
    assert_eq!(client.get("tools").status, 200);
    if is_whole() {
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{:?}",
            began.elapsed()
        );
    }
}

#[test]
fn a_crowd_does_not_keep_the_desk_shut() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let client = served.client();
    let never_read = client.head("GET", "tools") + "\r\n";
    let half_head = "GET /api/tools HTTP/1.1\r\nHost: ".to_owned();
    let half_body = client.head("POST", "call") + "Content-Length: 9\r\n\r\n{";
    let stream = client.head("GET", "events") + "\r\n";
    let count = if is_whole() { 520 } else { 100 };
    let mut held = Vec::new();
    for request in [never_read, half_head, half_body, stream] {
        for _ in 0..count {
            let mut stream = TcpStream::connect(served.address).unwrap();
            // Its connection may have given way already.
            let _ = stream.write_all(request.as_bytes());
            held.push(stream);
        }
        assert_serves(&client);
        assert_serves(&served.client());
    }
}

#[test]
fn people_who_only_come_in_cost_nobody_their_session() {
    const EVE: &str = "a-long-token-of-eve";
    let honest = if is_whole() { 100 } else { 10 };
    let token = |at: usize| format!("a-long-token-of-person-{at}");
    let mut people = StaticTokens::new()
        .token(EVE, Identity::new("eve"))
        .unwrap();
    for at in 0..honest {
        let person = Identity::new(format!("person {at}"));
        people = people.token(token(at), person).unwrap();
    }
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new()).authenticate(people);
    let served = Served::new(desk);
    let nobody = || Client {
        address: served.address,
        session: String::new(),
    };
    // Sessions that are opened and left.
    for _ in 0..if is_whole() { 2_000 } else { 100 } {
        nobody().enter(EVE).unwrap();
    }
    let stop = Arc::new(AtomicBool::new(false));
    let beginning: Vec<_> = (0..8)
        .map(|_| {
            let (eve, stop) = (nobody(), Arc::clone(&stop));
            std::thread::spawn(move || {
                while !stop.load(Relaxed) {
                    let _ = eve.enter(EVE);
                }
            })
        })
        .collect();
    let sessions: Vec<Client> = (0..honest)
        .map(|at| nobody().enter(&token(at)).unwrap())
        .collect();
    for _ in 0..3 {
        sessions.iter().for_each(assert_serves);
    }
    stop.store(true, Relaxed);
    for thread in beginning {
        thread.join().unwrap();
    }
    sessions.iter().for_each(assert_serves);
}
