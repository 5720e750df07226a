# Document sessions, found through a registry that watches them (after discord/gen_registry #15, juvet/juvet #133).
load = @LOAD@

defmodule Directory do
  use GenServer

  def start_link(), do: GenServer.start_link(__MODULE__, nil, name: __MODULE__)

  def init(nil) do
    :ets.new(:directory, [:named_table, :protected, read_concurrency: true])
    {:ok, %{}}
  end

  # Reads do not ask the server.
  def lookup_or_start(id) do
    case :ets.lookup(:directory, id) do
      [{^id, pid}] -> pid
      [] -> GenServer.call(__MODULE__, {:start, id})
    end
  end

  def handle_call({:start, id}, _from, refs) do
    case :ets.lookup(:directory, id) do
      [{^id, pid}] ->
        {:reply, pid, refs}

      [] ->
        {:ok, pid} = GenServer.start(Session, id)
        ref = Process.monitor(pid)
        :ets.insert(:directory, {id, pid})
        {:reply, pid, Map.put(refs, ref, id)}
    end
  end

  def handle_info({:DOWN, ref, :process, _pid, _reason}, refs) do
    {id, refs} = Map.pop(refs, ref)
    :ets.delete(:directory, id)
    {:noreply, refs}
  end
end

defmodule Session do
  use GenServer

  def edit(pid, line), do: GenServer.call(pid, {:edit, line})
  def close(pid), do: GenServer.call(pid, :close)

  def init(id), do: {:ok, {id, []}}

  def handle_call({:edit, line}, _from, {id, lines}) do
    {:reply, :ok, {id, [line | Enum.take(lines, 4)]}}
  end

  def handle_call(:close, _from, state), do: {:stop, :normal, :ok, state}
end

defmodule Editors do
  def type(_id, 0), do: :ok

  def type(id, n) do
    :ok = id |> Directory.lookup_or_start() |> Session.edit("line #{n}")
    type(id, n - 1)
  end

  # Closes the document and opens it again.
  def reload(id) do
    :ok = id |> Directory.lookup_or_start() |> Session.close()
    id |> Directory.lookup_or_start() |> Session.edit("after reload")
  end
end

{:ok, _} = Directory.start_link()
Editors.type("notes", load)
others = for id <- ["todo", "plan"], do: Task.async(fn -> Editors.type(id, load) end)
:ok = Editors.type("report", 2)
:ok = Editors.reload("report")
Task.await_many(others, :infinity)
Editors.type("notes", load)
IO.puts("all saved")
