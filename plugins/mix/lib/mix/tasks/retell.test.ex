defmodule Mix.Tasks.Retell.Test do
  @shortdoc "Runs the tests by `tracer test`, and keeps the runs that fail"
  @moduledoc """
  Runs the project's tests by `tracer test`, which keeps a trace of each failed test. `replay why` then tells why it failed.

      mix retell.test
      mix retell.test test/account_test.exs:19
      mix retell.test -k "at the same time" --runs 100

  All words are those of `tracer test`.
  """
  use Mix.Task

  @impl true
  def run(words), do: Retell.Program.run(["test" | words])
end
