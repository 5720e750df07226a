defmodule LettersTest do
  use ExUnit.Case
  test "a" do
    assert Letters.upcase("a") == "A"
  end
end
