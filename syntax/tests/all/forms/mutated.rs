//! Forms with something wrong: reading them ends, with a tree that can be written or with an error that says where.

use syntax::ReadOptions;
use syntax::abstract_code::{from_external, to_external};
use syntax::lint::lint;

use super::etf::{Term, decode, encode};
use super::{OwnIncludes, own_files, parsed};
use crate::otp::OtpIncludes;

/// Numbers without a pattern (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

fn count(term: &mut Term) -> usize {
    1 + term.parts_mut().into_iter().map(count).sum::<usize>()
}

/// The term of this number, in the order of writing.
fn nth<'a>(term: &'a mut Term, number: &mut usize) -> Option<&'a mut Term> {
    if *number == 0 {
        return Some(term);
    }
    *number -= 1;
    term.parts_mut().into_iter().find_map(|part| nth(part, number))
}

fn odd(random: &mut Random) -> Term {
    let atoms = [
        "atom",
        "var",
        "_",
        "fun",
        "clauses",
        "default",
        "any",
        "bounded_fun",
        "",
        "nil",
        "type",
        "record",
        "maybe",
    ];
    match random.below(9) {
        0 => Term::Integer(-1),
        1 => Term::Integer(i64::from(random.below(70_000) as u32)),
        2 => Term::Integer(i64::MAX),
        3 => Term::List(Vec::new(), None),
        4 => Term::Tuple(Vec::new()),
        5 => Term::Bytes(70, 1.5f64.to_be_bytes().to_vec()),
        6 => Term::Bytes(109, b"bytes".to_vec()),
        7 => Term::List(vec![Term::Integer(1)], Some(Box::new(Term::Integer(2)))),
        _ => Term::Atom(atoms[random.below(atoms.len())].to_owned()),
    }
}

/// Replaces, deletes, doubles or swaps one subterm, or puts one in the place of another.
fn mutate(forms: &mut Term, random: &mut Random) {
    let terms = count(forms);
    let other = nth(forms, &mut random.below(terms)).expect("counted").clone();
    let target = nth(forms, &mut random.below(terms)).expect("counted");
    let (Term::List(parts, _) | Term::Tuple(parts)) = target else {
        *target = odd(random);
        return;
    };
    let last = parts.len();
    match random.below(6) {
        0 => *target = odd(random),
        1 => *target = other,
        2 if last > 0 => drop(parts.remove(random.below(last))),
        3 if last > 0 => parts.swap(random.below(last), 0),
        4 if last > 0 => {
            let part = parts[random.below(last)].clone();
            parts.insert(random.below(last), part);
        }
        _ => parts.push(other),
    }
}

#[test]
fn mutated_forms_give_a_tree_or_an_error() {
    let files = own_files();
    let includes = OwnIncludes(OtpIncludes::new());
    let (mut read, mut refused) = (0, 0);
    for seed in seeds::seeds(60, 1500) {
        let mut random = Random(seed);
        let Some(module) = parsed(&files[random.below(files.len())], &ReadOptions::default(), &includes) else {
            continue;
        };
        let written = to_external(&module);
        if written.len() > 300_000 {
            continue;
        }
        let forms = decode(&written);
        for _ in 0..20 {
            let mut forms = forms.clone();
            (0..=random.below(2) * random.below(2)).for_each(|_| mutate(&mut forms, &mut random));
            match from_external(&encode(&forms)) {
                Ok(found) => {
                    read += 1;
                    // Nor does the next pass rely on what the parser alone would make.
                    drop(lint(&found.module, !found.diagnostics.is_empty()));
                    // The tree is whole: what is written of it is read as the same.
                    let written = to_external(&found.module);
                    let again = from_external(&written).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                    assert!(written == to_external(&again.module), "seed {seed}");
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                    assert!(
                        !error.path.is_empty() || error.to_string().contains("a list of forms"),
                        "seed {seed}: {error}"
                    );
                }
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 50 && refused > 50, "{read} read, {refused} refused");
}

#[test]
fn mutated_bytes_give_a_tree_or_an_error() {
    let files = own_files();
    let includes = OwnIncludes(OtpIncludes::new());
    let mut refused = 0;
    for seed in seeds::seeds(60, 1500) {
        let mut random = Random(seed);
        let Some(module) = parsed(&files[random.below(files.len())], &ReadOptions::default(), &includes) else {
            continue;
        };
        let written = to_external(&module);
        for _ in 0..20 {
            let mut bytes = written.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            if random.below(4) == 0 {
                bytes.truncate(random.below(bytes.len()));
            }
            match from_external(&bytes) {
                Ok(found) => {
                    drop(lint(&found.module, false));
                    drop(to_external(&found.module));
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(refused > 50, "{refused} refused");
}
