//! An Erlang/OTP that is installed on this machine. Header files and modules of its applications that are not built in are read from it. They
//! are stored in the trace, like all sources, so a replay needs no OTP.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use interpreter::otp;
use syntax::Release;

use crate::report;

/// Names the folder of an installed OTP, for example `/usr/lib/erlang`; if empty, none is used.
pub const VARIABLE: &str = "TRACER_OTP";

/// Where packages install it.
const USUAL: [&str; 3] = ["/usr/lib/erlang", "/usr/local/lib/erlang", "/opt/homebrew/lib/erlang"];

/// Names the release of OTP of programs for which nothing else says it, in place of that of the installed OTP.
pub const RELEASE: &str = "TRACER_RELEASE";

/// An installed OTP, and other folders with its applications.
#[derive(Clone, PartialEq, Eq)]
pub struct Installed {
    /// The folders that contain applications, in search order.
    folders: Vec<PathBuf>,
    /// The number of its release, if there is one.
    release: Option<u32>,
}

impl Installed {
    /// The folders in `ERL_LIBS`, as in `erl`, and `lib` of the OTP that the environment names or that is found.
    #[must_use]
    pub fn from_environment() -> Self {
        let mut folders = paths(std::env::var_os("ERL_LIBS").as_deref());
        let root = match std::env::var_os(VARIABLE) {
            Some(root) if root.is_empty() => None,
            Some(root) => Some(PathBuf::from(root)),
            None => beside_erl(&paths(std::env::var_os("PATH").as_deref()))
                .or_else(|| USUAL.iter().map(PathBuf::from).find(|root| root.join("lib").is_dir())),
        };
        let release = asked().or_else(|| root.as_deref().and_then(release_in));
        folders.extend(root.map(|root| root.join("lib")));
        Self { folders, release }
    }

    /// The OTP in a folder.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            folders: vec![root.join("lib")],
            release: release_in(root),
        }
    }

    /// Has it a compiler?
    #[must_use]
    pub fn compiles(&self) -> bool {
        self.find("compiler", Path::new("ebin/compile.beam")).is_some()
    }

    /// The release of OTP of a program for which nothing else says it: the known one that is nearest to that of the installed OTP, or else the newest.
    #[must_use]
    pub fn release(&self) -> Release {
        self.release.map_or(Release::NEWEST, Release::nearest)
    }

    /// A file of an application, from its newest version.
    #[must_use]
    pub fn find(&self, app: &str, path: &Path) -> Option<PathBuf> {
        if app.is_empty() || app.starts_with('.') || path.components().any(|c| c.as_os_str() == "..") {
            return None;
        }
        self.folders.iter().find_map(|folder| {
            let found = application(folder, app)?.join(path);
            found.is_file().then_some(found)
        })
    }

    /// A module of an application: its path and text. Macros that OTP's build defines are expanded.
    #[must_use]
    pub fn source(&self, app: &str, file: &str) -> Option<(String, Arc<[u8]>)> {
        let path = self
            .find(app, &Path::new("src").join(file))
            .or_else(|| self.below_source(app, file))?;
        let mut text = fs::read(&path).ok()?;
        if file == "erl_features.erl" {
            text = without_its_terms(String::from_utf8(text).ok()?).into_bytes();
        }
        if let Some(version) = path
            .ancestors()
            .nth(2)
            .and_then(|folder| folder.file_name()?.to_str()?.strip_prefix("compiler-"))
            && file == "beam_asm.erl"
        {
            text = String::from_utf8(text)
                .ok()?
                .replace("?COMPILER_VSN", &format!("{version:?}"))
                .into_bytes();
        }
        Some((path.display().to_string(), Arc::from(text)))
    }

    /// OTP's compiler under another name: the library has a module `compile`, which runs its front end. In messages it is `compile`.
    #[must_use]
    pub fn front_end(&self) -> Option<(String, Arc<[u8]>)> {
        let (path, text) = self.source("compiler", "compile.erl")?;
        let text = std::str::from_utf8(&text).ok()?;
        let named = text.replacen("-module(compile).", &format!("-module({}).", otp::FRONT_END), 1);
        Some((path, Arc::from(named.replace("?MODULE", "compile").into_bytes())))
    }

    /// A file in a folder of an application's sources.
    fn below_source(&self, app: &str, file: &str) -> Option<PathBuf> {
        let application = self.folders.iter().find_map(|folder| application(folder, app))?;
        let mut found = folders_in(&application.join("src"));
        found.iter_mut().for_each(|folder| folder.push(file));
        found.into_iter().find(|path| path.is_file())
    }

    /// The folders of headers that a source of OTP includes by name alone; empty for other sources.
    #[must_use]
    pub fn headers_for(&self, source: &Path) -> Vec<PathBuf> {
        let own = self.folders.iter().find_map(|folder| {
            let app = source.strip_prefix(folder).ok()?.components().next()?;
            Some(folder.join(app).join("include"))
        });
        let Some(own) = own else { return Vec::new() };
        let others = ["stdlib", "kernel"].map(|app| self.folders.iter().find_map(|folder| application(folder, app)));
        // A source in a folder of its own names the headers of the others.
        let sources = source
            .parent()
            .and_then(Path::parent)
            .filter(|folder| folder.ends_with("src"));
        let beside = sources.map_or_else(Vec::new, folders_in);
        std::iter::once(own)
            .chain(others.into_iter().flatten().map(|app| app.join("include")))
            .chain(beside)
            .collect()
    }

    /// The searched folders, for messages.
    #[must_use]
    pub fn described(&self) -> String {
        if self.folders.is_empty() {
            return format!("an installed Erlang/OTP (there is none; {VARIABLE} can name its folder)");
        }
        let folders: Vec<_> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        format!("the applications of {}", folders.join(", "))
    }
}

/// `erl_features` of OTP 25 keeps a constant in the persistent terms when it is first asked. With that, every compilation would have been caused by the
/// first one; here it is made each time.
fn without_its_terms(text: String) -> String {
    [
        ("persistent_term:get({?MODULE, feature_specs}, none)", "none"),
        ("persistent_term:get({?MODULE, feature_specs})", "init_specs()"),
        ("persistent_term:put({?MODULE, feature_specs}, Specs)", "ok"),
        ("os:getenv(\"OTP_TEST_FEATURES\")", "false"),
    ]
    .into_iter()
    .fold(text, |text, (from, to)| text.replace(from, to))
}

/// The folders in a folder, by name.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort_unstable();
    folders
}

fn paths(value: Option<&OsStr>) -> Vec<PathBuf> {
    value.map_or_else(Vec::new, |value| {
        std::env::split_paths(value)
            .filter(|path| !path.as_os_str().is_empty())
            .collect()
    })
}

/// The release that the environment names. What is none of the known ones is told once, and has no effect.
fn asked() -> Option<u32> {
    static ASKED: OnceLock<Option<u32>> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let text = std::env::var_os(RELEASE).filter(|text| !text.is_empty())?;
        let text = text.to_string_lossy();
        match text.parse::<Release>() {
            Ok(release) => Some(release.number().into()),
            Err(expected) => {
                report::tell(&format!(
                    "{RELEASE} is ignored: {expected}, found `{}`",
                    log_format::safe(&text)
                ));
                None
            }
        }
    })
}

/// The release of the OTP in a folder: `VERSION RELEASE` in a file.
fn release_in(root: &Path) -> Option<u32> {
    let text = fs::read_to_string(root.join("releases/start_erl.data")).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The root of the OTP to which the first `erl` in the path belongs.
fn beside_erl(path: &[PathBuf]) -> Option<PathBuf> {
    // A program that `erl` started finds that of the runtime first, which is in a folder of its own.
    path.iter().find_map(|folder| {
        let erl = fs::canonicalize(folder.join("erl")).ok()?;
        let root = erl.parent()?.parent()?;
        application(&root.join("lib"), "stdlib").map(|_| root.to_path_buf())
    })
}

/// `APP`, or the highest of `APP-VERSION`.
fn application(folder: &Path, app: &str) -> Option<PathBuf> {
    let plain = folder.join(app);
    if plain.is_dir() {
        return Some(plain);
    }
    let mut found: Vec<(Vec<u64>, PathBuf)> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let version = path.file_name()?.to_str()?.strip_prefix(app)?.strip_prefix('-')?;
            let version = version
                .split('.')
                .map(|part| part.parse().ok())
                .collect::<Option<_>>()?;
            Some((version, path))
        })
        .collect();
    found.sort_unstable_by_key(|(version, _)| Reverse(version.clone()));
    found.into_iter().next().map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(folders: Vec<PathBuf>) -> Installed {
        Installed { folders, release: None }
    }

    #[test]
    fn the_release_is_that_of_the_installed_otp() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(release_in(folder.path()), None);
        fs::create_dir_all(folder.path().join("releases")).unwrap();
        for (text, expected, known) in [("14.2.1 26", Some(26), 26), ("99 31", Some(31), 28), ("x", None, 28)] {
            fs::write(folder.path().join("releases/start_erl.data"), text).unwrap();
            let release = release_in(folder.path());
            assert_eq!(release, expected);
            let installed = Installed {
                folders: Vec::new(),
                release,
            };
            assert_eq!(installed.release().number(), known, "{text}");
        }
    }

    #[test]
    fn a_source_in_a_folder_of_its_own_is_found_and_finds_headers_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let app = folder.path().join("app-1.0");
        for (part, file) in [("one", "a.erl"), ("two", "b.hrl")] {
            fs::create_dir_all(app.join("src").join(part)).unwrap();
            fs::write(app.join("src").join(part).join(file), file).unwrap();
        }
        let installed = of(vec![folder.path().to_owned()]);
        let (path, text) = installed.source("app", "a.erl").unwrap();
        assert_eq!(&text[..], b"a.erl");
        assert!(installed.headers_for(Path::new(&path)).contains(&app.join("src/two")));
        assert!(installed.source("app", "b.erl").is_none());
    }

    #[test]
    fn the_newest_version_of_an_application_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        for app in ["app-1.9", "app-1.10", "app-x", "application-7", "plain"] {
            let include = root.join(app).join("include");
            fs::create_dir_all(&include).unwrap();
            fs::write(include.join("a.hrl"), app).unwrap();
        }
        let installed = of(vec![root.join("nowhere"), root.clone()]);
        let find = |app: &str, path: &str| installed.find(app, Path::new(path));
        assert_eq!(find("app", "include/a.hrl"), Some(root.join("app-1.10/include/a.hrl")));
        assert_eq!(find("plain", "include/a.hrl"), Some(root.join("plain/include/a.hrl")));
        assert_eq!(find("app", "include/b.hrl"), None);
        assert_eq!(find("appl", "include/a.hrl"), None);
        assert_eq!(find("app", "../plain/include/a.hrl"), None);
        assert_eq!(find("..", "include/a.hrl"), None);
        let beam_asm = root.join("compiler-1.2/src");
        fs::create_dir_all(&beam_asm).unwrap();
        fs::write(beam_asm.join("beam_asm.erl"), "v() -> ?COMPILER_VSN.").unwrap();
        let (path, text) = installed.source("compiler", "beam_asm.erl").unwrap();
        assert!(path.ends_with("beam_asm.erl"));
        assert_eq!(&*text, b"v() -> \"1.2\".");
        let compile = "-module(compile).\nf() -> {none, ?MODULE, crash}.\n";
        fs::write(beam_asm.join("compile.erl"), compile).unwrap();
        let (_, text) = installed.front_end().unwrap();
        assert_eq!(&*text, b"-module(otp_compile).\nf() -> {none, compile, crash}.\n");
        let headers = installed.headers_for(&root.join("app-1.9/src/a.erl"));
        assert_eq!(headers, [root.join("app-1.9/include")]);
        assert!(installed.headers_for(Path::new("src/a.erl")).is_empty());
    }
}
