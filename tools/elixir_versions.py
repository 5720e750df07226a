#!/usr/bin/env python3
"""Tries `tracer` and `replay` with several Elixirs, and prints a table: version x what was run.

Each argument is the folder of an installed or built Elixir (it has `bin/elixir` and `lib/*/ebin`), with words for `tracer` behind a comma:

    elixir_versions.py --bin target/quick /opt/elixir-1.15 /opt/elixir-1.18 /opt/elixir-1.18,--otp,28

What a program prints is compared with what that Elixir itself prints on the installed OTP. What an installed Elixir is, this program does not know:
it makes none and fetches none.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

SCRIPT = r'''
defmodule Point do
  @derive {Inspect, only: [:x]}
  defstruct x: 0, y: 0
  defimpl String.Chars, do: def(to_string(p), do: "(#{p.x}, #{p.y})")
end

defmodule Counter do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def next, do: GenServer.call(__MODULE__, :next)
  @impl true
  def init(n), do: {:ok, n}
  @impl true
  def handle_call(:next, _from, n), do: {:reply, n, n + 1}
end

defmodule Main do
  def points, do: IO.puts("#{%Point{x: 1, y: 2}} #{inspect(%Point{x: 3})}")
end

IO.inspect(System.argv())
Main.points()
{:ok, _} = Counter.start_link(5)
IO.inspect(for _ <- 1..3, do: Counter.next())
IO.inspect(1..4 |> Task.async_stream(&(&1 * &1)) |> Enum.map(&elem(&1, 1)))
{:ok, agent} = Agent.start_link(fn -> %{} end)
Agent.update(agent, &Map.put(&1, :k, ~D[2020-01-01]))
IO.inspect(Agent.get(agent, & &1))
IO.inspect(Regex.scan(~r/(\w)(\d+)/, "a1 b22 c333", capture: :all_but_first))
IO.inspect(Code.eval_string("Enum.sum(xs)", xs: [1, 2, 3]) |> elem(0))
IO.inspect(Enum.sort(~w(b a c)a, :desc))
IO.puts(Macro.to_string(quote do: if(x, do: [1 | y])))
{:ok, sup} = DynamicSupervisor.start_link(strategy: :one_for_one)
{:ok, _} = DynamicSupervisor.start_child(sup, {Registry, keys: :unique, name: Names})
Registry.register(Names, "me", 1)
IO.inspect(Registry.lookup(Names, "me") |> Enum.map(&elem(&1, 1)))
IO.inspect(Stream.unfold(1, &{&1, &1 * 2}) |> Enum.take(5))
IO.inspect(%{"a" => 1, b: {:c, 'd', "e", 1.5, nil}})

for f <- [fn -> String.to_integer("x") end, fn -> Map.fetch!(%{a: 1}, :b) end, fn -> raise "boom" end, fn -> %{a: 1}.b end] do
  try do
    f.()
  rescue
    e -> IO.puts(Exception.message(e) |> String.split("\n") |> hd())
  end
end

IO.puts(:stdio, "done")
'''

SHAPE = r'''
defmodule Shape do
  defstruct [:name, sides: 3]
  def area(%Shape{sides: n}, x) when n > 2, do: n * x
  def main() do
    IO.puts(Enum.map([a: 1, b: 2], fn {k, v} -> "#{k}=#{v}" end) |> Enum.join(","))
    IO.inspect({area(%Shape{name: "t"}, 5), %Shape{}})
    {:ok, agent} = Agent.start_link(fn -> 0 end)
    Agent.update(agent, &(&1 + 1))
    IO.inspect(Agent.get(agent, & &1))
    try do raise ArgumentError, "oops" rescue e -> IO.puts(Exception.message(e)) end
    with {:ok, x} <- Map.fetch(%{a: 1}, :a), do: IO.puts("#{x} #{String.upcase("e")}")
  end
end
'''

RACE = r'''
defmodule Account do
  use GenServer
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def balance, do: GenServer.call(__MODULE__, :balance)
  def set(n), do: GenServer.cast(__MODULE__, {:set, n})
  @impl true
  def init(n), do: {:ok, %{balance: n}}
  @impl true
  def handle_call(:balance, _from, state), do: {:reply, state.balance, state}
  @impl true
  def handle_cast({:set, n}, state), do: {:noreply, %{state | balance: n}}
end

{:ok, _} = Account.start_link(100)
deposit = fn amount -> Account.set(Account.balance() + amount) end
[10, 20] |> Enum.map(&Task.async(fn -> deposit.(&1) end)) |> Task.await_many()
130 = Account.balance()
'''

MIX = r'''
defmodule Bank.MixProject do
  use Mix.Project
  def project, do: [app: :bank, version: "0.1.0", deps: []]
  def application, do: [extra_applications: [:logger], mod: {Bank.Application, []}]
end
'''

LIB = r'''
defmodule Bank.Application do
  use Application
  @impl true
  def start(_, _), do: Supervisor.start_link([{Registry, keys: :unique, name: Bank.Names}], strategy: :one_for_one)
end

defmodule Bank do
  @moduledoc "A counter.\n\n    iex> Bank.add(1, 2)\n    3\n"
  use GenServer
  def add(a, b), do: a + b
  def start_link(n), do: GenServer.start_link(__MODULE__, n, name: __MODULE__)
  def balance, do: GenServer.call(__MODULE__, :balance)

  def deposit(amount) do
    before = balance()
    GenServer.cast(__MODULE__, {:set, before + amount})
  end

  @impl true
  def init(n), do: {:ok, n}
  @impl true
  def handle_call(:balance, _from, n), do: {:reply, n, n}
  @impl true
  def handle_cast({:set, n}, _), do: {:noreply, n}
  def handle_cast({:add, n}, m), do: {:noreply, m + n}
end
'''

MEND = ('    before = balance()\n    GenServer.cast(__MODULE__, {:set, before + amount})', '    GenServer.cast(__MODULE__, {:add, amount})')

TESTS = r'''
defmodule BankTest do
  use ExUnit.Case
  import ExUnit.{CaptureIO, CaptureLog}
  require Logger
  doctest Bank

  setup_all do
    {:ok, all: 1}
  end

  setup do
    start_supervised!({Bank, 100})
    on_exit(fn -> :ok end)
    :ok
  end

  test "a deposit", %{all: all} do
    assert all == 1
    Bank.deposit(5)
    assert Bank.balance() == 105
  end

  test "deposits at the same time" do
    [10, 20] |> Enum.map(&Task.async(fn -> Bank.deposit(&1) end)) |> Task.await_many()
    assert Bank.balance() == 130
  end

  test "an agent" do
    {:ok, agent} = start_supervised({Agent, fn -> [] end})
    1..3 |> Task.async_stream(fn n -> Agent.update(agent, &[n | &1]) end) |> Stream.run()
    assert Enum.sort(Agent.get(agent, & &1)) == [1, 2, 3]
  end

  test "output and logs" do
    assert capture_io(fn -> IO.puts("x") end) == "x\n"
    assert capture_log(fn -> Logger.error("bad") end) =~ "bad"
  end

  test "an exit" do
    Process.flag(:trap_exit, true)
    pid = spawn_link(fn -> exit(:boom) end)
    assert_receive {:EXIT, ^pid, :boom}
  end

  @tag :skip
  test "skipped", do: flunk("no")

  describe "names" do
    test "are registered" do
      {:ok, _} = Registry.register(Bank.Names, "a", 1)
      assert [{_, 1}] = Registry.lookup(Bank.Names, "a")
    end

    test "raise" do
      assert_raise KeyError, fn -> Map.fetch!(%{}, :a) end
    end
  end
end

defmodule BankAsyncTest do
  use ExUnit.Case, async: true
  for n <- 1..3, do: test("async #{n}", do: assert(unquote(n) > 0))
end
'''

RESULT = re.compile(r"^(?:\d+ doctests?, )?\d+ tests?, .*$", re.M)
WHEN_FINISHED = re.compile(r"^(Finished in|Running ExUnit with seed|Randomized with seed).*$", re.M)


class Version:
    """An Elixir, and a folder for what it runs."""

    def __init__(self, root, words, bin_folder, scratch):
        self.root, self.words, self.bin, self.folder = root, words, bin_folder, scratch
        self.env = dict(os.environ, PATH=f"{root / 'bin'}:{os.environ['PATH']}", TRACER_OTP="/usr/lib/erlang")
        self.said = []

    def call(self, *args, folder=None, limit=300):
        done = subprocess.run(args, cwd=folder or self.folder, env=self.env, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr

    def elixir(self, *args, folder=None):
        return self.call(str(self.root / "bin" / args[0]), *args[1:], folder=folder)

    def tracer(self, command, *args, folder=None):
        return self.call(str(self.bin / "tracer"), command, *self.words, *args, folder=folder)

    def replay(self, *args, folder=None):
        return self.call(str(self.bin / "replay"), *args, folder=folder)

    def name(self):
        number = (self.root / "lib/elixir/ebin/elixir.app").read_text().split("{vsn,")[1].split('"')[1]
        return " ".join([number, *self.words])

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))

    def fails(self, what, *parts):
        self.said.append(f"{self.name()}: {what}: " + "\n".join(str(part)[-1500:] for part in parts))
        return "no"

    # What is tried. Each answers `yes`, `no` or a few words.

    def script(self):
        self.write("script.exs", SCRIPT)
        _, expected, _ = self.elixir("elixir", "script.exs", "one", "two")
        status, out, err = self.tracer("run", "-o", "s.bin", "script.exs", "--", "one", "two")
        if status != 0 or out != expected or "done" not in out:
            return self.fails("script", status, out, err, expected)
        status, out, err = self.replay("verify", "s.bin")
        return "yes" if status == 0 else self.fails("verify", out, err)

    def entry(self):
        self.write("shape.ex", SHAPE)
        _, expected, _ = self.elixir("elixir", "-r", "shape.ex", "-e", "Shape.main()")
        status, out, err = self.tracer("run", "-o", "e.bin", "--entry", "Shape.main", "shape.ex")
        return "yes" if status == 0 and out == expected and out else self.fails("ex", status, out, err, expected)

    def beam(self):
        self.write("shape.ex", SHAPE)
        status, out, err = self.elixir("elixirc", "shape.ex")
        _, expected, _ = self.elixir("elixir", "-e", "Shape.main()")
        status, out, err = self.tracer("run", "-o", "b.bin", "Elixir.Shape.beam")
        same = status == 0 and out == expected and out
        return "yes" if same else self.fails("beam", status, out, err, expected)

    def tests(self):
        for name, text in [("mix.exs", MIX), ("lib/bank.ex", LIB), ("test/bank_test.exs", TESTS), ("test/test_helper.exs", "ExUnit.start()\n")]:
            self.write(f"bank/{name}", text)
        folder = self.folder / "bank"
        wanted = self.elixir("mix", "test", "--seed", "1", folder=folder)
        status, out, err = self.tracer("test", "--seed", "1", folder=folder)
        counts = [RESULT.findall(text) for text in (wanted[1], out)]
        if not counts[0] or not counts[1]:
            return self.fails("test", wanted[1], wanted[2], out, err)
        # The race passes on OTP and fails here, or not.
        numbers = [re.findall(r"(\d+) (?:doctests?|tests?)", one[-1]) for one in counts]
        return f"yes: {counts[1][-1]}" if numbers[0] == numbers[1] and "11 tests" in counts[1][-1] else self.fails("test", counts, out, err)

    def chosen(self):
        status, out, err = self.tracer("test", "-k", "an agent", folder=self.folder / "bank")
        return "yes" if status == 0 and re.search(r"1 test, 0 failures|0 failures, 1[01] excluded|1[01] excluded", out) else self.fails("-k", status, out, err)

    def race(self):
        folder = self.folder / "bank"
        for seed in range(1, 30):
            status, out, err = self.tracer("test", "-k", "at the same time", "--seed", str(seed), folder=folder)
            traces = sorted(folder.glob("_traces/*.trace"))
            if status != 0 and traces:
                self.trace = str(traces[0])
                return f"yes: seed {seed}"
        return self.fails("race", status, out, err)

    def why(self):
        status, out, err = self.replay("why", self.trace, folder=self.folder / "bank")
        one = " ".join(out.split())
        wanted = ["at the same time failed at bank_test.exs", "Decisive (tried)", "bank.ex:", "So: ", "wrote 1"]
        lacks = [text for text in wanted if text not in one]
        return "yes" if status == 0 and not lacks else self.fails("why", lacks, out, err)

    def why_script(self):
        self.write("race.exs", RACE)
        for seed in range(1, 30):
            status, _, run = self.tracer("run", "-o", "r.bin", "--seed", str(seed), "race.exs")
            if status != 0:
                break
        status, out, err = self.replay("why", "r.bin")
        one = " ".join(out.split())
        wanted = ["** (MatchError) no match of right hand side value: 1", "Decisive (tried)", "Had the cast {:set, 1", "computed from the 100 that it had read"]
        lacks = [text for text in wanted if text not in one]
        return "yes" if status == 0 and not lacks else self.fails("why of a script", lacks, out, err, run)

    def check(self):
        folder = self.folder / "bank"
        same = self.replay("check", self.trace, folder=folder)
        if "still fails" not in same[1]:
            return self.fails("check, unchanged", *same)
        self.write("bank/lib/bank.ex", LIB.replace(*MEND))
        mended = self.replay("check", self.trace, folder=folder)
        self.write("bank/lib/bank.ex", LIB)
        return "yes" if "fixed" in mended[1] and mended[0] == 0 else self.fails("check, mended", *mended)

    def explore(self):
        status, out, err = self.call(str(self.bin / "replay"), "explore", "e.bin", limit=60)
        text = (out + err).strip().splitlines()
        return f"exit {status}: {text[-1] if text else ''}"


WHAT = ["script", "entry", "beam", "tests", "chosen", "race", "why", "why_script", "check"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="the folder with `tracer` and `replay`")
    parser.add_argument("--only", default=",".join(WHAT), help="what is tried: " + ", ".join(WHAT + ["explore"]))
    parser.add_argument("elixirs", nargs="+", metavar="FOLDER[,WORD...]")
    args = parser.parse_args()
    what = args.only.split(",")
    print("| Elixir | " + " | ".join(what) + " |")
    print("|---" * (len(what) + 1) + "|")
    for elixir in args.elixirs:
        root, *words = elixir.split(",")
        scratch = pathlib.Path(tempfile.mkdtemp(prefix="elixir_versions_"))
        version = Version(pathlib.Path(root).resolve(), words, args.bin.resolve(), scratch)
        row = []
        for one in what:
            try:
                row.append(getattr(version, one)())
            except (subprocess.TimeoutExpired, AttributeError) as error:
                row.append(version.fails(one, repr(error)))
        print(f"| {version.name()} | " + " | ".join(row) + " |", flush=True)
        for said in version.said:
            print(said, flush=True)
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
