//! A graph of universes as an SQLite database, with views for questions in SQL. docs/exploration.md describes the tables.
//!
//! A file that is read can be anybody's: only plain tables are read, nothing in the file is run, and every number in it is checked.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use log_format::Pid;
use multiverse::map::{AskedGraph, Chain, Deed, Edge, Ending, Length, Map, SharedStep};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Row, params};

/// Says that a database is such a graph.
const APPLICATION: i32 = 0x7265_7467;
/// The version of the tables.
const VERSION: i32 = 3;
/// Limit: bytes of a text that is read.
const TEXT: i32 = 1 << 20;

/// The tables and views.
const SCHEMA: &str = "
CREATE TABLE info(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE processes(pid INTEGER PRIMARY KEY, runs TEXT NOT NULL);
CREATE TABLE steps(step INTEGER PRIMARY KEY, pid INTEGER NOT NULL, deed TEXT NOT NULL, text TEXT NOT NULL, other INTEGER, action INTEGER,
  place TEXT NOT NULL, said TEXT);
CREATE TABLE chains(chain INTEGER PRIMARY KEY, choice INTEGER, at INTEGER, steps TEXT NOT NULL);
CREATE TABLE states(state INTEGER PRIMARY KEY, ending INTEGER, depth INTEGER NOT NULL, universes INTEGER NOT NULL);
CREATE TABLE choices(state INTEGER, n INTEGER, next INTEGER NOT NULL, before INTEGER NOT NULL, chain INTEGER NOT NULL,
  PRIMARY KEY(state, n)) WITHOUT ROWID;
CREATE TABLE endings(ending INTEGER PRIMARY KEY, outcome INTEGER NOT NULL, failure INTEGER NOT NULL, headline TEXT NOT NULL, details TEXT NOT NULL);
CREATE TABLE open(state INTEGER, ending INTEGER, PRIMARY KEY(state, ending)) WITHOUT ROWID;
CREATE TABLE lengths(state INTEGER, actions INTEGER, universes INTEGER NOT NULL, PRIMARY KEY(state, actions)) WITHOUT ROWID;
CREATE VIEW ends AS
  SELECT s.state, e.outcome, e.failure, e.headline, s.depth,
    (SELECT sum(l.universes) FROM lengths l WHERE l.state = s.state) AS universes
  FROM states s JOIN endings e USING(ending);
CREATE VIEW outcomes AS
  SELECT e.outcome, max(e.failure) AS failure, min(e.headline) AS headline, sum(l.universes) AS universes,
    count(DISTINCT l.state) AS states, min(s.depth) AS choices, min(l.actions) AS actions
  FROM lengths l JOIN states s USING(state) JOIN endings e USING(ending) GROUP BY e.outcome;
CREATE VIEW told AS
  SELECT c.state, c.n, c.next, s.pid, p.runs, s.deed, s.text, s.other, s.action, s.place
  FROM choices c JOIN chains h USING(chain) LEFT JOIN steps s ON s.step = h.choice LEFT JOIN processes p ON p.pid = s.pid;
CREATE VIEW chain_steps AS SELECT c.chain, j.key AS n, j.value AS step FROM chains c, json_each(c.steps) j;
CREATE VIEW paths AS
  WITH RECURSIVE number(universe) AS (
    SELECT 1 UNION ALL SELECT universe + 1 FROM number WHERE universe < (SELECT universes FROM states WHERE state = 0)),
  path(universe, n, state, rest) AS (
    SELECT universe, 0, 0, universe - 1 FROM number
    UNION ALL
    SELECT p.universe, p.n + 1, c.next, p.rest - c.before
    FROM path p JOIN choices c ON c.state = p.state JOIN states s ON s.state = c.next
    WHERE p.rest >= c.before AND p.rest < c.before + s.universes)
  SELECT universe, n, state FROM path;
CREATE VIEW universes AS SELECT p.universe, p.state, e.outcome, e.headline FROM paths p JOIN states s USING(state) JOIN endings e USING(ending);
";

/// The database as bytes.
pub(super) fn bytes(map: &Map) -> rusqlite::Result<Vec<u8>> {
    let mut db = Connection::open_in_memory()?;
    db.execute_batch("PRAGMA page_size=4096; PRAGMA journal_mode=OFF;")?;
    db.pragma_update(None, "application_id", APPLICATION)?;
    db.pragma_update(None, "user_version", VERSION)?;
    let all = db.transaction()?;
    all.execute_batch(SCHEMA)?;
    put_names(&all, map)?;
    put_graph(&all, map)?;
    all.commit()?;
    db.execute_batch("VACUUM;")?;
    Ok(db.serialize("main")?.to_vec())
}

fn put_names(db: &Connection, map: &Map) -> rusqlite::Result<()> {
    let mut info = db.prepare("INSERT INTO info VALUES(?, ?)")?;
    info.execute(params!["program", map.program])?;
    info.execute(params!["complete", map.complete])?;
    info.execute(params!["start", joined(&map.start)])?;
    info.execute(params!["notes", map.notes.join("\n")])?;
    let mut row = db.prepare("INSERT INTO processes VALUES(?, ?)")?;
    for (pid, runs) in &map.processes {
        row.execute(params![signed(pid.0), runs])?;
    }
    let mut row = db.prepare("INSERT INTO steps VALUES(?, ?, ?, ?, ?, ?, ?, ?)")?;
    for (step, number) in map.steps.iter().zip(0_u32..) {
        let other = step.from.map(|from| signed(from.0));
        row.execute(params![
            number,
            signed(step.pid.0),
            step.deed.word(),
            step.text,
            other,
            step.action.map(signed),
            step.place,
            step.said
        ])?;
    }
    let mut row = db.prepare("INSERT INTO chains VALUES(?, ?, ?, ?)")?;
    for (chain, number) in map.chains.iter().zip(0_u32..) {
        let choice = chain.steps.get(chain.choice as usize);
        row.execute(params![
            number,
            choice,
            choice.map(|_| chain.choice),
            joined(&chain.steps)
        ])?;
    }
    let mut row = db.prepare("INSERT INTO endings VALUES(?, ?, ?, ?, ?)")?;
    for (ending, number) in map.endings.iter().zip(0_u32..) {
        row.execute(params![
            number,
            ending.group,
            ending.failure,
            ending.headline,
            ending.details.join("\n")
        ])?;
    }
    Ok(())
}

fn put_graph(db: &Connection, map: &Map) -> rusqlite::Result<()> {
    let asked = AskedGraph::of(map);
    let depths = map.depths();
    let mut row = db.prepare("INSERT INTO states VALUES(?, ?, ?, ?)")?;
    for (ending, state) in map.ends.iter().zip(0_u32..) {
        row.execute(params![
            state,
            ending,
            depths[state as usize],
            signed(asked.from(state))
        ])?;
    }
    let mut row = db.prepare("INSERT INTO choices VALUES(?, ?, ?, ?, ?)")?;
    for state in 0..map.states() as u32 {
        let mut before = 0_u64;
        for (edge, n) in map.edges_of(state).iter().zip(0_u32..) {
            row.execute(params![state, n, edge.to, signed(before), edge.chain])?;
            before = before.saturating_add(asked.from(edge.to));
        }
    }
    let mut row = db.prepare("INSERT OR IGNORE INTO open VALUES(?, ?)")?;
    for (state, ending) in &map.open {
        row.execute(params![state, ending])?;
    }
    let mut row = db.prepare("INSERT INTO lengths VALUES(?, ?, ?)")?;
    for length in &map.lengths {
        row.execute(params![length.end, signed(length.actions), signed(length.universes)])?;
    }
    Ok(())
}

fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn joined(numbers: &[u32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// Does a file begin as such a database does? The number stands at a fixed place of its header.
pub(super) fn is_ours(start: &[u8]) -> bool {
    let number = start.get(68..72).and_then(|bytes| bytes.try_into().ok());
    start.starts_with(super::SQLITE) && number.map(i32::from_be_bytes) == Some(APPLICATION)
}

/// Why a database is no graph of universes. As text, a sentence about `it`.
#[derive(Debug)]
pub(super) enum GraphError {
    /// It cannot be opened, or its tables cannot be read.
    Unreadable(rusqlite::Error),
    /// The tables have another version.
    Version(i32),
    /// Something else has written it.
    OtherDatabase,
    /// It names what is not there.
    Damaged(GraphDamage),
}

/// What is wrong with the numbers in a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GraphDamage {
    /// The steps of a chain.
    Step,
    /// The ending of a state.
    Ending,
    /// The outcomes of endings.
    Outcome,
    /// Where a choice leads.
    Choice,
    /// Where a universe ends.
    Universe,
    /// There are no states.
    NoStates,
}

impl Display for GraphError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "it is not a graph of universes: {error}"),
            Self::Version(other) => write!(
                f,
                "it is a graph of universes of version {other}; this `replay` reads version {VERSION}"
            ),
            Self::OtherDatabase => f.write_str("it is a database, but not one that `replay explore --graph` wrote"),
            Self::Damaged(damage) => write!(
                f,
                "it is damaged: {}",
                match damage {
                    GraphDamage::Step => "a chain names a step that is not there",
                    GraphDamage::Ending => "a state names an ending that is not there",
                    GraphDamage::Outcome => "there are fewer endings than outcomes",
                    GraphDamage::Choice => "a choice leads to a state that is not there, or back",
                    GraphDamage::Universe => "a universe ends in a state that is not an end",
                    GraphDamage::NoStates => "it has no states",
                }
            ),
        }
    }
}

impl From<rusqlite::Error> for GraphError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Reads a database.
pub(super) fn read(path: &Path) -> Result<Map, GraphError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    let guarded = || -> rusqlite::Result<(i32, i32)> {
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        db.set_limit(Limit::SQLITE_LIMIT_LENGTH, TEXT * 64)?;
        db.execute_batch("PRAGMA cell_size_check=ON;")?;
        let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        Ok((number("application_id")?, number("user_version")?))
    };
    match guarded()? {
        (APPLICATION, VERSION) => {}
        (APPLICATION, other) => return Err(GraphError::Version(other)),
        _ => return Err(GraphError::OtherDatabase),
    }
    let mut map = read_all(&db)?;
    check(&map).map_err(GraphError::Damaged)?;
    map.index();
    Ok(map)
}

/// The rows of a table.
fn rows<T>(db: &Connection, sql: &str, row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>) -> rusqlite::Result<Vec<T>> {
    let mut query = db.prepare(sql)?;
    let rows = query.query_map([], row)?;
    rows.collect()
}

fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    let n: i64 = row.get(at)?;
    Ok(u64::try_from(n).unwrap_or(0))
}

fn numbers(text: &str) -> Vec<u32> {
    let all = text.trim_matches(['[', ']']).split(',').filter(|one| !one.is_empty());
    all.map(|one| one.parse().unwrap_or(u32::MAX)).collect()
}

fn lines(text: String) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn read_all(db: &Connection) -> rusqlite::Result<Map> {
    let info = |name: &str| -> rusqlite::Result<String> {
        let value = "SELECT CAST(value AS TEXT) FROM info WHERE name = ?";
        db.query_row(value, [name], |row| row.get(0))
    };
    let mut map = Map {
        program: info("program")?,
        complete: info("complete")? == "1",
        notes: lines(info("notes")?),
        start: numbers(&info("start")?),
        ..Map::default()
    };
    map.processes = rows(db, "SELECT pid, runs FROM processes ORDER BY pid", |row| {
        Ok((Pid(number(row, 0)?), row.get(1)?))
    })?;
    map.steps = rows(
        db,
        "SELECT pid, deed, text, other, action, place, said FROM steps ORDER BY step",
        |row| {
            let word: String = row.get(1)?;
            let deed = Deed::ALL.iter().find(|(_, known)| *known == word);
            let unsigned = |n: Option<i64>| n.and_then(|n| u64::try_from(n).ok());
            Ok(SharedStep {
                pid: Pid(number(row, 0)?),
                deed: deed.map_or(Deed::Calls, |(deed, _)| *deed),
                text: row.get(2)?,
                from: unsigned(row.get(3)?).map(Pid),
                action: unsigned(row.get(4)?),
                place: row.get(5)?,
                said: row.get(6)?,
            })
        },
    )?;
    map.chains = rows(db, "SELECT at, steps FROM chains ORDER BY chain", |row| {
        let (choice, steps): (Option<u32>, String) = (row.get(0)?, row.get(1)?);
        Ok(Chain {
            choice: choice.unwrap_or(u32::MAX),
            steps: numbers(&steps),
        })
    })?;
    map.endings = rows(
        db,
        "SELECT outcome, failure, headline, details FROM endings ORDER BY ending",
        |row| {
            Ok(Ending {
                group: row.get(0)?,
                failure: row.get(1)?,
                headline: row.get(2)?,
                details: lines(row.get(3)?),
            })
        },
    )?;
    map.ends = rows(db, "SELECT ending FROM states ORDER BY state", |row| row.get(0))?;
    map.edges = rows(db, "SELECT state, next, chain FROM choices ORDER BY state, n", |row| {
        Ok(Edge {
            from: row.get(0)?,
            to: row.get(1)?,
            chain: row.get(2)?,
            n: 0,
        })
    })?;
    map.open = rows(db, "SELECT state, ending FROM open ORDER BY state, ending", |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    map.lengths = rows(
        db,
        "SELECT state, actions, universes FROM lengths ORDER BY state, actions",
        |row| {
            Ok(Length {
                end: row.get(0)?,
                actions: number(row, 1)?,
                universes: number(row, 2)?,
            })
        },
    )?;
    map.universes = map
        .lengths
        .iter()
        .fold(0, |sum, length| sum.saturating_add(length.universes));
    Ok(map)
}

/// Are all numbers those of something that is there?
fn check(map: &Map) -> Result<(), GraphDamage> {
    let states = map.states() as u32;
    let step = |step: &u32| (*step as usize) < map.steps.len();
    if !map.start.iter().all(step) || !map.chains.iter().all(|chain| chain.steps.iter().all(step)) {
        return Err(GraphDamage::Step);
    }
    let ending = |ending: &u32| (*ending as usize) < map.endings.len();
    if !map.ends.iter().flatten().all(ending) || !map.open.iter().all(|(state, one)| *state < states && ending(one)) {
        return Err(GraphDamage::Ending);
    }
    if map
        .endings
        .iter()
        .any(|ending| ending.group as usize > map.endings.len())
    {
        return Err(GraphDamage::Outcome);
    }
    let is_edge = |edge: &Edge| edge.from < edge.to && edge.to < states && (edge.chain as usize) < map.chains.len();
    if !map.edges.iter().all(is_edge) || !map.edges.is_sorted_by_key(|edge| edge.from) {
        return Err(GraphDamage::Choice);
    }
    let is_end = |length: &Length| map.ends.get(length.end as usize).is_some_and(Option::is_some);
    if !map.lengths.iter().all(is_end) {
        return Err(GraphDamage::Universe);
    }
    if map.ends.is_empty() {
        return Err(GraphDamage::NoStates);
    }
    Ok(())
}
