//! Names that are like a mistyped one.

/// Limit: characters of a name that are compared. Names come from traces and projects, so they can be of any length.
const COMPARED: usize = 200;
/// Limit: names that are compared.
const MANY: usize = 10_000;

/// The names that are most like a word: those that have it in them, whatever the case, and those that few changes of letters lead to. At most
/// `most`, the nearest first.
///
/// ```
/// let tests = ["bank:pay_test", "bank:open_test", "shop:sell_test"];
/// assert_eq!(log_format::nearest("pay_tset", tests, 3), ["bank:pay_test"]);
/// assert_eq!(log_format::nearest("OPEN", tests, 3), ["bank:open_test"]);
/// assert!(log_format::nearest("refund", tests, 3).is_empty());
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let wanted: Vec<char> = word.to_lowercase().chars().take(COMPARED).collect();
    let lower: String = wanted.iter().collect();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in names.into_iter().take(MANY) {
        let whole: String = name.chars().take(COMPARED).flat_map(char::to_lowercase).collect();
        // A module in front of it need not be typed.
        let parts = [Some(whole.as_str()), whole.split_once(':').map(|(_, rest)| rest)];
        let far = parts.into_iter().flatten().map(|part| match part.contains(&lower) {
            true => 0,
            false => far(&wanted, &part.chars().collect::<Vec<_>>()),
        });
        let far = far.min().unwrap_or(usize::MAX);
        if !lower.is_empty() && far <= (wanted.len() / 3).max(1) && !near.contains(&(far, name)) {
            near.push((far, name));
        }
    }
    near.sort_unstable();
    near.truncate(most);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The edit distance of two words: letters inserted, deleted, replaced, or exchanged with the next.
#[must_use]
pub fn distance(a: &str, b: &str) -> usize {
    far(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
}

fn far(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_come_first() {
        let names = ["bank_tests:pay_test", "bank_tests:repay_test_", "shop_tests:open_test"];
        assert_eq!(nearest("pay_tset", names, 5), ["bank_tests:pay_test"]);
        assert_eq!(
            nearest("Pay_test", names, 5),
            ["bank_tests:pay_test", "bank_tests:repay_test_"]
        );
        assert_eq!(nearest("shop_test:open_test", names, 5), ["shop_tests:open_test"]);
        assert_eq!(nearest("", names, 5), [""; 0]);
        assert_eq!(nearest("zzz", names, 5), [""; 0]);
        assert_eq!(nearest("test", names, 1).len(), 1);
    }
}
