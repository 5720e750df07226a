//! Runs of mix, and the files of Elixir that a run reads itself.

use session::Session;

/// What a run of mix is started with.
const MIX: &str = "Mix.start(); Mix.CLI.main()";

/// Is it a run of mix?
pub(crate) fn is_of_mix(session: &Session) -> bool {
    session.trace().header().arguments.iter().any(|word| word == MIX)
}

/// Is it a file that Elixir's compiler reads?
pub(crate) fn is_elixir(path: &str) -> bool {
    [".ex", ".exs"].iter().any(|end| path.ends_with(end))
}

/// Is it a file whose contents now count: one of Elixir, or what mix has written of an application of the project?
pub(crate) fn is_read_anew(path: &str) -> bool {
    is_elixir(path) || is_of_application(path)
}

/// Has mix written it when it compiled the project? It says which settings the code was compiled with.
pub(crate) fn is_of_application(path: &str) -> bool {
    path.ends_with(".app") && path.contains("_build/retell/lib/")
}
