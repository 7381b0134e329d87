//! A place of its own in a running browser: storage and permissions that no other test sees.

use std::{
    io::{BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
};

use serde_json::{Value, json};

use crate::kit::{read_head, send};

/// A browser context, disposed of with this value.
pub(crate) struct Context {
    devtools: BufReader<TcpStream>,
    sent: u64,
    id: Value,
}

impl Context {
    /// Makes a context in the browser whose developer tools listen at the address.
    pub(crate) fn make(address: SocketAddr) -> Self {
        let head = format!("GET /json/version HTTP/1.1\r\nHost: {address}\r\n");
        let version = send(address, &head, "").json();
        let url = version["webSocketDebuggerUrl"].as_str().unwrap();
        let path = &url[url.find("/devtools").unwrap()..];
        let mut context = Self {
            devtools: open_web_socket(address, path),
            sent: 0,
            id: Value::Null,
        };
        // The browser ends the context with the connection, too.
        let mut made = context.call(
            "Target.createBrowserContext",
            &json!({ "disposeOnDetach": true }),
        );
        context.id = made["browserContextId"].take();
        context
    }

    /// Opens an empty page and returns its handle.
    pub(crate) fn open_page(&mut self, width: u32, height: u32) -> String {
        let parameters = json!({
            "url": "about:blank", "browserContextId": self.id, "width": width, "height": height,
        });
        let opened = self.call("Target.createTarget", &parameters);
        opened["targetId"].as_str().unwrap().to_owned()
    }

    /// Sends a command to the browser itself. Its driver sends commands only to a page.
    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let command = json!({ "id": self.sent, "method": method, "params": parameters });
        write_text(self.devtools.get_mut(), &command.to_string());
        loop {
            let mut message: Value =
                serde_json::from_slice(&read_text(&mut self.devtools)).unwrap();
            if message["id"] == self.sent {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Without an answer, the end of the connection ends the context.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let context = json!({ "browserContextId": self.id });
            self.call("Target.disposeBrowserContext", &context)
        }));
    }
}

fn open_web_socket(address: SocketAddr, path: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .unwrap();
    let mut reader = BufReader::new(stream);
    let (status, _) = read_head(&mut reader);
    assert_eq!(status, 101);
    reader
}

/// Writes one frame. A client has to mask it; a mask of zeros changes nothing.
fn write_text(stream: &mut TcpStream, text: &str) {
    let length = u16::try_from(text.len()).unwrap();
    let mut frame = vec![0x81, 0xfe]; // a whole text; masked, the length in two bytes
    frame.extend(length.to_be_bytes());
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    stream.write_all(&frame).unwrap();
}

/// Reads one frame, which a server does not mask.
fn read_text(reader: &mut impl Read) -> Vec<u8> {
    let [_, length] = read_bytes(reader);
    let length = match length {
        127 => u64::from_be_bytes(read_bytes(reader)),
        126 => u16::from_be_bytes(read_bytes(reader)).into(),
        length => length.into(),
    };
    let mut text = vec![0; usize::try_from(length).unwrap()];
    reader.read_exact(&mut text).unwrap();
    text
}

fn read_bytes<const N: usize>(reader: &mut impl Read) -> [u8; N] {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).unwrap();
    bytes
}
