//! Processes that wait for the outside: for a line of standard input, or for the end of a command.
//!
//! With the real clock, all other processes go on meanwhile. With a virtual clock, the outside takes no time: a line is read when no process is
//! ready, and the whole system waits for it and for commands, so a run depends only on its seed and its input.

use interpreter::term::Pid;

use crate::outside::Line;
use crate::settings::RunClock;
use crate::sink::Sink;
use crate::state::asking::{LineReader, OutsideCommand};
use crate::state::process::ProcessActivity;
use crate::step::{Interrupt, Step};
use crate::world::World;

impl Step<'_> {
    /// Beyond logs: waits until it is this process's turn to read; then returns whether its prompt has still to be written.
    pub(crate) fn turn_to_read(&mut self) -> Result<bool, Interrupt> {
        if !self.world.asks_alone() {
            return std::mem::take(&mut self.process.may_read)
                .then_some(true)
                .ok_or(Interrupt::Input);
        }
        self.world.asking.add_reader(self.process.pid);
        match self.world.asking.first_reader(&self.world.table) {
            Some(first) if first.pid == self.process.pid => Ok(!std::mem::replace(&mut first.prompted, true)),
            _ => Err(Interrupt::Input),
        }
    }

    /// The process has its input: the next one's turn.
    pub(crate) fn has_read(&mut self) {
        self.world
            .asking
            .readers
            .retain(|reader| reader.pid != self.process.pid);
    }

    /// Beyond logs: the output of a command; the process waits until it has ended.
    pub(crate) fn output_for(&mut self, command: &str) -> Result<Vec<u8>, Interrupt> {
        if !self.world.asks_alone() {
            // The whole system waits within this step, of which nothing has been logged yet.
            if self.sink.wants_cut_before_rest(self.world.total_actions, None) {
                self.world.cut(self.sink, Some(self.process.slot));
            }
            return Ok(self.world.outside.command(command));
        }
        let commands = &mut self.world.asking.commands;
        let Some(at) = commands.iter().position(|command| command.pid == self.process.pid) else {
            let number = self.world.outside.begin(command);
            commands.push(OutsideCommand {
                pid: self.process.pid,
                number,
                output: None,
            });
            return Err(Interrupt::Command);
        };
        match commands[at].output.take() {
            Some(output) => {
                commands.swap_remove(at);
                Ok(output)
            }
            None => Err(Interrupt::Command),
        }
    }
}

impl Step<'_> {
    /// Beyond logs: what has come from a program that runs beside; the process waits until something has.
    pub(crate) fn event_of(&mut self, number: u64) -> Result<Vec<u8>, Interrupt> {
        let pid = self.process.pid;
        let commands = &mut self.world.asking.commands;
        if let Some(at) = commands.iter().position(|command| command.pid == pid) {
            return match commands[at].output.take() {
                Some(event) => {
                    commands.swap_remove(at);
                    Ok(event)
                }
                None => Err(Interrupt::Command),
            };
        }
        if let Some(event) = self.world.outside.finished(number) {
            return Ok(event);
        }
        self.world.asking.commands.push(OutsideCommand {
            pid,
            number,
            output: None,
        });
        Err(Interrupt::Command)
    }
}

impl World {
    /// Does a process wait alone for the outside, while the others go on?
    pub(crate) fn asks_alone(&self) -> bool {
        self.clock == RunClock::Real
    }

    /// Beyond logs: reads a line for the process whose turn it is; the process waits until the line has come.
    pub(crate) fn line_for_turn(&mut self) -> Result<Line, Interrupt> {
        if self.asks_alone() && !self.outside.has_line() {
            return Err(Interrupt::Input);
        }
        let line = self.outside.read_line();
        if let Line::Text(bytes) = &line {
            self.work.bytes_read += bytes.len() as u64;
        }
        Ok(line)
    }

    /// With a virtual clock, when no process is ready: lets the first process that waits for a line read it. False if there is none.
    pub(crate) fn let_read(&mut self, sink: &mut dyn Sink) -> bool {
        if self.asks_alone() {
            return false;
        }
        while let Some(LineReader { pid, .. }) = self.asking.readers.pop_front() {
            if let Some((slot, p)) = self.table.by_pid_mut(pid)
                && p.state == ProcessActivity::WaitingInput
            {
                self.cut_before_rest(sink, None);
                if let Some(p) = self.table.get_mut(slot) {
                    p.state = ProcessActivity::Ready;
                    p.may_read = true;
                }
                self.scheduler.ready(slot);
                return true;
            }
        }
        false
    }

    /// With a virtual clock, when no process is ready: waits until something has come from a program that runs beside. If a timer is due in `patience`,
    /// not longer than that: the program can be one that writes nothing. False if nothing has come.
    pub(crate) fn comes(&mut self, sink: &mut dyn Sink, patience: Option<u64>) -> bool {
        if self.asks_alone() || !self.asking.anybody(&self.table) {
            return false;
        }
        self.cut_before_rest(sink, patience);
        self.outside.flush();
        let until = patience.map(|patience| self.outside.monotonic().saturating_add(patience));
        loop {
            if self.serve(Vec::new()) {
                return true;
            }
            let is_late = until.is_some_and(|until| self.outside.monotonic() >= until);
            if is_late || self.outside.interrupted() {
                return false;
            }
            self.outside.rest(until);
        }
    }

    /// With the real clock: wakes processes for which something has come from outside. False if there is none.
    pub(crate) fn attend(&mut self) -> bool {
        if self.asking.is_empty() || !self.asks_alone() {
            return false;
        }
        let mut served = Vec::new();
        if let Some(first) = self.asking.first_reader(&self.table)
            && (!first.prompted || self.outside.has_line())
        {
            served.push(first.pid);
        }
        self.serve(served)
    }

    /// Wakes these processes, and those for which a command has ended or something has come.
    fn serve(&mut self, mut served: Vec<Pid>) -> bool {
        let (table, outside) = (&self.table, &mut self.outside);
        // The output of a command is dropped if its process was killed meanwhile.
        self.asking.commands.retain(|command| table.is_alive(command.pid));
        for command in self
            .asking
            .commands
            .iter_mut()
            .filter(|command| command.output.is_none())
        {
            command.output = outside.finished(command.number);
            if command.output.is_some() {
                served.push(command.pid);
            }
        }
        let mut goes_on = false;
        for pid in served {
            if let Some((slot, p)) = self.table.by_pid_mut(pid)
                && p.state == ProcessActivity::WaitingInput
            {
                p.state = ProcessActivity::Ready;
                self.scheduler.ready(slot);
                goes_on = true;
            }
        }
        goes_on
    }
}
