//! The diagram as trace events (JSON), which Perfetto and Chromium's tracing page show: a thread for each process, an arrow for each message. The
//! log has no times, so an action takes one microsecond, in causal order.

use serde_json::{Value, json};

use super::{Diagram, does};
use crate::view::ActKind;

/// How every such text begins.
pub const START: &str = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tool\":\"replay\"";
/// Limit: characters of a name.
const NAME: usize = 80;

/// The text.
#[must_use]
pub fn timeline(diagram: &Diagram) -> String {
    let mut events: Vec<Value> = Vec::new();
    let thread = |lane: usize| lane as u64 + 1;
    let named = |name: &str, tid: u64, args: Value| json!({"name": name, "cat": "__metadata", "ph": "M", "ts": 0, "pid": 1, "tid": tid, "args": args});
    let about = format!("causes of {}", diagram.target);
    events.push(named("process_name", 0, json!({ "name": about })));
    for (at, lane) in diagram.lanes.iter().enumerate() {
        let tid = thread(at);
        events.push(named("thread_name", tid, json!({ "name": lane.title() })));
        events.push(named("thread_sort_index", tid, json!({ "sort_index": tid })));
    }
    for (at, step) in diagram.steps.iter().enumerate() {
        let tid = thread(step.lane);
        let place = step
            .act
            .place
            .as_ref()
            .map(|place| format!("{}:{}", place.file, place.line));
        let mut event = json!({
            "name": does(&step.act, NAME),
            "cat": step.act.kind.word(),
            "ph": "X",
            "ts": at,
            "dur": 1,
            "pid": 1,
            "tid": tid,
            "args": {"target": step.act.target, "content": step.act.content, "accesses": step.act.accesses, "place": place, "decisive": step.marked},
        });
        if step.marked {
            event["cat"] = json!(format!("{},decisive", step.act.kind.word()));
        }
        events.push(event);
        let from = match (step.cause, step.act.kind, step.other) {
            (Some(cause), ..) => Some((cause, at, diagram.steps[cause].lane, step.lane)),
            (None, ActKind::Spawn, Some(child)) => {
                let first = diagram.steps.iter().position(|one| one.lane == child);
                first
                    .filter(|first| *first > at)
                    .map(|first| (at, first, step.lane, child))
            }
            _ => None,
        };
        if let Some((start, end, from, to)) = from {
            let word = if step.act.kind == ActKind::Spawn {
                "spawn"
            } else {
                "message"
            };
            let id = at.to_string();
            let flow = |ph: &str, ts: usize, lane: usize| json!({"name": word, "cat": "flow", "ph": ph, "id": id, "ts": ts, "pid": 1, "tid": thread(lane), "args": {}});
            events.push(flow("s", start, from));
            let mut arrival = flow("f", end, to);
            arrival["bp"] = json!("e");
            events.push(arrival);
        }
    }
    let left_out = diagram.says_left_out();
    let other = json!({"target": diagram.target, "left_out": left_out, "time": "one microsecond for each action, in causal order"});
    let mut out = format!("{START},\"about\":{other}}},\"traceEvents\":[\n");
    for (at, event) in events.iter().enumerate() {
        out.push_str(&event.to_string());
        out.push_str(if at + 1 < events.len() { ",\n" } else { "\n" });
    }
    out.push_str("]}\n");
    out
}
