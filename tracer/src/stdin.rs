//! Standard input, read on a thread of its own, so that Ctrl-C and SIGTERM end a run that waits for a line.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use system::outside::Line;

/// How long an interruption may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(20);

/// What reading gave; empty at the end.
type Buffer = io::Result<Vec<u8>>;

/// Lines of standard input. Nothing is read before the first line is asked for, and never more than one buffer ahead.
#[derive(Debug, Default)]
pub struct Lines {
    /// Where a buffer is asked for, and where it comes.
    reader: Option<(Sender<()>, Receiver<Buffer>)>,
    /// Has a buffer been asked for that did not come yet?
    asked: bool,
    ended: bool,
    rest: VecDeque<u8>,
}

impl Lines {
    /// The next line; [`Line::Interrupted`] if the flag is up before it has come (it comes at the next call then).
    pub fn next(&mut self, interrupted: &AtomicBool) -> Line {
        let mut line = Vec::new();
        loop {
            while let Some(byte) = self.rest.pop_front() {
                line.push(byte);
                if byte == b'\n' {
                    return Line::Text(line);
                }
            }
            if self.ended {
                return if line.is_empty() { Line::Eof } else { Line::Text(line) };
            }
            match self.buffer(interrupted) {
                None => {
                    // What has come of the line is kept for the next call.
                    self.rest.extend(line);
                    return Line::Interrupted;
                }
                Some(Ok(bytes)) if bytes.is_empty() => self.ended = true,
                Some(Ok(bytes)) => self.rest.extend(bytes),
                Some(Err(error)) => return Line::Failed(crate::outside::posix(&error).to_owned()),
            }
        }
    }

    /// The next buffer, empty at the end; `None` if interrupted.
    fn buffer(&mut self, interrupted: &AtomicBool) -> Option<Buffer> {
        let (ask, answers) = self.reader.get_or_insert_with(start);
        if !self.asked {
            // A reader that is gone has nothing more.
            if ask.send(()).is_err() {
                return Some(Ok(Vec::new()));
            }
            self.asked = true;
        }
        loop {
            match answers.recv_timeout(PATIENCE) {
                Ok(answer) => {
                    self.asked = false;
                    return Some(answer);
                }
                Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(Ok(Vec::new())),
            }
        }
    }
}

fn start() -> (Sender<()>, Receiver<Buffer>) {
    let (ask, asked) = channel::<()>();
    let (give, answers) = channel();
    std::thread::spawn(move || {
        while asked.recv().is_ok() {
            let mut input = io::stdin().lock();
            let answer = loop {
                match input.fill_buf() {
                    Ok(bytes) => break Ok(bytes.to_vec()),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => break Err(error),
                }
            };
            input.consume(answer.as_ref().map_or(0, Vec::len));
            if give.send(answer).is_err() {
                return;
            }
        }
    });
    (ask, answers)
}
