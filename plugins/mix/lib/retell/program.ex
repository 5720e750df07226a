defmodule Retell.Program do
  @moduledoc false

  @doc "Runs `tracer` with these words in the folder of the project, whose dependencies have to be there. It has the terminal of mix."
  def run(words) do
    tracer = find("tracer") || Mix.raise(missing("tracer"))
    Mix.Task.run("deps.loadpaths", ["--no-compile", "--no-elixir-version-check"])
    options = [:nouse_stdio, :exit_status, args: words, cd: File.cwd!()]
    port = Port.open({:spawn_executable, tracer}, options)

    receive do
      {^port, {:exit_status, status}} -> ended(status)
    end
  end

  defp ended(0), do: :ok

  defp ended(status) do
    if status == 1 and is_nil(find("replay")), do: Mix.shell().error(missing("replay"))
    exit({:shutdown, status})
  end

  # The variables TRACER and REPLAY name a program that is not in the PATH.
  defp find(program) do
    case System.get_env(String.upcase(program)) do
      named when named in [nil, ""] -> System.find_executable(program)
      named -> System.find_executable(named)
    end
  end

  defp missing(program) do
    "#{program} is not in the PATH. Build it in a checkout of retell by `cargo build --release`, and add its folder " <>
      "target/release to the PATH, or name the program by the environment variable #{String.upcase(program)}"
  end
end
