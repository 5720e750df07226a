//! The words of `-k`: which modules they can mean, other ways to write the name of a test, and words that meant nothing.

use super::find::{Found, Kind, Unit};

/// What a runner is given for these words: they, and the same names in other forms in which they are printed. A test that fits one of them is run.
pub fn for_runner(only: &[String]) -> Vec<String> {
    let mut all = only.to_vec();
    for word in only {
        for other in others(word) {
            if !all.contains(&other) {
                all.push(other);
            }
        }
    }
    all
}

/// Other forms of a name.
fn others(word: &str) -> Vec<String> {
    let mut all = Vec::new();
    // Of several tests of one name, `pay_tests:pay_test_:12/2`, all are run. (A name of ExUnit can end so itself.)
    if let Some((name, number)) = word.rsplit_once('/')
        && is_number(number)
        && name
            .split_once(':')
            .is_some_and(|(module, rest)| is_name(module) && rest.split(':').all(is_name))
    {
        all.push(name.to_owned());
    }
    let of_generator = [":setup", ":cleanup", ":instantiator"]
        .iter()
        .find_map(|part| word.strip_suffix(part));
    all.extend(of_generator.map(str::to_owned));
    all.extend(of_eunit(word));
    all.extend(of_exunit(word));
    all.extend(of_whole(word));
    all
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '@'))
}

/// As EUnit prints a test: `pay_tests: pay_test`, `pay_tests:12: pay_test_`.
fn of_eunit(word: &str) -> Option<String> {
    let (place, function) = word.split_once(": ")?;
    if !is_name(function) {
        return None;
    }
    match place.split_once(':') {
        Some((module, line)) if is_name(module) && is_number(line) => Some(format!("{module}:{function}:{line}")),
        None if is_name(place) => Some(format!("{place}:{function}")),
        _ => None,
    }
}

/// As ExUnit prints a test: `1) test pays (Shop.PayTest)`.
fn of_exunit(word: &str) -> Option<String> {
    let name = match word.split_once(") ") {
        Some((number, name)) if is_number(number) => name,
        _ => word,
    };
    let (name, module) = name.strip_suffix(')')?.rsplit_once(" (")?;
    let is_module = module.starts_with(char::is_uppercase) && !module.contains(' ');
    is_module.then(|| format!("{module}:{name}"))
}

/// What failed for all tests of a module has a name, but is no test: all are run.
fn of_whole(word: &str) -> Option<String> {
    let (module, what) = word.split_once(':')?;
    let of_suite = [
        "all",
        "init_per_suite",
        "end_per_suite",
        "init_per_group",
        "end_per_group",
    ];
    let is_whole = match module.ends_with("_SUITE") {
        true => of_suite.contains(&what),
        false => what == "setup_all",
    };
    is_whole.then(|| format!("{module}:"))
}

/// Does a word name this test, `module:function`? It can also name one of a generator's, by its line.
pub fn names(word: &str, test: &str) -> bool {
    test.contains(word) || word.strip_prefix(test).is_some_and(|rest| rest.starts_with(':'))
}

/// Can this word mean a test of this module, as far as is known before it runs? Descriptions have no colon that matters; a name with one can be that of
/// a test that a generator makes of a function of any module, unless it is known elsewhere.
fn may_mean(word: &str, unit: &Unit, found: &Found) -> bool {
    let is_in = |unit: &Unit| unit.tests.iter().any(|test| names(word, test));
    let Some((module, _)) = word.split_once(':') else {
        return true;
    };
    let is_known = || found.units.iter().any(is_in);
    match unit.kind {
        Kind::Mix => true,
        Kind::Suite => unit.module.ends_with(module) || !is_known() && !is_module(module, found),
        // What does not compile has no names.
        Kind::Unit => is_in(unit) || is_own(module, unit) || !is_known() && !is_module(module, found),
    }
}

/// Is it this module, or its MODULE_tests?
fn is_own(module: &str, unit: &Unit) -> bool {
    unit.module == module
        || unit
            .tests
            .iter()
            .any(|test| test.split_once(':').is_some_and(|(of, _)| of == module))
}

fn is_module(module: &str, found: &Found) -> bool {
    found.units.iter().any(|unit| is_own(module, unit))
}

/// Is it the module of one of these names?
pub fn is_of(only: &[String], unit: &Unit) -> bool {
    let module = |word: &String| word.split_once(':').is_some_and(|(module, _)| is_own(module, unit));
    for_runner(only).iter().any(module)
}

impl Found {
    /// Leaves out the modules that none of these words can mean.
    pub fn narrow(&mut self, only: &[String]) {
        if only.is_empty() {
            return;
        }
        let words = for_runner(only);
        let is_meant = |unit: &Unit| words.iter().any(|word| may_mean(word, unit, self));
        self.units = self.units.iter().filter(|unit| is_meant(unit)).cloned().collect();
    }
}

/// The words of which no form has meant a test.
pub fn missed(only: &[String], has_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let is_missed = |word: &&String| {
        let forms = for_runner(std::slice::from_ref(*word));
        !forms.iter().any(|form| has_meant(form))
    };
    only.iter().filter(is_missed).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(word: &str) -> Vec<String> {
        for_runner(&[word.to_owned()]).split_off(1)
    }

    #[test]
    fn a_name_is_found_as_it_is_printed() {
        assert_eq!(forms("pay_tests:pay_test_:12/2"), ["pay_tests:pay_test_:12"]);
        assert_eq!(forms("pay_tests: one"), ["pay_tests:one"]);
        assert_eq!(forms("pay_tests:12: pay_test_"), ["pay_tests:pay_test_:12"]);
        assert_eq!(forms("1) test pays 1/2 (Shop.PayTest)"), ["Shop.PayTest:test pays 1/2"]);
        assert_eq!(forms("pay_tests:pay_test_:setup"), ["pay_tests:pay_test_"]);
        assert_eq!(forms("pay_SUITE:init_per_suite"), ["pay_SUITE:"]);
        assert_eq!(forms("Shop.PayTest:setup_all"), ["Shop.PayTest:"]);
        assert_eq!(forms("transfer"), [""; 0]);
        assert_eq!(forms("splits 1/3"), [""; 0]);
        assert_eq!(forms("ShopTest:test splits 1/3"), [""; 0]);
        assert_eq!(forms("it says: nothing at all"), [""; 0]);
    }

    #[test]
    fn a_name_with_its_module_means_that_module() {
        let unit = |module: &str, tests: &[&str]| Unit {
            module: module.to_owned(),
            path: format!("test/{module}.erl").into(),
            kind: Kind::Unit,
            tests: tests.iter().map(|test| (*test).to_owned()).collect(),
            is_again: false,
        };
        let narrowed = |word: &str| -> Vec<String> {
            let mut found = Found {
                units: vec![
                    unit("a_tests", &["a_tests:x_test", "a_tests:gen_test_"]),
                    unit("b", &["b:x_test", "b_tests:y_test"]),
                ],
                ..Found::default()
            };
            found.narrow(&[word.to_owned()]);
            found.units.into_iter().map(|unit| unit.module).collect()
        };
        assert_eq!(narrowed("a_tests:x"), ["a_tests"]);
        assert_eq!(narrowed("a_tests:gen_test_:7"), ["a_tests"]);
        assert_eq!(narrowed("b_tests:one"), ["b"]);
        // A function of a module without tests, in a generator of any module; a description.
        assert_eq!(narrowed("helper:check"), ["a_tests", "b"]);
        assert_eq!(narrowed("a description"), ["a_tests", "b"]);
    }

    #[test]
    fn what_means_nothing_is_told_with_the_nearest_names() {
        let known = || vec!["b:pay_test".to_owned(), "b:open_test".to_owned()];
        let said = |word: &str| {
            let error = crate::error::InputError::NoNamedTest {
                only: vec![word.to_owned()],
                known: known(),
                names_module: false,
            };
            error.to_string()
        };
        assert_eq!(
            said("pya_test"),
            "no test has `pya_test` in its name or description; the nearest names are b:pay_test"
        );
        assert!(said("zzz").ends_with("the tests are b:open_test, b:pay_test"));
    }
}
