//! Going on and back, and what is told of where the session stops.

use debugger::{Halt, Report, Way};
use log_format::Pid;
use serde_json::{Value, json};
use session::conditions::Conditions;
use session::player::places::Reach;
use session::{Stopped, Target};

use super::Launched;
use crate::answer::{Answer, Done, Refusal};

impl Launched {
    /// The client has set its breakpoints.
    pub(super) fn begin(&mut self) -> Done {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(Answer::default());
        }
        if let Some(target) = self.until.clone() {
            return self.until(&target);
        }
        if self.stop_on_entry {
            let report = self.debugger.step(Reach::Into, Way::Forward)?;
            return Ok(self.told(report, "entry"));
        }
        self.run(Way::Forward)
    }

    pub(super) fn until(&mut self, target: &str) -> Done {
        let target: Target = target.parse()?;
        let report = match &target {
            Target::Error => self.debugger.go_to_failure()?.0,
            _ => self.debugger.go_to(&target, &mut Conditions::default())?.0,
        };
        let done: u64 = report.moved.done.iter().map(|one| one.actions()).sum();
        let mut answer = self.told(report, "goto");
        answer.body = json!({"text": format!("{done} actions done")});
        Ok(answer)
    }

    pub(super) fn run(&mut self, way: Way) -> Done {
        let report = self.debugger.run(way)?;
        Ok(self.told(report, "step"))
    }

    pub(super) fn step(&mut self, arguments: &Value, reach: Reach, way: Way) -> Done {
        self.choose(arguments)?;
        let report = self.debugger.step(reach, way)?;
        Ok(self.told(report, "step"))
    }

    /// Makes the process of a request the current one.
    pub(super) fn choose(&mut self, arguments: &Value) -> Result<(), Refusal> {
        if let Some(pid) = arguments["threadId"].as_u64().map(Pid)
            && pid != self.debugger.pid
        {
            self.debugger.choose_process(&pid.into())?;
        }
        Ok(())
    }

    /// What is told after the session has moved. `reason`: if it is where it was asked to go.
    pub(super) fn told(&mut self, report: Report, reason: &'static str) -> Answer {
        let pid = self.debugger.pid;
        self.failure = None;
        let mut answer = match report.halt {
            Halt::Breakpoints(ids) => self.stopped("breakpoint", Some(&ids), None),
            Halt::Failure { reason } => {
                self.failure = Some(reason.clone());
                self.stopped("exception", None, Some(reason))
            }
            Halt::There => self.stopped(reason, None, None),
            Halt::End => self.stopped(
                "end of the recorded run",
                None,
                Some("all that was recorded is done; step back, or continue in reverse".to_owned()),
            ),
            Halt::Beginning => self.stopped("beginning of the run", None, None),
            Halt::Rests(stopped) => {
                let why = match stopped {
                    Stopped::EndOfLog if self.debugger.has_ended(pid).unwrap_or(false) => format!("{pid} has ended"),
                    Stopped::EndOfLog => format!("{pid} waits, and nothing more comes to it in the recorded run"),
                    _ => format!("{pid} can go no further"),
                };
                self.stopped("pause", None, Some(why))
            }
        };
        for said in report.said.into_iter().rev() {
            answer.after.insert(
                0,
                ("output", json!({"category": "console", "output": format!("{said}\n")})),
            );
        }
        answer
    }

    pub(super) fn stopped(&mut self, reason: &str, ids: Option<&[u32]>, description: Option<String>) -> Answer {
        self.frames.clear();
        self.references.clear();
        let mut body = json!({
            "reason": reason,
            "threadId": self.debugger.pid.0,
            "allThreadsStopped": true,
        });
        if let Some(ids) = ids {
            body["hitBreakpointIds"] = json!(ids);
        }
        if let Some(text) = description {
            body["description"] = json!(text);
            body["text"] = json!(text);
        }
        Answer {
            body: Value::Null,
            after: vec![("stopped", body)],
        }
    }

    pub(super) fn goto_targets(&mut self, arguments: &Value) -> Done {
        let file = self.files.find(&arguments["source"])?;
        let line = arguments["line"].as_u64().unwrap_or(0);
        self.gotos.push((file, line));
        let label = format!(
            "the next time, or else the last time, that {} comes to line {line}",
            self.debugger.pid
        );
        Ok(json!({"targets": [{"id": self.gotos.len(), "label": label, "line": line}]}).into())
    }

    pub(super) fn goto(&mut self, arguments: &Value) -> Done {
        self.choose(arguments)?;
        let index = arguments["targetId"]
            .as_u64()
            .and_then(|id| usize::try_from(id).ok()?.checked_sub(1));
        let Some((file, line)) = index.and_then(|index| self.gotos.get(index)).cloned() else {
            return Err("there is no such target of goto".into());
        };
        let report = self.debugger.go_to_line(&file, line)?;
        Ok(self.told(report, "goto"))
    }
}
