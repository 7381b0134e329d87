//! A registry that exists only in this program, and what sends it a request.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    thread,
};

use serde_json::Value;

/// The token that the registry takes.
pub(crate) const TOKEN: &str = "reg-9f3c1d7e5b";

/// Starts the registry.
pub(crate) fn start() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let _ = answer(stream);
        }
    });
    Ok(address)
}

fn answer(stream: TcpStream) -> io::Result<()> {
    let (mut lines, mut stream) = (BufReader::new(stream.try_clone()?), stream);
    let (mut head, mut line) = (String::new(), String::new());
    while lines.read_line(&mut line)? > 2 {
        head += &std::mem::take(&mut line);
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
    lines.read_exact(&mut body)?;
    let known = head.contains(&format!("authorization: Bearer {TOKEN}\r\n"));
    let (status, text) = match (head.starts_with("POST /publish"), known) {
        (true, false) => ("401 Unauthorized", "the token is not known".to_owned()),
        // It says too much, as some services do.
        (true, true) => (
            "200 OK",
            format!("published with {TOKEN}: {}", String::from_utf8_lossy(&body)),
        ),
        (false, _) => (
            "200 OK",
            format!("sent: {}", String::from_utf8_lossy(&body)),
        ),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    )
}

/// Sends a request, and returns the answer.
pub(crate) fn post(
    to: SocketAddr,
    path: &str,
    token: Option<&str>,
    body: &Value,
) -> io::Result<String> {
    let (mut stream, body) = (TcpStream::connect(to)?, body.to_string());
    let token = token.map_or_else(String::new, |token| {
        format!("authorization: Bearer {token}\r\n")
    });
    write!(
        stream,
        "POST {path} HTTP/1.1\r\n{token}content-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, text) = answer.split_once("\r\n\r\n").unwrap_or_default();
    if head.starts_with("HTTP/1.1 200") {
        Ok(text.to_owned())
    } else {
        Err(io::Error::other(text.to_owned()))
    }
}
