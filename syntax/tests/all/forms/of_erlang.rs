//! Forms that Erlang makes: of `epp` from sources, and from the debugging information of an installed OTP and Elixir.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use syntax::abstract_code::{from_external, to_external};
use syntax::diagnostic::DiagnosticKind;
use syntax::parse_forms;

use super::etf::{Term, decode};
use super::{own_files, without_places};
use crate::otp;

/// For each line `N KIND FILE` of a list: writes the forms of the file to `N.etf`; nothing where Erlang has none.
const MAKE: &str = r#"
Location = fun("columns") -> {1, 1}; ("lines") -> 1 end,
Beam = fun(File) ->
    {ok, {Module, [{debug_info, {debug_info_v1, Backend, Data}}]}} = beam_lib:chunks(File, [debug_info]),
    {ok, Forms} = Backend:debug_info(erlang_v1, Module, Data, []),
    Forms
end,
Source = fun(File, Kind) ->
    Folder = filename:dirname(File),
    Library = filename:dirname(Folder),
    Includes = [Folder, filename:join(Library, "include"), filename:join(Library, "src")
                | filelib:wildcard("/usr/lib/erlang/lib/*/{include,src}")],
    Macros = [{'COMPILER_VSN', silence}, {'VSN', silence}, {version, silence}, {default_verbosity, silence}],
    {ok, Forms} = epp:parse_file(File, [{includes, Includes}, {macros, Macros}, {location, Location(Kind)}]),
    Forms
end,
{ok, List} = file:read_file("list"),
[begin
     [N, Kind, File] = string:split(binary_to_list(Line), " ", all),
     try case Kind of "beam" -> Beam(File); _ -> Source(File, Kind) end of
         Forms -> ok = file:write_file(N ++ ".etf", term_to_binary(Forms))
     catch
         _:Reason -> ok = file:write_file(N ++ ".none", io_lib:format("~tp", [Reason]))
     end
 end || Line <- binary:split(List, <<"\n">>, [global, trim_all])],
halt().
"#;

/// Makes forms of the files; the number and name of each with them.
fn made(folder: &str, files: &[(&str, PathBuf)]) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let _absent = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder of this test");
    let lines = files.iter().enumerate();
    let list: String = lines
        .map(|(number, (kind, file))| format!("{number} {kind} {}\n", file.display()))
        .collect();
    fs::write(folder.join("list"), list).expect("written");
    let elixir = files_of("/usr/lib/elixir/lib", "ebin");
    let output = Command::new("erl")
        .args(["+S", "1", "-noshell", "-pa"])
        .args(elixir)
        .args(["-eval", MAKE.trim()])
        .current_dir(&folder)
        .output()
        .expect("erl runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let made = files.iter().enumerate().filter_map(|(number, (_, file))| {
        let bytes = fs::read(folder.join(format!("{number}.etf"))).ok()?;
        Some((file.clone(), bytes))
    });
    let made = made.collect();
    fs::remove_dir_all(&folder).expect("a folder of this test");
    made
}

/// The folders of this name in those of all applications.
fn files_of(library: &str, name: &str) -> Vec<PathBuf> {
    let applications = fs::read_dir(library).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = applications.map(|entry| entry.path().join(name)).collect();
    folders.sort();
    folders
}

fn is_told(form: &Term) -> bool {
    matches!(form.tag(), Some("error" | "warning"))
}

/// Reads forms, and writes them again: they are the same without annotations. Whether they are with them, too.
fn read_and_written(file: &Path, bytes: &[u8]) -> bool {
    let read = from_external(bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let forms_of = |bytes: &[u8]| match decode(bytes) {
        Term::List(mut forms, None) => {
            forms.retain(|form| !is_told(form) && form.tag() != Some("eof"));
            forms
        }
        other => panic!("{}: {other:?}", file.display()),
    };
    let (mut given, mut written) = (forms_of(bytes), forms_of(&to_external(&read.module)));
    let is_same = given == written;
    if !is_same {
        assert_eq!(given.len(), written.len(), "{}", file.display());
        for (given, written) in given.iter_mut().zip(&mut written) {
            without_places(given);
            without_places(written);
            super::same(file, "forms", &format!("{given:?}"), &format!("{written:?}"));
        }
    }
    is_same
}

/// Errors that our front end finds in forms that Erlang compiled.
fn errors(bytes: &[u8]) -> Vec<String> {
    let errors = parse_forms(bytes).err().into_iter().flatten();
    let errors = errors.filter(|found| found.kind != DiagnosticKind::Warning);
    errors
        .map(|error| format!("{}:{}: {}", error.file, error.loc.line, error.message))
        .collect()
}

fn check(folder: &str, files: &[(&str, PathBuf)]) -> Vec<(PathBuf, Vec<u8>)> {
    let made = made(folder, files);
    let start = steady::used();
    made.iter().for_each(|(_, bytes)| drop(from_external(bytes)));
    let (bytes, used) = (
        made.iter().map(|(_, bytes)| bytes.len()).sum::<usize>(),
        steady::used() - start,
    );
    println!("{:.1} MB/s", bytes as f64 / 1e6 / used.as_secs_f64());
    let places = made
        .iter()
        .filter(|(file, bytes)| read_and_written(file, bytes))
        .count();
    println!(
        "{} files, forms of {}: all read and written; {places} with all places",
        files.len(),
        made.len()
    );
    assert!(
        made.len() * 10 > files.len() * 8,
        "Erlang gave forms of {} of {} files",
        made.len(),
        files.len()
    );
    made
}

#[test]
fn forms_of_epp_are_read_and_written() {
    if !steady::has_otp_25() {
        return;
    }
    let mut files = seeds::share(own_files(), 8);
    files.extend(seeds::share(otp::erlang_files("src"), 32));
    let kinds = ["columns", "lines"].into_iter().cycle();
    drop(check("forms_of_epp", &kinds.zip(files).collect::<Vec<_>>()));
}

#[test]
fn forms_of_beams_are_read_and_written() {
    if !steady::has_otp_25() {
        return;
    }
    let mut beams = Vec::new();
    for folder in files_of(otp::LIB, "ebin")
        .into_iter()
        .chain(files_of("/usr/lib/elixir/lib", "ebin"))
    {
        otp::collect(&folder, "beam", &mut beams);
    }
    beams.sort();
    assert!(
        beams.len() > 500,
        "an installed OTP has more than {} beams",
        beams.len()
    );
    let beams = seeds::share(beams, 32).into_iter().map(|file| ("beam", file));
    let made = check("forms_of_beams", &beams.collect::<Vec<_>>());
    // They were compiled once.
    let wrong: Vec<String> = made.iter().flat_map(|(_, bytes)| errors(bytes)).collect();
    assert!(wrong.is_empty(), "{} errors: {wrong:#?}", wrong.len());
}
