//! Decisions about events that are written down here: what comes before what, which signals are accepted, and whether events can happen.

use interpreter::heap::Fragment;
use interpreter::term::Term;
use log_format::{Pid, Resource, SendNo, Tag};
use session::player::free::Choice;
use system::Delivery;
use system::process::AliasMode;

use super::branch::Branch;
use super::event::{Asks, Closed, EventClock, EventUse, GraphEvent, Stamps, WasRead};
use super::order::{OrderVerdict, Rules, judge};
use super::watch::SentSignal;

/// An event of process P, which has place P - 1.
fn event(pid: u64, number: u32, choice: Choice) -> GraphEvent {
    GraphEvent {
        uid: pid * 100 + u64::from(number),
        pid: Pid(pid),
        place: pid as u32 - 1,
        number,
        choice,
        stamps: Stamps {
            choice: 1,
            effect: 1,
            ..Stamps::default()
        },
        traps: [false, false],
        actions: Vec::new(),
        said: Vec::new(),
        uses: Vec::new(),
        sent: Vec::new(),
        machine: None,
        after: None,
        linked: None,
        asks: None,
        closes: Vec::new(),
        closes_after: Vec::new(),
        past: EventClock::default(),
        knows: EventClock::default(),
        time: 0,
        age: 0,
        stop: None,
        kept: false,
    }
}

fn tag(by: u64, k: u64) -> Tag {
    Tag::Sent {
        by: Pid(by),
        k: SendNo(k),
    }
}

fn message(tag: Tag, to: u64) -> SentSignal {
    SentSignal {
        tag,
        to: Pid(to),
        exit: false,
        deadly: false,
        kills: false,
        alias: None,
        timer: None,
        message: Fragment::immediate(Term::NIL),
    }
}

fn exit(tag: Tag, to: u64, kills: bool) -> SentSignal {
    SentSignal {
        exit: true,
        deadly: true,
        kills,
        ..message(tag, to)
    }
}

fn to_alias(tag: Tag, number: u64, mode: AliasMode) -> SentSignal {
    SentSignal {
        alias: Some((number, mode)),
        ..message(tag, 1)
    }
}

fn down(k: u64) -> Tag {
    Tag::EndRef {
        by: Pid(2),
        owner: Pid(1),
        k,
    }
}

const NAME: Resource = Resource::Alive(Pid(9));

fn using(pid: u64, number: u32, writes: bool) -> GraphEvent {
    GraphEvent {
        uses: vec![EventUse {
            read: WasRead {
                resource: NAME,
                source: None,
                seen: Vec::new(),
            },
            writes,
            scans: false,
        }],
        ..event(pid, number, Choice::Step)
    }
}

#[test]
fn exit_signals_are_messages_for_who_traps_them() {
    let (plain, kill) = (exit(tag(2, 1), 1, false), exit(tag(2, 2), 1, true));
    assert!(plain.is_message(true) && !plain.is_message(false));
    assert!(!plain.ends(true) && plain.ends(false));
    // Nobody traps `kill`.
    assert!(!kill.is_message(true) && kill.ends(true) && kill.ends(false));
    let hello = message(tag(2, 3), 1);
    assert!(hello.is_message(false) && !hello.ends(false));
}

#[test]
fn what_ends_an_alias_drops_what_comes_later() {
    use AliasMode::{Demonitor, Explicit, Reply, ReplyDemonitor, Spent};
    let reply = |k, mode| to_alias(tag(2, k), 7, mode);
    let end = message(down(7), 1);
    // The first reply ends the alias.
    assert!(reply(1, Reply).shuts(&reply(2, Reply)) && !reply(1, Reply).shuts(&reply(1, Reply)));
    assert!(!reply(1, Explicit).shuts(&reply(2, Explicit)));
    // The end of the monitor ends an alias that goes with it, and a reply that ends the monitor drops its 'DOWN'.
    assert!(end.shuts(&reply(1, Demonitor)) && end.shuts(&reply(1, ReplyDemonitor)) && !end.shuts(&reply(1, Reply)));
    assert!(reply(1, ReplyDemonitor).shuts(&end) && !reply(1, Reply).shuts(&end));
    assert!(!reply(1, ReplyDemonitor).shuts(&message(down(8), 1)));
    assert!(reply(1, Spent).is_lost() && !reply(1, Reply).is_lost());
}

#[test]
fn a_closed_way_is_one_for_the_signals_it_is_about() {
    let (seven, eight) = (message(down(7), 1), message(down(8), 1));
    assert!(Closed::Monitor(7).is_about(&seven) && !Closed::Monitor(7).is_about(&eight));
    let alias = |mode| to_alias(tag(2, 1), 7, mode);
    assert!(Closed::Monitor(7).is_about(&alias(AliasMode::Demonitor)));
    assert!(!Closed::Monitor(7).is_about(&alias(AliasMode::Explicit)));
    assert!(
        Closed::Alias(7).is_about(&alias(AliasMode::Explicit))
            && !Closed::Alias(8).is_about(&alias(AliasMode::Explicit))
    );
    let end = Tag::EndTo { by: Pid(2), to: Pid(1) };
    assert!(Closed::Link(Pid(2)).is_about(&message(end, 1)) && !Closed::Link(Pid(3)).is_about(&message(end, 1)));
    assert!(Asks::Timer(tag(1, 1)).is_about(&message(tag(1, 1), 1)) && !Asks::Timer(tag(1, 1)).is_about(&seven));
    assert!(Asks::Ends(7).is_about(&seven) && Asks::Ends(7).is_about(&alias(AliasMode::Reply)));
    assert!(!Asks::Ends(7).is_about(&alias(AliasMode::Demonitor)));
}

#[test]
fn the_past_of_an_event_is_its_process_and_what_it_has_learned() {
    let (first, second) = (event(1, 1, Choice::Step), event(1, 2, Choice::Step));
    assert!(second.has(&first) && !first.has(&second) && !first.has(&first));
    let mut other = event(2, 1, Choice::Step);
    assert!(!other.has(&first));
    other.past.learn(&EventClock::default(), 0, 1);
    assert!(other.has(&first) && !other.has(&second));
    // What the other one knows is known, too.
    let mut third = event(3, 1, Choice::Step);
    third.past.learn(&other.past, 1, 1);
    assert!(third.has(&first) && third.has(&other));
}

#[test]
fn a_write_comes_after_the_last_write_and_what_has_read_it() {
    let mut branch = Branch::default();
    for one in [
        using(1, 1, true),
        using(2, 1, false),
        using(3, 1, false),
        using(1, 2, true),
        using(2, 2, false),
    ] {
        branch.push(one);
    }
    let before = |at: u32| {
        let one = &branch.event(at).uses[0];
        let mut all: Vec<u32> = branch.uses_before(one, at, 0).collect();
        all.sort_unstable();
        all
    };
    assert_eq!([before(0), before(1), before(2)], [vec![], vec![0], vec![0]]);
    assert_eq!(before(3), [0, 1, 2]);
    assert_eq!(before(4), [3]);
    assert_eq!(branch.last_write(NAME), Some(3));
    assert_eq!(branch.last_write(Resource::Alive(Pid(8))), None);
}

#[test]
fn going_back_takes_what_came_later_out_of_all_tables() {
    let mut branch = Branch::default();
    let sends = |number| GraphEvent {
        sent: vec![message(tag(1, u64::from(number)), 2)],
        ..event(1, number, Choice::Step)
    };
    branch.push(sends(1));
    let first = branch.path[0].clone();
    branch.push(event(2, 1, Choice::Message(tag(1, 1))));
    branch.push(sends(2));
    assert_eq!(branch.mail_of(tag(1, 1)).unwrap().taken, Some(1));
    assert!(branch.mail_of(tag(1, 2)).is_some());
    let last = branch.path[2].clone();
    branch.go_to(Some(&first));
    assert_eq!(branch.len(), 1);
    // It is on its way again, and the other one was never sent.
    assert_eq!(branch.mail_of(tag(1, 1)).unwrap().taken, None);
    assert!(branch.mail_of(tag(1, 2)).is_none());
    assert_eq!(branch.find(last.event.uid), None);
    branch.go_to(Some(&last));
    assert_eq!((branch.len(), branch.find(last.event.uid)), (3, Some(2)));
    assert_eq!(branch.mail_of(tag(1, 1)).unwrap().taken, Some(1));
    branch.go_to(None);
    assert_eq!(branch.len(), 0);
}

fn verdict(events: &[GraphEvent], delivery: Delivery, stall: Option<u64>) -> OrderVerdict {
    let events: Vec<&GraphEvent> = events.iter().collect();
    judge(
        &events,
        Rules {
            delivery,
            at_send: false,
            stall,
        },
        |_, _, _| true,
    )
}

#[test]
fn a_graph_without_signals_is_possible() {
    assert_eq!(verdict(&[], Delivery::Causal, None), OrderVerdict::Possible);
    let plain = [
        event(1, 1, Choice::Step),
        event(2, 1, Choice::Step),
        event(1, 2, Choice::Step),
    ];
    assert_eq!(verdict(&plain, Delivery::Causal, Some(0)), OrderVerdict::Possible);
}

#[test]
fn two_messages_of_one_sender_arrive_in_the_order_of_sending() {
    let sends = |k: u32| GraphEvent {
        sent: vec![message(tag(1, u64::from(k)), 2)],
        ..event(1, k, Choice::Step)
    };
    // A step that finds that a message has arrived, and one that finds that it has not.
    let finds = |number, k| event(2, number, Choice::Arrived(tag(1, k)));
    let misses = |number, k| GraphEvent {
        asks: Some(Asks::Timer(tag(1, k))),
        ..event(2, number, Choice::Step)
    };
    let of = |first, second| verdict(&[sends(1), sends(2), first, second], Delivery::Free, None);
    assert_eq!(of(finds(1, 1), finds(2, 2)), OrderVerdict::Possible);
    assert_eq!(of(finds(1, 1), misses(2, 2)), OrderVerdict::Possible);
    assert_eq!(of(finds(1, 2), misses(2, 1)), OrderVerdict::Impossible);
}

#[test]
fn who_comes_late_to_a_resource_was_held_up() {
    let waits = |pid, number, ms| GraphEvent {
        after: Some(ms),
        ..event(pid, number, Choice::Timeout)
    };
    // Process 1 waits for 500 ms, and writes then. Process 2 reads that, although it could have read at once.
    let late = [
        event(1, 1, Choice::Step),
        event(2, 1, Choice::Step),
        waits(1, 2, 500),
        using(1, 3, true),
        using(2, 2, false),
    ];
    assert_eq!(verdict(&late, Delivery::Causal, None), OrderVerdict::Possible);
    assert_eq!(verdict(&late, Delivery::Causal, Some(499)), OrderVerdict::Stalls);
    assert_eq!(verdict(&late, Delivery::Causal, Some(500)), OrderVerdict::Possible);
    // In the other order, nobody is held up.
    let early = [
        event(1, 1, Choice::Step),
        event(2, 1, Choice::Step),
        using(2, 2, false),
        waits(1, 2, 500),
        using(1, 3, true),
    ];
    assert_eq!(verdict(&early, Delivery::Causal, Some(0)), OrderVerdict::Possible);
}
