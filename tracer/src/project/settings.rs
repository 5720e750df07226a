//! What `rebar.config` says about runs of tests.

use std::path::{Path, PathBuf};

use log_format::safe_path;
use syntax::Release;
use syntax::ast::Expr;

use super::rebar::Config;
use super::terms::{atom, is_string, list, shown, source, text, tuple};
use super::{Selection, Settings, tidy};

/// Options of EUnit and Common Test that decide only how things look under OTP.
pub(super) const OF_OUTPUT: [&str; 8] = [
    "no_tty",
    "readable",
    "logdir",
    "cover",
    "label",
    "basic_html",
    "verbosity",
    "create_priv_dir",
];

/// Reads what `rebar.config` says about runs of tests. What is not done is added to the notes.
pub(super) fn read(root: &Path, config: &Config, notes: &mut Vec<String>) -> Settings {
    let mut settings = Settings::default();
    let path = safe_path(&config.path);
    if let Some(asked) = config.all("minimum_otp_vsn").first().and_then(text) {
        // As rebar3, which takes a pattern: the number with which it begins.
        let digits = asked.trim_start().split(|c: char| !c.is_ascii_digit()).next();
        let number = digits.and_then(|digits| digits.parse::<u32>().ok());
        settings.minimum_otp = number.map(Release::nearest);
        let shown = log_format::safe(&asked);
        let newest = Release::NEWEST;
        match number {
            None => notes.push(format!(
                "{path}: minimum_otp_vsn is not applied: expected a release such as \"27\", found \"{shown}\""
            )),
            Some(number) if number > newest.number().into() => notes.push(format!(
                "{path} asks for OTP {shown} or newer; the newest that is known here is {newest}"
            )),
            Some(_) => {}
        }
    }
    let mut unknown = Vec::new();
    let mut ignored = |what: &str, term: &Expr| {
        let option = tuple(term).first().unwrap_or(term);
        notes.push(format!(
            "{path}:{}: {} of {what} is not applied",
            term.loc.line,
            shown(option)
        ));
    };
    for term in config.all("eunit_tests") {
        match selection(root, &term) {
            Some(selection) => settings.eunit.push(selection),
            None => ignored("eunit_tests", &term),
        }
    }
    for term in config.all("eunit_opts") {
        match (
            atom(&term).or_else(|| tuple(&term).first().and_then(atom)),
            tuple(&term),
        ) {
            (Some("verbose"), _) => settings.verbose = true,
            (Some("sys_config"), [_, files]) => settings.eunit_words.extend(sys_config(root, files)),
            (Some(name @ ("exact_execution" | "inparallel")), []) => settings.eunit_words.push(format!("{name}=true")),
            (Some(name @ ("print_depth" | "inparallel" | "exact_execution")), [_, value]) => {
                settings.eunit_words.push(format!("{name}={}", shown(value)));
            }
            (Some(name), _) if OF_OUTPUT.contains(&name) => {}
            _ => ignored("eunit_opts", &term),
        }
    }
    for term in config.all("dist_node") {
        if let (Some("name" | "sname"), [_, name]) = (tuple(&term).first().and_then(atom), tuple(&term)) {
            settings.node = text(name);
        }
    }
    for term in config.all("ct_opts") {
        match (tuple(&term).first().and_then(atom), tuple(&term)) {
            (Some("dir"), [_, folders]) => settings
                .suites
                .extend(several(folders).into_iter().map(|folder| tidy(root.join(folder)))),
            (Some("sys_config"), [_, files]) => settings.suite_words.extend(sys_config(root, files)),
            (Some("config"), [_, files]) if !several(files).is_empty() => {
                settings
                    .configs
                    .extend(several(files).iter().map(|file| absolute(root, file)));
            }
            (Some("spec"), [_, files]) if !several(files).is_empty() => {
                let mut unread = Vec::new();
                for file in several(files) {
                    super::spec::add(root, &file, &mut settings, &mut unread);
                }
                unknown.extend(unread);
            }
            (Some(name), _) if OF_OUTPUT.contains(&name) => {}
            (Some("ct_hooks"), [_, hooks]) => {
                let hooks = if atom(hooks).is_some() {
                    std::slice::from_ref(hooks)
                } else {
                    list(hooks)
                };
                let kept: Option<Vec<String>> = hooks.iter().filter(|hook| !is_of_output(hook)).map(source).collect();
                match kept {
                    Some(kept) if kept.is_empty() => {}
                    Some(kept) => settings.suite_words.push(format!("ct_hooks=[{}]", kept.join(","))),
                    None => ignored("ct_opts", &term),
                }
            }
            (Some("sname" | "name"), [_, name]) => settings.node = text(name),
            _ => ignored("ct_opts", &term),
        }
    }
    notes.extend(unknown);
    settings
}

/// A hook that only changes what is printed or written.
fn is_of_output(hook: &Expr) -> bool {
    let name = atom(hook).or_else(|| tuple(hook).first().and_then(atom));
    name.is_some_and(|name| name == "cth_surefire" || name == "cth_log_redirect" || name.starts_with("cth_readable"))
}

/// A string, or a list of strings.
pub(super) fn several(term: &Expr) -> Vec<String> {
    match text(term) {
        Some(one) if is_string(term) => vec![one],
        _ => list(term).iter().filter_map(text).collect(),
    }
}

pub(super) fn absolute(root: &Path, file: &str) -> PathBuf {
    let path = root.join(file);
    std::path::absolute(&path).unwrap_or(path)
}

fn sys_config(root: &Path, files: &Expr) -> Vec<String> {
    let words = several(files);
    let words = words
        .iter()
        .map(|file| format!("sys_config={}", absolute(root, file).display()));
    let place = format!("root={}", absolute(root, "").display());
    words.chain([place]).collect()
}

fn selection(root: &Path, term: &Expr) -> Option<Selection> {
    let [kind, name] = tuple(term) else {
        return match (atom(term), is_string(term)) {
            (Some(module), _) => Some(Selection::Module(module.to_owned())),
            (None, true) => Some(Selection::Folder(tidy(root.join(text(term)?)))),
            (None, false) => None,
        };
    };
    let name = text(name)?;
    Some(match atom(kind)? {
        "module" => Selection::Module(name),
        "application" => Selection::Application(name),
        "dir" => Selection::Folder(tidy(root.join(name))),
        "file" => Selection::File(tidy(root.join(name))),
        _ => return None,
    })
}
