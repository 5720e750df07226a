//! Traces as a stranger could make them, for tests: with correct checksums, and sections with contents that no recorder writes.

use crate::section::{
    FILE_HEADER, SECTION_HEADER, SectionHeader, SectionKind, put_compressed, put_optional, put_section,
};
use crate::simulate::Random;

/// A section: its kind, and its payload as it is before compression.
type Section = (SectionKind, Vec<u8>);

/// Changes a trace in one of these ways, and corrects lengths, offsets and checksums: sections twice, in another order, or missing; numbers of
/// the directory; bytes of any section, also compressed and packed ones. Something that is not a trace is returned unchanged.
#[must_use]
pub fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let Some(mut sections) = sections(bytes) else {
        return bytes.to_vec();
    };
    let count = sections.len() as u64;
    let any = |random: &mut Random| random.below(count) as usize;
    // Most mutations of the start make a file that is refused at once, so they reach little code.
    match random.below(8) {
        0 => {
            let again = sections.clone();
            sections.extend(again);
        }
        1 => {
            let (a, b) = (any(random), any(random));
            sections.swap(a, b);
        }
        2 => {
            let section = sections[any(random)].clone();
            sections.insert(any(random), section);
        }
        3 => {
            sections.remove(any(random));
        }
        4 => sections.retain(|_| random.below(5) > 0),
        5 | 6 => {
            let fixed = |(kind, _): &&mut Section| *kind == SectionKind::Directory;
            if let Some((_, payload)) = sections.iter_mut().find(fixed) {
                number(payload, random);
            }
        }
        _ => {
            let at = any(random);
            let (_, payload) = &mut sections[at];
            for _ in 0..=random.below(3) {
                change(payload, random);
            }
        }
    }
    assembled(bytes, &sections)
}

/// A trace with another number in its directory: index 0 processes, 1 actions, 2 sends, 3 receives.
#[must_use]
pub fn with_total(bytes: &[u8], place: usize, change: impl Fn(u64) -> u64) -> Vec<u8> {
    let Some(mut sections) = sections(bytes) else {
        return bytes.to_vec();
    };
    for (kind, payload) in &mut sections {
        let number = payload.get_mut(8 * place..8 * place + 8);
        if let (SectionKind::Directory, Some(number)) = (*kind, number) {
            let old = number.iter().rev().fold(0, |old, &byte| old << 8 | u64::from(byte));
            number.copy_from_slice(&change(old).to_le_bytes());
        }
    }
    assembled(bytes, &sections)
}

/// Every section a second time, after the last one.
#[must_use]
pub fn twice(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.len().min(FILE_HEADER as usize);
    [bytes, &bytes[start..]].concat()
}

/// The chunks of all processes twice, within one run: everything up to the last cut, twice, and then the rest.
#[must_use]
pub fn cuts_twice(bytes: &[u8]) -> Vec<u8> {
    let Some(sections) = sections(bytes) else {
        return bytes.to_vec();
    };
    let is_cut = |(kind, _): &Section| *kind == SectionKind::Cut;
    let end = sections.iter().rposition(is_cut).map_or(0, |at| at + 1);
    let mut all = sections[..end].to_vec();
    let again = sections[..end].iter();
    all.extend(
        again
            .filter(|(kind, _)| matches!(kind, SectionKind::Block | SectionKind::Cut))
            .cloned(),
    );
    // Without an index, which would not contain them.
    let rest = sections[end..].iter();
    all.extend(rest.filter(|(kind, _)| kind.is_of_the_run()).cloned());
    assembled(bytes, &all)
}

fn sections(bytes: &[u8]) -> Option<Vec<Section>> {
    let (mut at, mut all) = (FILE_HEADER, Vec::new());
    while at < bytes.len() as u64 {
        let start = at as usize;
        let raw = bytes.get(start..)?.first_chunk::<{ SECTION_HEADER as usize }>()?;
        let header = SectionHeader::parse(raw, at).ok()?;
        let from = start + SECTION_HEADER as usize;
        let payload = bytes.get(from..from + header.length as usize)?;
        all.push((header.kind?, header.expand(payload, at).ok()?.into_owned()));
        at += SECTION_HEADER + u64::from(header.length);
    }
    (!all.is_empty()).then_some(all)
}

/// The file with these sections; the last ones contain the new position of the directory. (Offsets in a directory stay, so they lead to other
/// sections if lengths have changed.)
fn assembled(bytes: &[u8], sections: &[Section]) -> Vec<u8> {
    let mut out = bytes[..FILE_HEADER as usize].to_vec();
    let mut directory = 0;
    for (kind, payload) in sections {
        let position = out.len() as u64;
        let done = match kind {
            SectionKind::Directory => {
                directory = position;
                put_section(&mut out, *kind, payload)
            }
            SectionKind::End => {
                let length = position + SECTION_HEADER + 16;
                put_section(
                    &mut out,
                    *kind,
                    &[directory.to_le_bytes(), length.to_le_bytes()].concat(),
                )
            }
            SectionKind::Digests | SectionKind::Checkpoint => put_optional(&mut out, *kind, payload),
            SectionKind::Block | SectionKind::Cut | SectionKind::Index => put_section(&mut out, *kind, payload),
            _ => put_compressed(&mut out, *kind, payload),
        };
        if done.is_err() {
            return bytes.to_vec();
        }
    }
    out
}

fn number(payload: &mut [u8], random: &mut Random) {
    let numbers = payload.len() as u64 / 8;
    // The totals are the first ones.
    let most = if random.below(2) == 0 { numbers.min(8) } else { numbers };
    let at = random.below(most) as usize * 8;
    let Some(place) = payload.get_mut(at..at + 8) else {
        return;
    };
    let old = place.iter().rev().fold(0, |old, &byte| old << 8 | u64::from(byte));
    let new = match random.below(6) {
        0 => 0,
        1 => old.wrapping_add(1 << random.below(64)),
        2 => u64::MAX,
        3 => old.wrapping_sub(1),
        4 => random.next(),
        _ => old.wrapping_add(1),
    };
    place.copy_from_slice(&new.to_le_bytes());
}

fn change(payload: &mut Vec<u8>, random: &mut Random) {
    if payload.is_empty() {
        return;
    }
    let at = random.below(payload.len() as u64) as usize;
    match random.below(5) {
        0 => payload[at] ^= 1 << random.below(8),
        1 => payload[at] = [0, 0x7f, 0x80, 0xfb, 0xff][random.below(5) as usize],
        2 => payload.insert(at, random.next() as u8),
        3 => {
            payload.remove(at);
        }
        _ => payload[at] = payload[at].wrapping_add(1),
    }
}
