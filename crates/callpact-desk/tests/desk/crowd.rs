//! Clients that hold on to the desk, and people who only come in, do not keep it shut.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger and the times stricter. The times need a release build and an idle
//! machine, and all of it needs 4,000 open files.

use std::{
    io::Write,
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use callpact::{
    DynamicTool, Permission, ToolContext, ToolResult, Toolset,
    identity::{Identity, StaticTokens},
};
use callpact_desk::Desk;

use crate::{
    kit::{Client, Served, open_events, send},
    process::{self, ServerProcess},
};

/// How many clients of a kind there are.
struct Crowd {
    /// Whether answers must come in time.
    timed: bool,
    deaf: usize,
    half: usize,
    streams: usize,
    sessions: usize,
    honest: usize,
}

impl Crowd {
    fn of_this_run() -> Self {
        let whole = std::env::var("CALLPACT_CROWD").is_ok_and(|crowd| crowd == "whole");
        let size = |whole_size, size| if whole { whole_size } else { size };
        Self {
            timed: whole,
            deaf: size(512, 40),
            half: size(520, 100),
            streams: size(300, 100),
            sessions: size(2_000, 100),
            honest: size(100, 10),
        }
    }

    /// Gets an answer, in time if the whole crowd comes.
    fn get(&self, client: &Client, name: &str) {
        let began = Instant::now();
        let answer = client.get(name);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let late = self.timed && began.elapsed() > Duration::from_secs(2);
        assert!(!late, "{:?}", began.elapsed());
    }

    /// A new client is served.
    fn assert_serves(&self, address: SocketAddr) {
        let began = Instant::now();
        let head = format!("GET / HTTP/1.1\r\nHost: {address}\r\n");
        assert_eq!(send(address, &head, "").status, 200);
        self.get(&enter(address, &token(0)), "me");
        let late = self.timed && began.elapsed() > Duration::from_secs(2);
        assert!(!late, "{:?}", began.elapsed());
    }
}

const EVE: &str = "a-long-token-of-eve";

/// The token of an honest person.
fn token(person: usize) -> String {
    format!("a-long-token-of-person-{person}")
}

/// A new session of the person with a token.
fn enter(address: SocketAddr, token: &str) -> Client {
    let nobody = Client {
        address,
        session: String::new(),
    };
    nobody.enter(token).unwrap()
}

/// Ends what runs beside a test, also when the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Does work while something else happens again and again.
fn beside(again: impl Fn() + Send + Sync, threads: usize, work: impl FnOnce()) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    again();
                }
            });
        }
        let _stop = Stop(&stop);
        work();
    });
}

/// A desk of Eve and honest people, whose list of tools has three megabytes, more than a socket takes.
fn big_desk(crowd: &Crowd) -> Desk {
    let big = DynamicTool::new("big", "x".repeat(3 << 20), None, |_, _| async {
        ToolResult::success("here")
    });
    let big = big.unwrap().with_permission(Permission::ReadOnly);
    let mut people = StaticTokens::new()
        .token(EVE, Identity::new("eve"))
        .unwrap();
    for at in 0..crowd.honest {
        let person = Identity::new(format!("person {at}"));
        people = people.token(token(at), person).unwrap();
    }
    Desk::new(Toolset::single(big).unwrap(), ToolContext::new()).authenticate(people)
}

/// One kind of client after the other holds on to the desk, and all leave it.
fn hold_on(address: SocketAddr, crowd: &Crowd) {
    let client = enter(address, EVE);
    let never_read = client.head("GET", "tools") + "\r\n";
    let half_head = "GET /api/tools HTTP/1.1\r\nHost: ".to_owned();
    let half_body = client.head("POST", "call") + "Content-Length: 9\r\n\r\n{";
    let stream = client.head("GET", "events") + "\r\n";
    let mut held = Vec::new();
    for (request, count) in [
        (never_read, crowd.deaf),
        (half_head, crowd.half),
        (half_body, crowd.half),
        (stream, crowd.streams),
    ] {
        for _ in 0..count {
            let mut stream = TcpStream::connect(address).unwrap();
            // Its connection may have given way already.
            let _ = stream.write_all(request.as_bytes());
            held.push(stream);
        }
        crowd.get(&client, "me");
        crowd.assert_serves(address);
    }
}

/// The crowd comes while one new client comes after the other.
fn come_and_go(address: SocketAddr, crowd: &Crowd) {
    let new_client = || {
        crowd.assert_serves(address);
        thread::sleep(Duration::from_millis(50));
    };
    beside(new_client, 1, || hold_on(address, crowd));
}

#[test]
fn a_crowd_does_not_keep_the_desk_shut() {
    let crowd = Crowd::of_this_run();
    let served = Served::new(big_desk(&crowd));
    come_and_go(served.address, &crowd);
}

/// Before the crowd comes, one honest person after the other reads the list.
#[test]
fn memory_returns_after_a_crowd() {
    let crowd = Crowd {
        timed: false,
        ..Crowd::of_this_run()
    };
    if process::is_server() {
        let served = Served::new(big_desk(&crowd));
        return process::serve_until_test_ends(&served.address.to_string());
    }
    let mut process = ServerProcess::start("crowd::memory_returns_after_a_crowd");
    let address = process.place().parse().unwrap();
    for at in 0..crowd.honest {
        assert_eq!(enter(address, &token(at)).get("tools").status, 200);
    }
    let before = process.memory();
    for _ in 0..3 {
        come_and_go(address, &crowd);
        for _ in 0..crowd.sessions {
            enter(address, EVE);
        }
        process.assert_returns(before, Duration::from_secs(60));
    }
}

#[test]
fn people_who_only_come_in_cost_nobody_their_session() {
    let crowd = Crowd::of_this_run();
    let served = Served::new(big_desk(&crowd));
    let enter = |token: &str| enter(served.address, token);
    // Sessions that are opened and left, and event streams that one person holds.
    for _ in 0..crowd.sessions {
        enter(EVE);
    }
    let eve = enter(EVE);
    let held: Vec<_> = (0..crowd.streams).map(|_| open_events(&eve).1).collect();
    let comes_in = || {
        enter(EVE);
        // A system has 28,000 ports for the connections of a minute.
        thread::sleep(Duration::from_millis(5));
    };
    beside(comes_in, 8, || {
        let sessions: Vec<Client> = (0..crowd.honest)
            .map(|at| {
                let began = Instant::now();
                let client = enter(&token(at));
                crowd.get(&client, "me");
                let late = crowd.timed && began.elapsed() > Duration::from_secs(2);
                assert!(!late, "{:?}", began.elapsed());
                client
            })
            .collect();
        for _ in 0..3 {
            for client in &sessions {
                crowd.get(client, "me");
                assert_eq!(open_events(client).0, 200);
            }
        }
    });
    drop(held);
}
