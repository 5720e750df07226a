defmodule Letters do
  def upcase(text), do: String.upcase(text)
end
