//! A server on this machine that answers every request, and remembers them.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpListener,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// The first line, the headers in lower case and the body of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard {
    pub(crate) line: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

pub(crate) struct Server {
    pub(crate) url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Server {
    /// Answers with this status and this body. It ends with the process.
    pub(crate) fn start(status: &'static str, body: &'static str) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let heard = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&heard);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = answer(stream, status, body, &notes);
            }
        });
        Ok(Self { url, heard })
    }

    /// The last request.
    pub(crate) fn last(&self) -> Heard {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.last().cloned().unwrap_or_default()
    }

    pub(crate) fn count(&self) -> usize {
        self.heard
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }
}

fn answer(
    mut stream: std::net::TcpStream,
    status: &str,
    body: &str,
    notes: &Mutex<Vec<Heard>>,
) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut heard = Heard::default();
    reader.read_line(&mut heard.line)?;
    let line = heard.line.trim_end();
    heard.line = line.strip_suffix(" HTTP/1.1").unwrap_or(line).into();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or(0);
            }
            heard
                .headers
                .push(format!("{}:{value}", name.to_ascii_lowercase()));
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    heard.body = String::from_utf8_lossy(&bytes).into_owned();
    notes
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(heard);
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
