defmodule Mix.Tasks.Retell.Hunt do
  @shortdoc "Runs a test under many schedules until it fails"
  @moduledoc """
  Runs the tests with a text in their names under many schedules, by `tracer hunt`, until one fails.

      mix retell.hunt "at the same time"
      mix retell.hunt "at the same time" --time 1m

  All further words are those of `tracer hunt`.
  """
  use Mix.Task

  @impl true
  def run([text | words]) when binary_part(text, 0, 1) != "-", do: Retell.Program.run(["hunt", "-k", text | words])
  def run([_ | _] = words), do: Retell.Program.run(["hunt" | words])
  def run([]), do: Mix.raise("expected a part of the name of a test: mix retell.hunt \"at the same time\"")
end
