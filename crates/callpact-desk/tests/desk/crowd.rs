//! Clients that hold on to the desk do not keep it shut.
//!
//! `CALLPACT_CROWD=whole` makes the crowd larger. It needs 4,000 open files.

use std::{io::Write, net::TcpStream};

use callpact::ToolContext;
use callpact_desk::Desk;

use crate::kit::{Diary, Served, tools};

#[test]
fn a_crowd_does_not_keep_the_desk_shut() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let client = served.client();
    let never_read = client.head("GET", "tools") + "\r\n";
    let half_head = "GET /api/tools HTTP/1.1\r\nHost: ".to_owned();
    let half_body = client.head("POST", "call") + "Content-Length: 9\r\n\r\n{";
    let whole = std::env::var("CALLPACT_CROWD").is_ok_and(|crowd| crowd == "whole");
    let count = if whole { 520 } else { 100 };
    let mut held = Vec::new();
    for request in [never_read, half_head, half_body] {
        for _ in 0..count {
            let mut stream = TcpStream::connect(served.address).unwrap();
            // Its connection may have given way already.
            let _ = stream.write_all(request.as_bytes());
            held.push(stream);
        }
        assert_eq!(client.get("tools").status, 200);
        assert_eq!(served.client().get("tools").status, 200);
    }
}
