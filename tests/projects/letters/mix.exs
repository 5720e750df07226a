defmodule Letters.MixProject do
  use Mix.Project

  def project do
    [app: :letters, version: "0.1.0", elixir: "~> 1.12", deps: [], aliases: aliases()]
  end

  def application, do: []

  # mix retell.test: the tests of the Erlang modules, run by `tracer test`. Words after it are its options.
  defp aliases, do: ["retell.test": &retell_test/1]

  defp retell_test(args) do
    tracer = System.get_env("TRACER") || "tracer"
    {_, status} = System.cmd(tracer, ["test" | args], into: IO.stream())
    if status != 0, do: exit({:shutdown, status})
  end
end
