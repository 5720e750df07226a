//! One test, at least, for each rule of the module. Each fails if its rule is left out.

use std::sync::Arc;

use interpreter::atom::Atom;
use interpreter::heap::Fragment;
use interpreter::term::Term;
use log_format::{Action, ActionNo, Error, ExitClass, Pid as Id, SendNo, TextId};

use super::*;
use crate::state::feed::{Cursor, Tail};
use crate::state::tables::contents::RowPlace;
use crate::state::tables::table::{Holding, Protection};

/// A log as a list. After its last action, it is damaged if `damage` says so.
#[derive(Clone)]
struct ListedLog {
    actions: Vec<Action>,
    damage: bool,
}

impl Cursor for ListedLog {
    fn next(&mut self) -> Result<Option<Action>, Error> {
        if self.actions.is_empty() && self.damage {
            return Err(Error::damaged(77, "an action", "nothing"));
        }
        Ok((!self.actions.is_empty()).then(|| self.actions.remove(0)))
    }
    fn boxed_clone(&self) -> Box<dyn Cursor> {
        Box::new(self.clone())
    }
}

const ME: Id = Id(2);
const OTHER: Id = Id(3);

fn follow(actions: Vec<Action>) -> Feed {
    requested(actions, u64::MAX, Tail::Stop)
}

fn requested(actions: Vec<Action>, quota: u64, tail: Tail) -> Feed {
    let cursor = ListedLog { actions, damage: false };
    Feed::new(Some(Box::new(cursor)), quota, tail, u64::MAX).unwrap()
}

fn log_of(kind: Kind, accesses: Vec<Access>) -> Feed {
    let mut action = Action::new(kind);
    action.accesses = accesses;
    follow(vec![action])
}

fn access(accesses: Vec<Access>) -> Feed {
    log_of(Kind::Access, accesses)
}

const fn sent(by: Id, k: u64) -> Tag {
    Tag::Sent { by, k: SendNo(k) }
}

fn killed(tag: Tag, events: u64, waiting: bool) -> Feed {
    log_of(Kind::Signal { tag, events, waiting }, vec![])
}

fn message() -> Signal {
    Signal::Message(Fragment::immediate(Term::small(1)))
}

const NAME: Resource = Resource::Name(TextId(0));

fn version(resource: Resource, version: u64) -> HeldStep {
    HeldStep::Waits(AwaitedWrite::Version(resource, Version(version)))
}

fn number(n: i64) -> Value {
    Value::Number(n)
}

fn is_number(value: &Value, n: i64) -> bool {
    matches!(value, Value::Number(m) if *m == n)
}

fn written(versions: &[u64]) -> Resources {
    let mut resources = Resources::new(true);
    for v in versions {
        resources.put(NAME, Version(*v), number(*v as i64), ActionId::new(OTHER, *v));
    }
    resources
}

#[test]
fn request_a_process_stops_when_all_that_was_requested_is_done_or_runs_on() {
    let two = || vec![Action::new(Kind::After), Action::new(Kind::After)];
    for (tail, then) in [(Tail::Stop, Between::Rests), (Tail::RunOn, Between::GoesOn)] {
        let mut feed = requested(two(), 1, tail);
        assert_eq!(LogOrder::of(&feed).between_labels(ME), Between::GoesOn);
        feed.advance().unwrap();
        assert_eq!(LogOrder::of(&feed).between_labels(ME), then);
        assert!(
            !LogOrder::of(&feed).is_next(|_| true),
            "the log has more, and it was not requested"
        );
    }
}

#[test]
fn program_order_only_the_next_action_is_a_step() {
    let mut feed = follow(vec![Action::new(Kind::After), Action::new(Kind::Access)]);
    let is_access = |feed: &Feed| LogOrder::of(feed).is_next(|kind| *kind == Kind::Access);
    assert!(!is_access(&feed));
    feed.advance().unwrap();
    assert!(is_access(&feed));
}

#[test]
fn birth_a_signal_waits_for_its_receiver_to_be_born() {
    let (mut resources, pid) = (Resources::new(true), Pid::new(0, 9));
    LogOrder::keep_until_birth(&mut resources, pid, sent(ME, 1), message());
    assert!(LogOrder::sent_before_birth(&mut resources, Pid::new(0, 8)).is_none());
    let pool = LogOrder::sent_before_birth(&mut resources, pid).unwrap();
    assert!(pool.contains(&sent(ME, 1)) && pool.len() == 1);
    assert!(LogOrder::sent_before_birth(&mut resources, pid).is_none());
}

#[test]
fn arrival_a_signal_is_kept_until_the_log_consumes_it() {
    let feed = log_of(Kind::Rec(sent(OTHER, 2)), vec![]);
    let arrives = |k, is_blocked| LogOrder::of(&feed).arrives(sent(OTHER, k), &message(), is_blocked, true);
    assert_eq!(arrives(1, true), Arrival::Kept, "another one");
    assert_eq!(
        arrives(2, false),
        Arrival::Kept,
        "the process has not come to its receive"
    );
    assert_eq!(arrives(2, true), Arrival::Taken);
}

#[test]
fn arrival_only_a_receive_takes_a_message_at_once() {
    let tag = sent(OTHER, 2);
    let feed = log_of(
        Kind::Drop {
            tag: Some(tag),
            value: vec![0],
        },
        vec![],
    );
    assert_eq!(
        LogOrder::of(&feed).arrives(tag, &message(), true, false),
        Arrival::Awaited
    );
    let exit = Signal::Exit {
        via: None,
        from: Pid::new(0, 3),
        reason: Fragment::immediate(Term::atom(Atom::KILL)),
        link: false,
    };
    let feed = killed(tag, 3, true);
    assert_eq!(LogOrder::of(&feed).arrives(tag, &exit, true, true), Arrival::Awaited);
}

#[test]
fn receipt_a_receive_takes_the_message_that_the_log_names() {
    let feed = log_of(Kind::Rec(sent(OTHER, 2)), vec![]);
    assert_eq!(LogOrder::of(&feed).receives(0, true), Receiving::Takes(sent(OTHER, 2)));
    assert!(LogOrder::of(&feed).takes_plainly(sent(OTHER, 2)));
    assert!(!LogOrder::of(&feed).takes_plainly(sent(OTHER, 1)));
    assert!(!LogOrder::of(&feed).takes_plainly(sent(ME, 2)));
    let named = log_of(Kind::Rec(sent(OTHER, 2)), vec![Access::read(NAME, Version(1), None)]);
    assert!(
        !LogOrder::of(&named).takes_plainly(sent(OTHER, 2)),
        "it also reads a name"
    );
    assert_eq!(LogOrder::of(&access(vec![])).receives(0, true), Receiving::Departs);
}

#[test]
fn timeout_a_receive_times_out_if_the_log_says_so() {
    let feed = log_of(Kind::After, vec![]);
    assert_eq!(LogOrder::of(&feed).receives(0, true), Receiving::TimesOut);
    assert_eq!(LogOrder::of(&feed).receives(0, false), Receiving::Departs);
}

#[test]
fn point_an_exit_signal_ends_a_process_at_its_logged_point() {
    let tag = sent(OTHER, 1);
    let feed = killed(tag, 5, false);
    let order = LogOrder::of(&feed);
    assert_eq!(order.between_labels(ME), Between::GoesOn);
    assert_eq!([4, 5, 6].map(|events| order.ends_here(events)), [None, Some(tag), None]);
    assert_eq!(
        [4, 5, 6].map(|events| order.ends_by_now(events)),
        [None, Some(tag), Some(tag)]
    );
    assert_eq!(order.ends_waiting(5), None);
    assert_eq!(order.receives(5, true), Receiving::Departs);
    assert_eq!([0, 3, 5, 9].map(|events| order.run_at_most(events, 4)), [4, 2, 0, 0]);
}

#[test]
fn point_a_process_that_waited_ends_where_it_waits() {
    let tag = sent(OTHER, 1);
    let feed = killed(tag, 5, true);
    let order = LogOrder::of(&feed);
    assert_eq!(
        [4, 5, 6].map(|events| order.ends_waiting(events)),
        [None, Some(tag), None]
    );
    assert_eq!(order.receives(5, false), Receiving::EndsBy(tag));
    assert_eq!(order.receives(4, false), Receiving::Departs);
    assert_eq!((order.ends_here(5), order.ends_by_now(9)), (None, None));
    assert_eq!(order.run_at_most(0, 9), 9, "it is not stopped while it runs");
    assert_eq!(order.between_labels(OTHER), Between::GoesOn);
}

#[test]
fn point_a_signal_to_oneself_or_before_any_event_ends_it_at_once() {
    let own = sent(ME, 4);
    assert_eq!(
        LogOrder::of(&killed(own, 5, false)).between_labels(ME),
        Between::EndsBy(own)
    );
    let early = sent(OTHER, 4);
    assert_eq!(
        LogOrder::of(&killed(early, 0, false)).between_labels(ME),
        Between::EndsBy(early)
    );
    assert_eq!(
        LogOrder::of(&killed(early, 0, true)).between_labels(ME),
        Between::GoesOn
    );
}

#[test]
fn drop_what_is_dropped_has_been_sent() {
    let tag = sent(OTHER, 6);
    let value = vec![1];
    let feed = log_of(Kind::Drop { tag: Some(tag), value }, vec![]);
    let drops = |has_come| LogOrder::of(&feed).drops(|dropped| dropped == tag && has_come);
    assert_eq!(drops(false), Err(HeldStep::Waits(AwaitedWrite::Signal(tag))));
    assert_eq!(drops(true), Ok((Some(tag), &[1][..])));
    let nothing = log_of(
        Kind::Drop {
            tag: None,
            value: vec![],
        },
        vec![],
    );
    assert_eq!(LogOrder::of(&nothing).drops(|_| false), Ok((None, &[][..])));
    assert_eq!(LogOrder::of(&access(vec![])).drops(|_| true), Err(HeldStep::Departs));
}

#[test]
fn version_a_read_waits_for_its_version_and_can_come_late() {
    let feed = access(vec![Access::read(NAME, Version(2), None)]);
    let read = |versions: &[u64]| {
        LogOrder::of(&feed)
            .reads(NAME, &written(versions))
            .map(|(_, value)| value)
    };
    assert_eq!(read(&[1]).unwrap_err(), version(NAME, 2));
    assert_eq!(
        read(&[1, 3]).unwrap_err(),
        version(NAME, 2),
        "a later version does not help"
    );
    assert!(is_number(&read(&[2]).unwrap(), 2), "older ones are not needed");
    assert!(
        is_number(&read(&[1, 2, 3]).unwrap(), 2),
        "and it is what was there then"
    );
    let first = access(vec![Access::read(NAME, Version(0), None)]);
    let absent = LogOrder::of(&first).reads(NAME, &written(&[1])).unwrap().1;
    assert!(matches!(absent, Value::Absent));
    assert_eq!(
        LogOrder::of(&access(vec![])).reads(NAME, &written(&[1])).unwrap_err(),
        HeldStep::Departs
    );
}

#[test]
fn version_a_write_that_reads_waits_for_the_version_before() {
    let feed = access(vec![Access::update(NAME, Version(3), Some(ActionId::new(OTHER, 2)))]);
    let order = LogOrder::of(&feed);
    assert_eq!(order.reads(NAME, &written(&[1])).unwrap_err(), version(NAME, 2));
    assert!(is_number(&order.reads(NAME, &written(&[1, 2])).unwrap().1, 2));
}

#[test]
fn version_a_blind_write_waits_for_nothing() {
    let feed = access(vec![Access::write(NAME, Version(9))]);
    assert_eq!(LogOrder::of(&feed).writes(NAME).unwrap().version, Version(9));
    let read = access(vec![Access::read(NAME, Version(9), None)]);
    assert_eq!(LogOrder::of(&read).writes(NAME), Err(HeldStep::Departs));
}

#[test]
fn life_a_look_at_a_process_waits_for_its_birth_or_end() {
    let alive = Resource::Alive(OTHER);
    for (seen, now, waits) in [
        (1, 0, true),
        (1, 1, false),
        (1, 2, false),
        (2, 1, true),
        (2, 2, false),
        (0, 2, false),
    ] {
        let feed = access(vec![Access::read(alive, Version(seen), None)]);
        let look = LogOrder::of(&feed).sees_life(alive, Version(now), false);
        match waits {
            true => assert_eq!(look, Err(version(alive, seen))),
            false => assert_eq!(look.unwrap().version, Version(seen), "the log says what it saw"),
        }
        assert!(
            LogOrder::of(&feed).sees_life(alive, Version(now), true).is_ok(),
            "itself"
        );
    }
    assert_eq!(
        LogOrder::of(&access(vec![])).sees_life(alive, Version(2), false),
        Err(HeldStep::Departs)
    );
}

fn table() -> ObjectId {
    ObjectId { creator: ME, k: 1 }
}

#[test]
fn life_a_list_of_tables_waits_for_each_of_them() {
    let there = Resource::Table(table());
    let feed = access(vec![
        Access::read(NAME, Version(1), None),
        Access::read(there, Version(1), None),
    ]);
    let id = Reference {
        owner: Pid::new(0, 2),
        number: 1,
    };
    assert_eq!(LogOrder::of(&feed).lists_tables(|_| None), Err(version(there, 1)));
    assert_eq!(LogOrder::of(&feed).lists_tables(|_| Some(id)), Ok(vec![id]));
}

#[test]
fn contents_a_read_of_a_table_waits_for_the_writes_that_it_has_seen() {
    let (first, second) = (ActionId::new(OTHER, 4), ActionId::new(Id(5), 2));
    let [key, whole] = [Resource::TableContents(table()), NAME];
    let mut contents = Contents::new(true);
    let of_key = access(vec![Access::read(key, Version(1), Some(first))]);
    let of_all = access(vec![
        Access::read(whole, Version(2), Some(first)),
        Access::read(whole, Version(2), Some(second)),
    ]);
    let waits = |by| HeldStep::Waits(AwaitedWrite::Contents(table(), by));
    let read_key = |contents: &Contents| LogOrder::of(&of_key).reads_key(key, table(), contents);
    let read_all = |contents: &Contents| LogOrder::of(&of_all).reads_contents(whole, table(), contents);
    assert_eq!(read_key(&contents), Err(waits(first)));
    assert_eq!(read_all(&contents), Err(waits(first)));
    contents.write(RowPlace(1), None, 1, first, Default::default());
    assert!(read_key(&contents).is_ok());
    assert_eq!(read_all(&contents), Err(waits(second)));
    contents.write(RowPlace(2), None, 2, second, Default::default());
    assert_eq!(read_all(&contents).unwrap().len(), 2);
    assert_eq!(
        LogOrder::of(&of_all).reads_key(key, table(), &contents),
        Err(HeldStep::Departs)
    );
    assert_eq!(
        LogOrder::of(&of_key).reads_contents(whole, table(), &contents),
        Err(HeldStep::Departs)
    );
}

#[test]
fn sum_a_read_of_a_counter_waits_for_the_additions_that_it_has_seen() {
    let (first, second) = (ActionId::new(OTHER, 4), ActionId::new(Id(5), 2));
    let feed = access(vec![
        Access::read(NAME, Version(3), Some(first)),
        Access::read(NAME, Version(3), Some(second)),
    ]);
    let mut tally = CounterTally::default();
    let wait = |by| Err(HeldStep::Waits(AwaitedWrite::Written(NAME, by)));
    assert_eq!(LogOrder::of(&feed).reads_sum(NAME, &tally), wait(first));
    tally.writers.insert(OTHER, (ActionNo(4), 3));
    assert_eq!(LogOrder::of(&feed).reads_sum(NAME, &tally), wait(second));
    tally.writers.insert(Id(5), (ActionNo(7), 3));
    let sum = LogOrder::of(&feed).reads_sum(NAME, &tally).unwrap();
    assert_eq!((sum.version, sum.uses.len()), (3, 2));
    assert_eq!(
        LogOrder::of(&access(vec![])).reads_sum(NAME, &tally),
        Err(HeldStep::Departs)
    );
}

#[test]
fn sum_a_write_that_reads_reads_the_version_before_and_a_blind_one_waits_for_nothing() {
    let by = ActionId::new(OTHER, 4);
    let update = access(vec![Access::update(NAME, Version(3), Some(by))]);
    let mut tally = CounterTally::default();
    let wait = HeldStep::Waits(AwaitedWrite::Written(NAME, by));
    assert_eq!(LogOrder::of(&update).writes_sum(NAME, &tally), Err(wait));
    let blind = access(vec![Access::write(NAME, Version(3))]);
    assert!(LogOrder::of(&blind).writes_sum(NAME, &tally).is_ok());
    tally.writers.insert(OTHER, (ActionNo(4), 2));
    assert!(LogOrder::of(&update).writes_sum(NAME, &tally).is_ok());
    assert_eq!(LogOrder::of(&update).reads_sum(NAME, &tally).unwrap().version, 2);
    let read = access(vec![Access::read(NAME, Version(3), Some(by))]);
    assert_eq!(LogOrder::of(&read).writes_sum(NAME, &tally), Err(HeldStep::Departs));
}

#[test]
fn heir_an_end_waits_for_the_table_and_for_the_birth_of_its_heir() {
    let (owned, life) = (Resource::Table(table()), Resource::Alive(OTHER));
    let feed = log_of(
        Kind::Exit {
            class: ExitClass::Normal,
        },
        vec![
            Access::update(owned, Version(2), Some(ActionId::new(ME, 1))),
            Access::read(life, Version(1), None),
        ],
    );
    let mut resources = Resources::new(true);
    let bequeaths = |resources: &Resources, unborn| LogOrder::of(&feed).bequeaths(resources, |_| unborn);
    assert_eq!(bequeaths(&resources, false), Err(version(owned, 1)));
    let holding = Holding {
        owner: Pid::new(0, 2),
        name: Atom::new("t"),
        named: false,
        heir: Some((Pid::new(0, 3), Some(Fragment::immediate(Term::small(0))))),
        protection: Protection::Public,
    };
    resources.put(owned, Version(1), Value::Table(Arc::new(holding)), ActionId::new(ME, 1));
    assert_eq!(bequeaths(&resources, true), Err(version(life, 1)));
    assert_eq!(bequeaths(&resources, false), Ok(()));
}

#[test]
fn damage_is_an_error_with_its_place_and_the_log_ends_there() {
    let cursor = ListedLog {
        actions: vec![Action::new(Kind::After)],
        damage: true,
    };
    let mut feed = Feed::new(Some(Box::new(cursor)), u64::MAX, Tail::Stop, u64::MAX).unwrap();
    assert!(LogOrder::of(&feed).is_next(|kind| *kind == Kind::After));
    assert_eq!(feed.advance().unwrap_err().offset, 77);
    assert_eq!(LogOrder::of(&feed).between_labels(ME), Between::Rests);
}
