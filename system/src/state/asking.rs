//! Processes that wait for the outside: for a line of standard input, or for the end of a command.

use std::collections::VecDeque;

use interpreter::term::Pid;

use crate::state::process::ProcessActivity;
use crate::state::table::Table;

/// Processes that wait for the outside. Those that have ended are removed when it is their turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskingProcesses {
    /// For a line, oldest first.
    pub(crate) readers: VecDeque<LineReader>,
    pub(crate) commands: Vec<OutsideCommand>,
}

#[derive(Clone, Debug)]
pub(crate) struct LineReader {
    pub(crate) pid: Pid,
    /// Its prompt has been written.
    pub(crate) prompted: bool,
}

/// A command that runs for a process.
#[derive(Clone, Debug)]
pub(crate) struct OutsideCommand {
    pub(crate) pid: Pid,
    /// The outside's number of it.
    pub(crate) number: u64,
    pub(crate) output: Option<Vec<u8>>,
}

impl AskingProcesses {
    /// This process waits for a line.
    pub fn add_reader(&mut self, pid: Pid) {
        if !self.readers.iter().any(|reader| reader.pid == pid) {
            self.readers.push_back(LineReader { pid, prompted: false });
        }
    }

    /// Does no process wait?
    pub fn is_empty(&self) -> bool {
        self.readers.is_empty() && self.commands.is_empty()
    }

    /// Does a process wait that nothing else holds up?
    pub fn anybody(&self, table: &Table) -> bool {
        let readers = self.readers.iter().map(|reader| reader.pid);
        let mut all = readers.chain(self.commands.iter().map(|command| command.pid));
        all.any(|pid| is_asking(table, pid))
    }

    pub fn first_reader(&mut self, table: &Table) -> Option<&mut LineReader> {
        while let Some(first) = self.readers.front()
            && !table.is_alive(first.pid)
        {
            self.readers.pop_front();
        }
        self.readers.front_mut()
    }
}

fn is_asking(table: &Table, pid: Pid) -> bool {
    table
        .by_pid(pid)
        .is_some_and(|p| p.state == ProcessActivity::WaitingInput)
}
