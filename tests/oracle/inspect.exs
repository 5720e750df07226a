# inspect.exs SEED COUNT FILE: random terms and exceptions, and what Elixir's `inspect/2` and `Exception.format_banner/3` make of them.
# Left out: a struct of a module that does not exist, because replay shows `%Nope{a: 1}` where `inspect` shows `%{__struct__: Nope, a: 1}`.
# The kept file: elixir tests/oracle/inspect.exs 7 1500 tests/oracle/inspect.etf (Elixir 1.14 on OTP 25).

defmodule User do
  defstruct [:name, :age, z: 1, b: 2]
end

defmodule Empty do
  defstruct []
end

defmodule Refused do
  defexception [:message, :code]
end

defmodule Terms do
  @atoms [:ok, :error, nil, true, false, :"hello world", :+, :"::", :"<|>", :%{}, :.., :"~~~", :"//", :a?, :b!, :"a?b", :Upper, :é, :É,
          :"1a", :foo@bar, :_, :_x, :"", :"a\"b", :"a\nb", :"a\#{b", :"it's", :"\0", :"\u009f", :日本, User, Foo.Bar, :"Elixir.foo", :"Elixir",
          :"Elixir.", :"Elixir.A b", :"Elixir.É", :and, :in, :when, :do, :end, :fn, :"not in", :"Foo.Bar", :"a.b", :"-x/1-fun-0-", :"ⅷ", :"a²",
          :a·, :|>, :"=>", :->, :<<>>, :{}, :., :..., :"..//", :"[]", :@, :&&&, :"^^^", :\\]
  @chars 'aZ09 "\'\\\n\t\#{}é日😀\e\a\d\0\x01'

  def atom, do: Enum.random(@atoms)
  def below(n), do: :rand.uniform(n) - 1

  def text do
    for _ <- 1..Enum.random(1..6), into: "", do: <<Enum.random(@chars)::utf8>>
  end

  def term(depth) do
    case below(if(depth == 0, do: 9, else: 19)) do
      0 -> atom()
      1 -> below(1000) - 500
      2 -> Enum.random([1.0, -0.0, 1.0e20, 3.14, 1.0e-7, 123456789.125, 1.0e16])
      3 -> text()
      4 -> Enum.random(["", "plain", "a\u00a0b", "\u200b", <<0>>, <<255>>, <<216, 0>>, "\uFFFE", <<1, 2, 3>>, <<5::3>>, <<1, 5::3>>])
      5 -> Enum.random([[], 'plain', 'it\'s "x"', [104, 233], [7, 8], [0], [104 | 105], 'a\\b', 'a\#{b'])
      6 -> 123_456_789_012_345_678_901_234_567_890 * Enum.random([1, -1])
      7 -> atom()
      8 -> special()
      9 -> for _ <- 1..3//1, do: term(depth - 1)
      10 -> List.to_tuple(for _ <- 1..below(4)//1, do: term(depth - 1))
      11 -> for _ <- 1..below(4)//1, do: {atom(), term(depth - 1)}
      12 -> [term(depth - 1), term(depth - 1) | term(0)]
      13 -> for _ <- 1..below(5)//1, into: %{}, do: {atom(), term(depth - 1)}
      14 -> for _ <- 1..below(5)//1, into: %{}, do: {term(0), term(depth - 1)}
      15 -> %User{name: term(depth - 1), age: term(0)}
      16 -> Map.put(%User{name: term(depth - 1)}, atom(), 1)
      17 -> Map.delete(%User{name: term(depth - 1)}, :z)
      18 -> MapSet.new(for _ <- 1..below(4)//1, do: term(depth - 1))
    end
  end

  def special do
    date = Date.add(~D[2000-01-01], below(1_000_000) - 500_000)
    time = Time.new!(below(24), below(60), below(60), {below(1_000_000), below(7)})

    Enum.random([
      date, time, Range.new(below(9), below(9)), Range.new(below(9), below(9), Enum.random([1, 2, -1, -3])), %Empty{}, %Refused{message: "no"},
      NaiveDateTime.new!(~D[2020-02-03], time), DateTime.new!(~D[2020-02-03], time), ~r/a/, ~r/a\/b"/iu, ~r{x/y}, ~r/\d+\\/, %{__struct__: "x"},
      &String.upcase/1, &:erlang.+/2, &User."a b"/1, Version.parse!("1.2.3"), URI.parse("http://x/y"),
      %{__exception__: true, __struct__: User}, %ArgumentError{}, %{date | calendar: Calendar.ISO}
    ])
  end

  def exception do
    term = term(1)
    one = fn reasons -> {:error, Enum.random(reasons), []} end
    stack = [{Foo, :bar, 2, []}]

    Enum.random([
      one.([:badarg, :badarith, :system_limit, :cond_clause, {:badmatch, term}, {:case_clause, term}, {:with_clause, term}, {:try_clause, term},
            {:badmap, term}, {:badfun, term}, {:badkey, term}, {:badkey, term, %{a: 1}}, {:badstruct, User, term}, {:badbool, :and, term},
            {:badarity, {&String.upcase/1, []}}, {:badarity, {&String.upcase/1, [term]}}, {:badarity, {&String.upcase/1, [1, term]}}, :boom,
            {:boom, term}, term]),
      one.([%RuntimeError{message: "boom"}, %ArgumentError{message: "no"}, %KeyError{key: :a, term: term}, %KeyError{key: term}, %MatchError{term: term},
            %CaseClauseError{term: term}, %Refused{message: "refused"}, %FunctionClauseError{module: User, function: :f, arity: 2},
            %ErlangError{original: term}, %BadMapError{term: term}, %ArithmeticError{}, %BadStructError{struct: User, term: term}]),
      {:error, :function_clause, stack},
      {:error, :function_clause, [{User, :"-x/1-fun-0-", [1, term], []}]},
      {:error, :undef, stack},
      {:throw, term, []},
      {:exit, Enum.random([:normal, :shutdown, :killed, :noproc, :timeout, :calling_self, :noconnection, {:shutdown, term}, {:bad_return_value, term},
                           {:bad_call, term}, {:bad_cast, term}, {:nodedown, :a@b}, :boom, {:boom, 1}, {term, {GenServer, :call, [Account, term, 5000]}},
                           {:noproc, {GenServer, :call, [Account, :balance, 5000]}}, {{:shutdown, 1}, {:m, :"a b", []}}, term]), []}
    ])
  end

  def expected(term), do: inspect(term, limit: :infinity, printable_limit: :infinity, width: :infinity)

  def banner({class, reason, stack}), do: Exception.format_banner(class, reason, stack) |> String.replace(~r/[ \n]+/, " ") |> String.trim()
end

[seed, count, file] = System.argv()
:rand.seed(:exsss, {String.to_integer(seed), 1, 2})
count = String.to_integer(count)

structs =
  for module <- [User, Empty, Refused, Version, URI, ArgumentError, RuntimeError, KeyError, MatchError, CaseClauseError, FunctionClauseError, ErlangError,
                 BadMapError, ArithmeticError, BadStructError] do
    {module, for(%{field: field} <- module.__info__(:struct), field != :__exception__, do: field)}
  end

terms = for _ <- 1..count, term = Terms.term(3), do: {term, Terms.expected(term)}
banners = for _ <- 1..div(count, 3), one = Terms.exception(), do: {one, Terms.banner(one)}
# Texts that are reports of an error while inspecting are left out.
whole = fn list -> Enum.reject(list, fn {_, text} -> text =~ "Inspect.Error" end) end
File.write!(file, :erlang.term_to_binary({structs, whole.(terms), whole.(banners)}))
