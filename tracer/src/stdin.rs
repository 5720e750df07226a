//! Standard input, read on a thread of its own, so that the run goes on while a process waits for a line, and Ctrl-C and SIGTERM can end a run
//! that waits.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::Duration;

use system::outside::Line;

use crate::bell::Bell;

/// How long an interruption may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a read returned; empty at the end.
type Buffer = io::Result<Vec<u8>>;

/// Lines of standard input. Nothing is read before the first line is requested, and never more than one buffer ahead.
#[derive(Debug)]
pub struct Lines {
    /// Rings when a buffer has come.
    bell: Bell,
    /// The channels to request and to receive a buffer.
    reader: Option<(Sender<()>, Receiver<Buffer>)>,
    /// Is a requested buffer still missing?
    asked: bool,
    ended: bool,
    rest: VecDeque<u8>,
    /// This many bytes of `rest` contain no line break.
    looked_at: usize,
    /// An error of reading, for the next call.
    failed: Option<io::Error>,
    /// Maximum number of bytes of a line.
    most: usize,
}

impl Lines {
    /// Lines whose reader rings this bell. One that is longer than `most` bytes is an error, and is left out.
    pub const fn new(bell: Bell, most: usize) -> Self {
        Self {
            bell,
            reader: None,
            asked: false,
            ended: false,
            rest: VecDeque::new(),
            looked_at: 0,
            failed: None,
            most,
        }
    }

    /// Is the next line available (or the end, or an error)? If not, a buffer has been requested.
    pub fn ready(&mut self) -> bool {
        loop {
            if self.ended || self.failed.is_some() || self.line_break().is_some() {
                return true;
            }
            match self.buffer_at_hand() {
                None => return false,
                Some(answer) => self.take(answer),
            }
        }
    }

    /// The position of the first line break.
    fn line_break(&mut self) -> Option<usize> {
        let found = self.rest.range(self.looked_at..).position(|&byte| byte == b'\n');
        let found = found.map(|at| self.looked_at + at + 1);
        self.looked_at = found.map_or(self.rest.len(), |end| end - 1);
        found
    }

    fn take(&mut self, answer: Buffer) {
        match answer {
            Ok(bytes) if bytes.is_empty() => self.ended = true,
            Ok(bytes) => self.rest.extend(bytes),
            Err(error) => self.failed = Some(error),
        }
        if self.rest.len() > self.most {
            self.rest.clear();
            self.looked_at = 0;
            self.failed = Some(io::ErrorKind::OutOfMemory.into());
        }
    }

    /// The next line; [`Line::Interrupted`] if the flag is set before it is complete (the next call then returns it).
    pub fn next(&mut self, interrupted: &AtomicBool) -> Line {
        loop {
            if let Some(end) = self.line_break() {
                self.looked_at = 0;
                return Line::Text(self.rest.drain(..end).collect());
            }
            if let Some(error) = self.failed.take() {
                return Line::Failed(crate::outside::posix(&error).to_owned());
            }
            if self.ended {
                self.looked_at = 0;
                let rest: Vec<u8> = self.rest.drain(..).collect();
                return if rest.is_empty() { Line::Eof } else { Line::Text(rest) };
            }
            match self.buffer(interrupted) {
                // The part of the line that has come is kept for the next call.
                None => return Line::Interrupted,
                Some(answer) => self.take(answer),
            }
        }
    }

    /// Requests a buffer if none is on its way. False: the reading thread has ended.
    fn ask(&mut self) -> bool {
        let bell = &self.bell;
        let (ask, _) = self.reader.get_or_insert_with(|| start(bell.clone()));
        if !self.asked {
            self.asked = ask.send(()).is_ok();
        }
        self.asked
    }

    /// The next buffer, empty at the end; `None` if it has not come yet.
    fn buffer_at_hand(&mut self) -> Option<Buffer> {
        if !self.ask() {
            return Some(Ok(Vec::new()));
        }
        let (_, answers) = self.reader.as_ref()?;
        match answers.try_recv() {
            Ok(answer) => {
                self.asked = false;
                Some(answer)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Ok(Vec::new())),
        }
    }

    /// The next buffer, empty at the end; `None` if interrupted.
    fn buffer(&mut self, interrupted: &AtomicBool) -> Option<Buffer> {
        if !self.ask() {
            return Some(Ok(Vec::new()));
        }
        let (_, answers) = self.reader.as_ref()?;
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

fn start(bell: Bell) -> (Sender<()>, Receiver<Buffer>) {
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
            bell.ring();
        }
    });
    (ask, answers)
}
