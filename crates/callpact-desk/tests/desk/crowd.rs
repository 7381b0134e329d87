//! Clients that hold on to the desk, and people who only come in, do not keep it shut.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger and the times stricter. It needs a release build, an idle machine, and
//! 4,000 open files.

use std::{
    io::Write,
    net::TcpStream,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use callpact::{
    DynamicTool, Permission, ToolContext, ToolResult, Toolset,
    identity::{Identity, StaticTokens},
};
use callpact_desk::Desk;

use crate::kit::{Client, Served, open_events, send};

/// How many clients of a kind there are.
struct Crowd {
    whole: bool,
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
            whole,
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
        let late = self.whole && began.elapsed() > Duration::from_secs(2);
        assert!(!late, "{:?}", began.elapsed());
    }

    /// A new client is served.
    fn assert_serves(&self, served: &Served) {
        let began = Instant::now();
        let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n", served.address);
        assert_eq!(send(served.address, &head, "").status, 200);
        self.get(&served.client(), "me");
        let late = self.whole && began.elapsed() > Duration::from_secs(2);
        assert!(!late, "{:?}", began.elapsed());
    }
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

/// A desk whose list of tools has three megabytes, more than a socket takes.
fn big_desk() -> Desk {
    let big = DynamicTool::new("big", "x".repeat(3 << 20), None, |_, _| async {
        ToolResult::success("here")
    });
    let big = big.unwrap().with_permission(Permission::ReadOnly);
    Desk::new(Toolset::single(big).unwrap(), ToolContext::new())
}

fn hold_on(served: &Served, crowd: &Crowd) {
    let client = served.client();
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
            let mut stream = TcpStream::connect(served.address).unwrap();
            // Its connection may have given way already.
            let _ = stream.write_all(request.as_bytes());
            held.push(stream);
        }
        crowd.get(&client, "me");
        crowd.assert_serves(served);
    }
}

/// The resident memory of this process in bytes, where the system says.
fn memory() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
fn a_crowd_does_not_keep_the_desk_shut() {
    let crowd = Crowd::of_this_run();
    let served = Served::new(big_desk());
    let hold_on = || {
        let new_client = || {
            crowd.assert_serves(&served);
            thread::sleep(Duration::from_millis(50));
        };
        beside(new_client, 1, || hold_on(&served, &crowd));
    };
    if !crowd.whole {
        return hold_on();
    }
    // The allocator of the system keeps pages, so the measure is a process that was in full use before, by clients that
    // read their answers.
    let client = served.client();
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| (0..8).for_each(|_| assert_eq!(client.get("tools").status, 200)));
        }
    });
    thread::sleep(Duration::from_secs(1));
    let before = memory();
    for _ in 0..3 {
        hold_on();
        thread::sleep(Duration::from_secs(1));
        eprintln!("{before:?} to {:?} bytes", memory());
    }
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after < before * 3 / 2, "{before} to {after} bytes");
    }
}

#[test]
fn people_who_only_come_in_cost_nobody_their_session() {
    const EVE: &str = "a-long-token-of-eve";
    let crowd = Crowd::of_this_run();
    let token = |at: usize| format!("a-long-token-of-person-{at}");
    let mut people = StaticTokens::new()
        .token(EVE, Identity::new("eve"))
        .unwrap();
    for at in 0..crowd.honest {
        let person = Identity::new(format!("person {at}"));
        people = people.token(token(at), person).unwrap();
    }
    let served = Served::new(big_desk().authenticate(people));
    let enter = |token: &str| {
        let nobody = Client {
            address: served.address,
            session: String::new(),
        };
        nobody.enter(token).unwrap()
    };
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
                let late = crowd.whole && began.elapsed() > Duration::from_secs(2);
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
