//! The bytes of the answer: decoded, counted on arrival, and turned into text.

use std::io::{self, Write};

use encoding_rs::{Encoding, UTF_8};
use flate2::write::MultiGzDecoder;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

use super::error::{FetchError, short};

/// What to do when the decoded answer is larger than the limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Oversize {
    /// Fail with [`FetchError::TooLarge`].
    #[default]
    Fail,
    /// Keep the first bytes and say so in [`Fetched::truncated`](super::Fetched::truncated).
    Truncate,
}

/// A buffer that holds at most `limit` bytes and refuses the next one.
struct CappedBuffer {
    bytes: Vec<u8>,
    limit: usize,
    full: bool,
}

impl Write for CappedBuffer {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        let room = self.limit.saturating_sub(self.bytes.len());
        self.bytes.extend(chunk.iter().take(room));
        if chunk.len() > room {
            self.full = true;
            // Stops the decoder in the middle of a chunk, no matter how large the rest would be.
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum BodyDecoder {
    Identity(CappedBuffer),
    Gzip(Box<MultiGzDecoder<CappedBuffer>>),
}

/// Takes the body chunk by chunk.
pub(super) struct BodyCollector {
    decoder: BodyDecoder,
    on_oversize: Oversize,
    limit: usize,
    /// Compressed bytes so far: gzip may go on for ever without giving one decoded byte.
    wire: usize,
}

impl BodyCollector {
    pub(super) fn new(
        headers: &HeaderMap,
        limit: usize,
        on_oversize: Oversize,
    ) -> Result<Self, FetchError> {
        let sink = CappedBuffer {
            bytes: Vec::new(),
            limit,
            full: false,
        };
        let decoder = if is_gzip(headers)? {
            BodyDecoder::Gzip(Box::new(MultiGzDecoder::new(sink)))
        } else {
            BodyDecoder::Identity(sink)
        };
        Ok(Self {
            decoder,
            on_oversize,
            limit,
            wire: 0,
        })
    }

    /// Takes a chunk. `true` means that enough has been read.
    pub(super) fn push(&mut self, chunk: &[u8]) -> Result<bool, FetchError> {
        self.wire = self.wire.saturating_add(chunk.len());
        let written = match &mut self.decoder {
            BodyDecoder::Identity(sink) => sink.write_all(chunk),
            BodyDecoder::Gzip(decoder) => decoder.write_all(chunk),
        };
        if self.sink().full || self.wire > self.limit.saturating_add(65_536) {
            return match self.on_oversize {
                Oversize::Fail => Err(FetchError::TooLarge(self.limit)),
                Oversize::Truncate => Ok(true),
            };
        }
        written.map(|()| false).map_err(|_| FetchError::Damaged)
    }

    fn sink(&self) -> &CappedBuffer {
        match &self.decoder {
            BodyDecoder::Identity(sink) => sink,
            BodyDecoder::Gzip(decoder) => decoder.get_ref(),
        }
    }

    /// The body, and whether the limit was reached only now. `complete` is false if reading stopped
    /// at the limit.
    pub(super) fn finish(mut self, complete: bool) -> Result<(Vec<u8>, bool), FetchError> {
        // An empty body is not a damaged gzip: a HEAD or a 304 names the encoding of the omitted
        // body.
        if let BodyDecoder::Gzip(decoder) = &mut self.decoder
            && complete
            && self.wire > 0
        {
            let ended = decoder.try_finish();
            match (decoder.get_ref().full, self.on_oversize) {
                (true, Oversize::Fail) => return Err(FetchError::TooLarge(self.limit)),
                (true, Oversize::Truncate) => {}
                (false, _) => ended.map_err(|_| FetchError::Damaged)?,
            }
        }
        let sink = match &mut self.decoder {
            BodyDecoder::Identity(sink) => sink,
            BodyDecoder::Gzip(decoder) => decoder.get_mut(),
        };
        Ok((std::mem::take(&mut sink.bytes), sink.full))
    }
}

/// Whether the body is gzip. Any other or nested encoding is refused.
fn is_gzip(headers: &HeaderMap) -> Result<bool, FetchError> {
    let mut gzip = false;
    for value in headers.get_all(CONTENT_ENCODING) {
        let names = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
        for name in names.split(',').map(str::trim) {
            match name {
                "" | "identity" => {}
                "gzip" | "x-gzip" if !gzip => gzip = true,
                _ => return Err(FetchError::Encoding(short(&names))),
            }
        }
    }
    Ok(gzip)
}

/// `body` as text: by its byte order mark, else the header's charset, else, for HTML, the page's own
/// declaration, else UTF-8. Invalid bytes become U+FFFD.
pub(super) fn decode(body: &[u8], content_type: Option<&str>) -> String {
    let declared = content_type.and_then(charset).or_else(|| {
        let html = content_type.is_none_or(|kind| kind.to_ascii_lowercase().contains("html"));
        if html { meta_charset(body) } else { None }
    });
    declared.unwrap_or(UTF_8).decode(body).0.into_owned()
}

/// The charset parameter of a content type.
fn charset(content_type: &str) -> Option<&'static Encoding> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let label = value.trim().trim_matches(['"', '\'']);
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| Encoding::for_label(label.as_bytes()))?
    })
}

/// The charset that the first KiB of a page declares in a `meta` element.
fn meta_charset(body: &[u8]) -> Option<&'static Encoding> {
    let head = body.get(..1024).unwrap_or(body).to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    head.split("<meta").skip(1).find_map(|meta| {
        let tag = meta.split('>').next()?;
        let (_, value) = tag.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        let label = value.split(['"', '\'', ' ', ';', '/']).next()?;
        Encoding::for_label(label.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charsets() {
        let rows: &[(&[u8], Option<&str>, &str)] = &[
            (b"caf\xc3\xa9", Some("text/plain; charset=utf-8"), "café"),
            (b"caf\xe9", Some("text/plain; charset=ISO-8859-1"), "café"),
            (b"caf\xe9", Some("text/plain;Charset=\"latin1\""), "café"),
            (b"caf\xe9", Some("text/plain"), "caf\u{fffd}"),
            (b"\x82\xa0", Some("text/html; charset=Shift_JIS"), "あ"),
            (b"\xff\xfea\0", Some("text/plain; charset=latin1"), "a"),
            (b"\xef\xbb\xbfx", Some("text/html; charset=latin1"), "x"),
            (
                b"<meta charset='latin1'>\xe9",
                Some("text/html"),
                "<meta charset='latin1'>é",
            ),
            (
                b"<META content=\"text/html; charset=latin1\">\xe9",
                None,
                "<META content=\"text/html; charset=latin1\">é",
            ),
            (
                b"<meta charset=latin1>\xe9",
                Some("text/plain"),
                "<meta charset=latin1>\u{fffd}",
            ),
            (b"x", Some("text/plain; charset=nonsense"), "x"),
            (b"x", Some("; charset"), "x"),
        ];
        for (body, content_type, expected) in rows {
            assert_eq!(decode(body, *content_type), *expected, "{content_type:?}");
        }
    }

    #[test]
    fn encodings() {
        let verdict = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_ENCODING, value.parse().unwrap());
            }
            is_gzip(&headers).ok()
        };
        assert_eq!(verdict(&[]), Some(false));
        assert_eq!(verdict(&["identity"]), Some(false));
        assert_eq!(verdict(&["GZIP"]), Some(true));
        assert_eq!(verdict(&["identity, x-gzip"]), Some(true));
        for refused in [
            &["gzip, gzip"][..],
            &["gzip", "gzip"],
            &["br"],
            &["deflate"],
            &["gzip, br"],
        ] {
            assert_eq!(verdict(refused), None, "{refused:?}");
        }
    }
}
