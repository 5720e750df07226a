defmodule Retell.MixProject do
  use Mix.Project

  def project do
    [
      app: :retell,
      version: "0.1.0",
      elixir: "~> 1.14",
      description: "mix retell.test and mix retell.hunt: the project's tests by `tracer`, and why they failed",
      package: [licenses: ["MIT", "Apache-2.0"]],
      deps: []
    ]
  end

  def application, do: []
end
