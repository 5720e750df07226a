//! Messages on the wire: a header with the length, and a body in JSON (Debug Adapter Protocol, "Base protocol").

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Limit: bytes of a message that a client sends.
const LONGEST: usize = 16 << 20;
/// Limit: bytes of a line of a header.
const LONGEST_LINE: u64 = 1024;

/// What a client has sent.
#[derive(Debug)]
pub enum Incoming {
    /// A message.
    Message(Value),
    /// A body that is not JSON: why. The next message can be read.
    NotJson(String),
}

/// Reads the next message; `None` at the end.
///
/// # Errors
/// The stream cannot be read, or what comes is not a message: then no later one can be found.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
    let mut length: Option<usize> = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        let read = io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 && is_first {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        if !text.ends_with('\n') {
            return Err(wrong(format!(
                "expected a header such as `Content-Length: 119`, found `{}`",
                text.escape_debug().take(80).collect::<String>()
            )));
        }
        is_first = false;
        let text = text.trim_end();
        if text.is_empty() {
            break;
        }
        if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let bytes = value.trim().parse::<usize>().ok().filter(|bytes| *bytes <= LONGEST);
            length = Some(bytes.ok_or_else(|| {
                wrong(format!(
                    "`{}` is no length of a message: expected at most {LONGEST} bytes",
                    value.trim().escape_debug()
                ))
            })?);
        }
    }
    let Some(length) = length else {
        return Err(wrong("a message without Content-Length".to_owned()));
    };
    let mut body = vec![0; length];
    io::Read::read_exact(input, &mut body)?;
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::NotJson(error.to_string()),
    }))
}

/// Writes a message.
///
/// # Errors
/// The stream cannot be written.
pub fn write(output: &mut (impl Write + ?Sized), message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(None) => return found,
                Ok(Some(Incoming::Message(message))) => found.push(message.to_string()),
                Ok(Some(Incoming::NotJson(_))) => found.push("not JSON".to_owned()),
                Err(error) => {
                    found.push(error.to_string());
                    return found;
                }
            }
        }
    }

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        write(&mut bytes, &serde_json::json!({"seq": 1})).unwrap();
        write(&mut bytes, &serde_json::json!({"text": "ä\n"})).unwrap();
        assert_eq!(all(&bytes), ["{\"seq\":1}", "{\"text\":\"ä\\n\"}"]);
    }

    #[test]
    fn what_is_no_message_is_told() {
        assert_eq!(
            all(b"Content-Length: 3\r\n\r\n{]}Content-Length: 2\r\n\r\n{}"),
            ["not JSON", "{}"]
        );
        for (bytes, said) in [
            (&b"hello"[..], "expected a header"),
            (b"X: 1\r\n\r\n", "without Content-Length"),
            (b"Content-Length: 99999999999\r\n\r\n", "is no length"),
            (b"Content-Length: -1\r\n\r\n", "is no length"),
            (b"Content-Length: 10\r\n\r\n{}", "fill whole buffer"),
        ] {
            let found = all(bytes);
            assert!(found[0].contains(said), "{found:?}");
        }
        let long = vec![b'x'; 4096];
        assert!(all(&long)[0].contains("expected a header"));
    }
}
