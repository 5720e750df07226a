//! Work units: a search that is cut anywhere, and goes on elsewhere, has the same universes as a whole one, each once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use log_format::Trace;
use multiverse::summary::Gap;
use multiverse::units::{LARGEST, SearchIdentity, Share, Units, Work};
use multiverse::{Explorer, Name, SearchBounds, Summary};
use session::Session;
use session::record::Text;
use system::Delivery;
use system::scheduler::Draws;

use super::agree::{SETS, program};
use super::oracle::name_of;
use super::text;

/// Programs with more universes are left out.
const UNIVERSES: u64 = 400;

/// What was found: each universe by its name, and what is said besides.
#[derive(Default, PartialEq, Debug)]
struct All {
    names: BTreeSet<Name>,
    stalled: u64,
    gaps: BTreeMap<Gap, String>,
}

impl All {
    fn add(&mut self, summary: &Summary) {
        self.stalled += summary.stalled;
        for (gap, place) in &summary.gaps {
            let known = self.gaps.entry(*gap).or_insert_with(|| place.clone());
            *known = place.min(known).clone();
        }
    }
}

/// As another process would begin: nothing is shared but the text of the program.
fn session(program: &Text) -> Session {
    Session::of(Arc::new(Trace::from_bytes(program.blank().unwrap()).unwrap())).unwrap()
}

/// The whole search; `None` if there are too many universes, or they cannot be explored in units.
fn whole(program: &Text, bounds: SearchBounds) -> Option<All> {
    let mut all = All::default();
    let bounds = SearchBounds {
        universes: Some(UNIVERSES),
        ..bounds
    };
    let mut begun = 0;
    let explorer = Explorer::new(&session(program), bounds, Arc::default()).unwrap();
    let summary = explorer.run(|universe| {
        begun += u32::from(universe.number == 1);
        all.names.insert(name_of(universe.player()?.save(0)?));
        Ok(true)
    });
    let summary = summary.unwrap();
    all.add(&summary);
    (summary.stopped.is_none() && begun == 1).then_some(all)
}

/// One run in units. `None`: this program cannot be explored so.
fn run(
    program: &Text,
    bounds: SearchBounds,
    work: &[u8],
    share: Option<Share>,
    (budget, jobs, pieces): (usize, usize, usize),
    all: &mut All,
) -> Option<Vec<Vec<u8>>> {
    let session = session(program);
    let search = SearchIdentity::of(&session, Path::new("m.erl"), bounds).unwrap();
    let work = match (work, share) {
        (_, Some(share)) => Work::Share(share),
        ([], None) => Work::Whole,
        (file, None) => Work::Units(Units::read(file, &search).unwrap(), Path::new("a.unit")),
    };
    let enough = AtomicBool::new(false);
    let mut found = 0;
    let explorer = Explorer::new(&session, bounds, Arc::default()).unwrap();
    let ran = explorer.run_units(work, (jobs, pieces), &enough, |universe| {
        found += 1;
        enough.store(found >= budget, Ordering::Relaxed);
        let name = name_of(universe.player()?.save(0)?);
        assert!(all.names.insert(name), "a universe was told twice");
        Ok(())
    });
    match ran {
        Ok(ran) => {
            all.add(&ran.summary);
            Some(ran.left(&search))
        }
        Err(session::Error::Usage(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Cuts a search again and again.
fn in_units(program: &Text, bounds: SearchBounds, draws: &mut Draws, sizes: &mut Vec<usize>) -> Option<All> {
    let mut all = All::default();
    let mut open = vec![Vec::new()];
    while !open.is_empty() {
        let work = open.swap_remove(draws.below(open.len() as u64) as usize);
        let budget = 1 + draws.below(6) as usize;
        let how = (budget, 1 + draws.below(2) as usize, 1 + draws.below(8) as usize);
        let left = run(program, bounds, &work, None, how, &mut all)?;
        sizes.extend(left.iter().map(Vec::len));
        open.extend(left);
    }
    Some(all)
}

/// Each share by itself.
fn in_shares(program: &Text, bounds: SearchBounds, of: u64) -> Option<All> {
    let mut all = All::default();
    for number in 1..=of {
        let every = (usize::MAX, 1, 1);
        let mut open = run(program, bounds, &[], Some(Share { number, of }), every, &mut all)?;
        while let Some(work) = open.pop() {
            open.extend(run(program, bounds, &work, None, every, &mut all)?);
        }
    }
    Some(all)
}

#[test]
fn the_union_of_all_units_is_the_whole_each_universe_once() {
    let (mut compared, mut refused, mut universes, mut sizes) = (0, 0, 0, Vec::new());
    for seed in seeds::seeds(2, 100) {
        for set in SETS {
            for (delivery, stall) in [(Delivery::Causal, Some(100)), (Delivery::Free, None)] {
                let source = program(seed, set);
                let program = text(&source);
                let bounds = SearchBounds {
                    delivery,
                    stall,
                    ..SearchBounds::default()
                };
                let Some(expected) = whole(&program, bounds) else {
                    continue;
                };
                let mut draws = Draws::new(seed, 11);
                let Some(cut) = in_units(&program, bounds, &mut draws, &mut sizes) else {
                    refused += 1;
                    continue;
                };
                assert_eq!(cut, expected, "seed {seed} {set} {delivery}:\n{source}");
                let of = 2 + draws.below(3);
                let shared = in_shares(&program, bounds, of).expect("whole, but not in shares");
                assert_eq!(shared, expected, "{of} shares, seed {seed} {set} {delivery}:\n{source}");
                compared += 1;
                universes += expected.names.len();
            }
        }
    }
    sizes.sort_unstable();
    let largest = sizes.last().copied().unwrap_or(0);
    println!(
        "{universes} universes of {compared} programs in {} units of at most {largest} bytes",
        sizes.len()
    );
    // A few are left to the older search.
    assert!(compared > 14 && sizes.len() > compared && 4 * refused < compared);
    assert!(largest < 2400, "a unit of {largest} bytes");
}

/// Whatever is in a file, it is refused or explored; nothing panics, and no memory is taken on its word.
#[test]
fn damaged_units_are_refused_with_their_place() {
    let source = "main() -> S = self(), P = spawn(fun() -> register(a, self()), S ! 1, receive X -> X end end),\n    \
         [spawn(fun() -> catch a ! N, S ! N end) || N <- [2, 3]], exit(P, kill), [receive X -> X after 50 -> no end || _ <- [1, 2, 3]].\n";
    let program = text(source);
    let bounds = SearchBounds::default();
    let search = SearchIdentity::of(&session(&program), Path::new("m.erl"), bounds).unwrap();
    let mut all = All::default();
    let left = run(&program, bounds, &[], None, (5, 1, 1), &mut all).unwrap();
    let [file] = &left[..] else { panic!("one file") };
    let refused = |bytes: &[u8]| Units::read(bytes, &search).err().map(|error| error.to_string());
    for end in 0..file.len() {
        let why = refused(&file[..end]).expect("cut");
        assert!(why.contains("at byte") || why.contains("ends at byte"), "{why}");
    }
    let mut flipped = file.clone();
    flipped[file.len() / 2] ^= 1;
    assert!(refused(&flipped).unwrap().contains("checksum"));
    let other = SearchBounds { steps: 50, ..bounds };
    let other = SearchIdentity::of(&session(&program), Path::new("m.erl"), other).unwrap();
    let why = Units::read(file, &other).err().unwrap().to_string();
    assert!(
        why.contains("another search") && why.contains("--steps is 10000, and here it is 50"),
        "{why}"
    );
    assert!(refused(&vec![0; LARGEST as usize + 1]).unwrap().contains("more than"));
    // With a right checksum, whatever the contents are.
    let contents = &file[..file.len() - 4];
    let header = contents.len() - 40_usize.max(contents.len() / 2);
    let (mut read, mut explored) = (0, 0);
    let mut draws = Draws::new(seeds::seeds(1, 1).next().unwrap_or(1), 5);
    for _ in 0..seeds::many(400, 20_000) {
        let mut bytes = contents.to_vec();
        for _ in 0..1 + draws.below(3) {
            let at = header + draws.below((bytes.len() - header) as u64) as usize;
            match draws.below(4) {
                0 => bytes[at] ^= 1 << draws.below(8),
                1 => bytes[at] = draws.below(256) as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, draws.below(8) as u8),
            }
        }
        bytes.extend_from_slice(&log_format::digest(&bytes).to_le_bytes());
        let Ok(units) = Units::read(&bytes, &search) else {
            continue;
        };
        read += 1;
        let enough = AtomicBool::new(false);
        let explorer = Explorer::new(&session(&program), bounds, Arc::default()).unwrap();
        let mut found = 0;
        let ran = explorer.run_units(Work::Units(units, Path::new("a.unit")), (1, 1), &enough, |_| {
            found += 1;
            enough.store(found > 20, Ordering::Relaxed);
            Ok(())
        });
        explored += u32::from(ran.is_ok());
    }
    println!("{read} were read, {explored} explored");
    assert!(read > 20);
}
