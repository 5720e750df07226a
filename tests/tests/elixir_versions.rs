//! Elixirs of several versions, and what is the same with each: what an Elixir lacks is said, and what happens without a failure is none.

use tests::{BinaryRun, CommandOutcome, Folder};

/// Where Debian has its Elixir.
const INSTALLED: &str = "/usr/lib/elixir";

fn is_there() -> bool {
    steady::has("elixirc") && steady::has_otp_25() && std::path::Path::new(INSTALLED).join("lib/elixir/ebin").is_dir()
}

/// Elixir needs an Erlang/OTP.
fn tracer<'a>(folder: &Folder, args: impl IntoIterator<Item = &'a str>) -> CommandOutcome {
    BinaryRun::new("tracer", folder.path(), args)
        .env("TRACER_OTP", "/usr/lib/erlang")
        .run()
}

/// Runs with the Elixir in this folder of the test's folder.
fn tracer_with<'a>(folder: &Folder, elixir: &str, args: impl IntoIterator<Item = &'a str>) -> CommandOutcome {
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = folder.path().join(elixir).join("bin").display().to_string();
    BinaryRun::new("tracer", folder.path(), args)
        .env("TRACER_OTP", "/usr/lib/erlang")
        .env("PATH", &format!("{bin}:{path}"))
        .run()
}

/// The file of the application `elixir` that says this version.
fn application(version: &str) -> String {
    format!(
        "{{application,elixir,[{{description,\"elixir\"}},{{vsn,\"{version}\"}},{{modules,[]}},{{registered,[elixir_config]}},{{applications,[kernel,stdlib,compiler]}},{{mod,{{elixir,[]}}}}]}}.\n"
    )
}

/// The installed Elixir under another version: all its files, but that of the application.
fn renamed(folder: &Folder, name: &str, version: &str) {
    let link = |from: &std::path::Path, to: &str| {
        let to = folder.path().join(name).join(to);
        std::fs::create_dir_all(to.parent().expect("it is inside")).expect("a folder");
        std::os::unix::fs::symlink(from, to).expect("a link");
    };
    let installed = std::path::Path::new(INSTALLED);
    for app in ["eex", "ex_unit", "iex", "logger", "mix"] {
        link(&installed.join("lib").join(app), &format!("lib/{app}"));
    }
    for file in std::fs::read_dir(installed.join("lib/elixir/ebin"))
        .expect("it is there")
        .flatten()
    {
        let file_name = file.file_name().to_string_lossy().into_owned();
        if file_name != "elixir.app" {
            link(&file.path(), &format!("lib/elixir/ebin/{file_name}"));
        }
    }
    folder.write(&format!("{name}/lib/elixir/ebin/elixir.app"), application(version));
    folder.write(&format!("{name}/bin/elixir"), "");
}

#[test]
fn an_elixir_that_nobody_has_tried_runs_with_a_warning() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-later");
    renamed(&folder, "later", "1.99.0");
    folder.write("hi.exs", "IO.puts(\"hi\")\n");
    let run = tracer_with(&folder, "later", ["run", "-o", "t", "hi.exs"]).expect(0);
    assert_eq!(run.out(), "hi\n");
    let said = run.stderr.matches("Elixir 1.99.0").count();
    assert_eq!(said, 1, "{}", run.stderr);
    run.says(&["tracer: Elixir 1.99.0 was not tried (1.14 to 1.18 were); all functions that tracer calls or replaces in it are there"]);
    // One that was tried is not named.
    let run = tracer(&folder, ["run", "-o", "t", "hi.exs"]).expect(0);
    assert!(!run.stderr.contains("tried"), "{}", run.stderr);
}

#[test]
fn an_elixir_says_what_it_lacks() {
    let folder = Folder::new("elixir-lacks");
    folder.write("none/lib/elixir/ebin/elixir.app", application("1.99.0"));
    folder.write("none/bin/elixir", "");
    folder.write("hi.exs", "IO.puts(\"hi\")\n");
    let run = tracer_with(&folder, "none", ["run", "--no-trace", "hi.exs"]);
    run.says(&["tracer: Elixir 1.99.0 was not tried (1.14 to 1.18 were): it has no ExUnit.Runner.exec_test_setup/2, so a trace does not say where a test failed; "]);
}

/// A command `elixir` that only starts another one has no Elixir beside it.
#[test]
fn the_first_elixir_in_the_path_is_one_with_its_modules() {
    let folder = Folder::new("elixir-shim");
    folder.write("shims/bin/elixir", "");
    folder.write("real/lib/elixir/ebin/elixir.app", application("1.98.0"));
    folder.write("real/bin/elixir", "");
    folder.write("hi.exs", "IO.puts(\"hi\")\n");
    let [shims, real] = ["shims/bin", "real/bin"].map(|name| folder.path().join(name).display().to_string());
    let run = BinaryRun::new("tracer", folder.path(), ["run", "--no-trace", "hi.exs"]);
    run.env("PATH", &format!("{shims}:{real}"))
        .run()
        .says(&["Elixir 1.98.0 was not tried"]);
}

const SCHEDULERS: &str = "-module(s).\n-export([main/0]).\n\
    main() -> io:format(\"~p ~p~n\", [erlang:system_info(schedulers), erlang:system_info(schedulers_online)]),\n\
      io:format(\"~p ~p~n\", [erlang:system_flag(schedulers_online, 2), catch erlang:system_flag(schedulers_online, 99) =:= 1]).\n";

#[test]
fn a_program_is_told_of_as_many_schedulers_as_the_user_says() {
    let folder = Folder::new("schedulers");
    folder.write("s.erl", SCHEDULERS);
    let usual = folder.tracer(["run", "-o", "four", "--seed", "1", "s.erl"]).expect(0);
    assert!(usual.out().starts_with("4 4\n4 "), "{}", usual.out());
    let more = folder
        .tracer(["run", "-o", "eight", "--seed", "1", "--schedulers", "8", "s.erl"])
        .expect(0);
    assert!(more.out().starts_with("8 8\n8 "), "{}", more.out());
    for trace in ["four", "eight"] {
        folder.replay(["verify", trace]).expect(0);
    }
    let again = folder.tracer(["run", "-o", "again", "--seed", "1", "s.erl"]).expect(0);
    assert_eq!(again.out(), usual.out());
    folder.tracer(["run", "--schedulers", "0", "s.erl"]).expect(2);
}

#[test]
fn what_happens_without_a_failure_is_no_failure() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-passing");
    folder.write("passing.exs", "require Logger\nLogger.info(\"hi\")\nIO.puts(\"hi\")\n");
    tracer(&folder, ["run", "-o", "t", "passing.exs"]).expect(0);
    let why = folder.replay(["why", "t"]);
    assert!(!why.out().contains("error"), "{}", why.out());
    let info = folder.replay(["info", "t"]).expect(0).out();
    assert!(!info.contains(":done") && !info.contains("{done,"), "{info}");
}

/// A price list with a line that is no number, in a task.
const PRICES: &str = r#"defmodule Price do
  def parse(line) do
    [sku, text] = String.split(line, "=")
    {sku, text |> String.trim() |> String.to_integer()}
  end
end

["tea=300", "milk=1 20"]
|> Enum.map(fn line -> Task.async(fn -> Price.parse(line) end) end)
|> Task.await_many()
"#;

#[test]
fn argument_errors_have_the_words_of_elixir() {
    if !is_there() {
        return;
    }
    let folder = Folder::new("elixir-badarg");
    folder.write("prices.exs", PRICES);
    tracer(&folder, ["run", "-o", "t", "prices.exs"]).expect(1);
    let why = folder.replay(["why", "t"]).expect(0).out();
    let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        why.contains("1st argument: not a textual representation of an integer"),
        "{why}"
    );
}
