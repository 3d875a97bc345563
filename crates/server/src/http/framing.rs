//! Refuses requests that a proxy in front of us could parse differently: a line that ends without a carriage return, and a head with two
//! lengths. The parser behind accepts both, so the offending byte is replaced by one that no head may contain.

use memchr::memchr;

/// The longest line of interest: `transfer-encoding: chunked`, or a length with its 20 digits and some blanks.
const LINE: usize = 64;

/// Follows the requests of one connection.
#[derive(Debug, Default)]
pub struct Framing {
    place: Place,
    /// The first bytes of the present line.
    line: Vec<u8>,
    /// How long the present line is.
    long: usize,
    /// Its last byte so far is a carriage return.
    returned: bool,
    /// A request line was read, the empty lines before it are over.
    begun: bool,
    length: Option<u64>,
    chunked: bool,
}

/// Where in a request the next byte is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Head,
    /// Bytes left of a body.
    Body(u64),
    /// The line before a chunk.
    Size,
    /// Bytes left of a chunk and the end of its line.
    Chunk(u64),
    Trailer,
    /// No longer followed: the parser ends this connection, or it is no connection of requests.
    Lost,
}

impl Framing {
    /// Processes the bytes just read.
    pub fn read(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let taken = match self.place {
                Place::Lost => return,
                Place::Body(left) | Place::Chunk(left) => self.skip(left, bytes.len()),
                Place::Head | Place::Size | Place::Trailer => match memchr(b'\n', bytes) {
                    None => {
                        self.grow_line(bytes);
                        return;
                    }
                    Some(end) => {
                        self.grow_line(bytes.get(..end).unwrap_or_default());
                        if !self.take_line() {
                            self.place = Place::Lost;
                            bytes.get_mut(end..).unwrap_or_default().fill(0);
                        }
                        end + 1
                    }
                },
            };
            bytes = bytes.get_mut(taken..).unwrap_or_default();
        }
    }

    fn skip(&mut self, left: u64, there: usize) -> usize {
        let taken = usize::try_from(left).map_or(there, |left| left.min(there));
        let left = left.saturating_sub(u64::try_from(taken).unwrap_or(u64::MAX));
        self.place = match self.place {
            Place::Chunk(_) if left == 0 => Place::Size,
            Place::Chunk(_) => Place::Chunk(left),
            _ if left == 0 => Place::Head,
            _ => Place::Body(left),
        };
        taken
    }

    /// More bytes of the present line.
    fn grow_line(&mut self, more: &[u8]) {
        self.long = self.long.saturating_add(more.len());
        self.returned = more.last().map_or(self.returned, |last| *last == b'\r');
        let kept = more.len().min(LINE.saturating_sub(self.line.len()));
        self.line.extend_from_slice(more.get(..kept).unwrap_or_default());
    }

    /// The present line ends. False if it shows a request that can be read in two ways.
    fn take_line(&mut self) -> bool {
        let (line, long) = (std::mem::take(&mut self.line), std::mem::take(&mut self.long));
        let sound =
            std::mem::take(&mut self.returned) && self.end_line(line.get(..line.len().saturating_sub(1)).unwrap_or_default(), long > LINE);
        self.line = line;
        self.line.clear();
        sound
    }

    fn end_line(&mut self, line: &[u8], cut: bool) -> bool {
        match self.place {
            Place::Head if line.is_empty() => self.end_head(),
            Place::Head if !self.begun => self.begun = true,
            Place::Head => return self.header(line, cut),
            // There are more digits than are kept, and the parser would read another size.
            Place::Size if cut && !line.contains(&b';') => return false,
            Place::Size => {
                let digits = line.split(|byte| *byte == b';').next().and_then(|size| std::str::from_utf8(size.trim_ascii()).ok());
                self.place = match digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
                    Some(0) => Place::Trailer,
                    Some(size) => Place::Chunk(size.saturating_add(2)),
                    // The parser refuses it as well.
                    None => Place::Lost,
                };
            }
            Place::Trailer if line.is_empty() => self.place = Place::Head,
            Place::Trailer | Place::Body(_) | Place::Chunk(_) | Place::Lost => {}
        }
        true
    }

    fn end_head(&mut self) {
        if std::mem::take(&mut self.begun) {
            let (length, chunked) = (self.length.take(), std::mem::take(&mut self.chunked));
            self.place = match length {
                _ if chunked => Place::Size,
                Some(length @ 1..) => Place::Body(length),
                Some(0) | None => Place::Head,
            };
        }
    }

    fn header(&mut self, line: &[u8], cut: bool) -> bool {
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_length = name.eq_ignore_ascii_case(b"content-length");
        let is_coding = name.eq_ignore_ascii_case(b"transfer-encoding");
        if is_length {
            let digits = std::str::from_utf8(value.trim_ascii()).unwrap_or_default();
            // The parser refuses a length that is not a number.
            self.length = Some(digits.parse().unwrap_or(0));
        }
        self.chunked |= is_coding;
        !(cut && (is_length || is_coding)) && !(self.chunked && self.length.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if these requests reach the parser as they were sent, in one piece and byte by byte.
    fn passes(sent: &str) -> bool {
        let mut whole = sent.as_bytes().to_vec();
        Framing::default().read(&mut whole);
        let (mut bytes, mut framing) = (sent.as_bytes().to_vec(), Framing::default());
        bytes.chunks_mut(1).for_each(|byte| framing.read(byte));
        assert_eq!(whole == sent.as_bytes(), bytes == sent.as_bytes(), "{sent:?}");
        whole == sent.as_bytes()
    }

    #[test]
    fn what_can_be_read_in_one_way_passes_and_bodies_are_left_alone() {
        let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        let body = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\na\nb\n\n";
        let chunks = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\na\nb\r\n2\r\n\n\n\r\n0\r\nx: y\r\n\r\n";
        let long = format!("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3;{}\r\na\nb\r\n0\r\n\r\n", "x".repeat(2 * LINE));
        for sent in [get, body, chunks, &long, &format!("\r\n{get}{body}{chunks}{chunks}{body}{get}")] {
            assert!(passes(sent), "{sent:?}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_spoilt_also_behind_other_requests() {
        let before = ["", "GET / HTTP/1.1\r\n\r\n", "POST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n\n\n"];
        let long = format!("GET / HTTP/1.1\r\ncontent-length:{}5\r\n\r\n", " ".repeat(LINE));
        // A chunk of 1,000 bytes. A reader that takes only the first digits would see the end of the body, and then a request.
        let digits = format!("{}3e8", "0".repeat(LINE));
        let inside = "\r\nPOST / HTTP/1.1\r\ncontent-length: 2000\r\n\r\n";
        let behind_zeros =
            format!("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n{digits}\r\n{inside:1000}\r\n0\r\n\r\nGET / HTTP/1.1\n\r\n");
        for bad in [
            "GET / HTTP/1.1\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\n\n",
            "GET / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\na",
            long.as_str(),
            behind_zeros.as_str(),
        ] {
            for before in before {
                assert!(!passes(&format!("{before}{bad}")), "{before:?} {bad:?}");
            }
        }
    }
}
