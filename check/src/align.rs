//! Matches the messages of another run with the recorded ones, by sequence alignment.

use crate::choices::Nth;

/// At most this many messages on either side are aligned, after those at the beginning that are equal.
pub(crate) const ALIGNED: usize = 2_000;

/// For each message of another run, the recorded one: with the fewest messages that are new or left out. The record may go on after the last one.
pub(crate) fn align(recorded: &[Nth], now: &[Nth]) -> Vec<Option<Nth>> {
    let same = recorded.iter().zip(now).take_while(|(a, b)| a.shape == b.shape).count();
    let mut found: Vec<Option<Nth>> = recorded[..same].iter().copied().map(Some).collect();
    let then = &recorded[same..recorded.len().min(same + ALIGNED)];
    let rest = &now[same..now.len().min(same + ALIGNED)];
    // cost[i][j]: of the first i messages of this run and the first j recorded ones.
    let width = then.len() + 1;
    let mut cost = vec![0_u32; (rest.len() + 1) * width];
    for (at, cell) in cost[..width].iter_mut().enumerate() {
        *cell = at as u32;
    }
    for (i, one) in (1..).zip(rest) {
        cost[i * width] = i as u32;
        for (j, other) in (1..).zip(then) {
            let (above, left, before) = (
                cost[(i - 1) * width + j],
                cost[i * width + j - 1],
                cost[(i - 1) * width + j - 1],
            );
            let apart = above.min(left) + 1;
            cost[i * width + j] = if one.shape == other.shape {
                before.min(apart)
            } else {
                apart
            };
        }
    }
    let last = &cost[rest.len() * width..];
    // Of several alignments, the one that covers more of the record.
    let mut j = (0..width).rev().min_by_key(|&j| last[j]).unwrap_or(0);
    let mut behind = vec![None; rest.len()];
    for i in (1..=rest.len()).rev() {
        while j > 0 && cost[i * width + j] == cost[i * width + j - 1] + 1 {
            j -= 1;
        }
        if j > 0 && rest[i - 1].shape == then[j - 1].shape && cost[i * width + j] == cost[(i - 1) * width + j - 1] {
            behind[i - 1] = Some(then[j - 1]);
            j -= 1;
        }
    }
    found.extend(behind);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    #[test]
    fn messages_are_aligned_with_the_fewest_that_are_new_or_left_out() {
        let list = |shapes: &str| -> Vec<Nth> {
            let mut seen = FxHashMap::<u64, u64>::default();
            let nth = |c: char| {
                let n = seen.entry(c as u64).or_default();
                *n += 1;
                Nth { shape: c as u64, n: *n }
            };
            shapes.chars().map(nth).collect()
        };
        let aligned = |recorded: &str, now: &str| -> String {
            let found = align(&list(recorded), &list(now)).into_iter();
            found
                .map(|nth| nth.map_or("-".to_owned(), |nth| nth.n.to_string()))
                .collect()
        };
        assert_eq!(aligned("ppggi", "ppggi"), "11221".replace("1122", "1212"));
        // One request more, in words that come later too; also if the run has shown no more than that.
        assert_eq!(aligned("pppgggi", "ipppgggi"), "-1231231");
        assert_eq!(aligned("pppgggi", "i"), "-");
        assert_eq!(aligned("pppgggi", "ipp"), "-12");
        // One less; another one in the place of one; nothing recorded; nothing now.
        assert_eq!(aligned("pgpg", "ppg"), "122");
        assert_eq!(aligned("pgp", "pxp"), "1-2");
        assert_eq!(aligned("", "ab"), "--");
        assert_eq!(aligned("ab", ""), "");
    }
}
