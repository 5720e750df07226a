//! Expressions and patterns of Elixir, as people type them for conditions, written again in Erlang: that is what a condition is compiled from.
//!
//! Only what has a value without an effect: comparisons, arithmetic, `and`, `or`, `not`, `in`, fields, maps, tuples, lists, texts, atoms, guards,
//! and calls of functions. Everything else is refused, with its column.

mod call;
mod parse;
mod token;

/// What was typed, in Erlang.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Erlang {
    /// The expression; of a pattern, what comes before `when`.
    pub code: String,
    /// Of a pattern: its guard.
    pub guard: Option<String>,
    /// The variables that it uses: names in Elixir.
    pub variables: Vec<String>,
}

/// Why a text is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// Where, in characters from 1.
    pub column: usize,
    /// What was expected, and what was found.
    pub why: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (at character {})", self.why, self.column)
    }
}

/// Translates an expression. `is_variable`: is this name with a capital a variable of Erlang's library, such as `State` of a `gen_server`?
///
/// # Errors
/// It is not such an expression.
pub fn expression(text: &str, is_variable: &dyn Fn(&str) -> bool) -> Result<Erlang, Refused> {
    parse::expression(text, is_variable)
}

/// Translates a pattern, with or without a guard.
///
/// # Errors
/// It is not such a pattern.
pub fn pattern(text: &str) -> Result<Erlang, Refused> {
    parse::pattern(text)
}

/// The name that a variable has in the translation.
#[must_use]
pub fn variable(name: &str) -> String {
    let mut made = String::from("V");
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' => made.push(c),
            c => made.push_str(&format!("@{:x}@", u32::from(c))),
        }
    }
    made
}

/// An atom in quotes.
fn atom(name: &str) -> String {
    let mut text = String::from("'");
    for c in name.chars() {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if c.is_ascii_graphic() || c == ' ' => text.push(c),
            c => text.push_str(&format!("\\x{{{:x}}}", u32::from(c))),
        }
    }
    text.push('\'');
    text
}

/// A text as a binary.
fn binary(text: &str) -> String {
    let bytes: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
    format!("<<{}>>", bytes.join(","))
}

/// Functions that translations call: what Elixir's operators do with values of several kinds.
pub const HELPERS: &str = "\
'$access'(M, K) when is_map(M) -> case M of #{K := V} -> V; _ -> nil end;
'$access'(L, K) when is_list(L) -> case lists:keyfind(K, 1, L) of {_, V} -> V; false -> nil end;
'$access'(nil, _) -> nil.
'$in'(X, L) when is_list(L) -> lists:member(X, L);
'$in'(X, #{'__struct__' := 'Elixir.MapSet', map := M}) -> is_map_key(X, M);
'$in'(X, #{'__struct__' := 'Elixir.Range', first := F, last := L, step := S}) when is_integer(X) ->
  ((S > 0 andalso X >= F andalso X =< L) orelse (S < 0 andalso X =< F andalso X >= L)) andalso (X - F) rem S =:= 0;
'$in'(_, #{'__struct__' := 'Elixir.Range'}) -> false.
'$not'(X) -> X =:= nil orelse X =:= false.
'$matches'(A, B) when is_binary(B) -> B =:= <<>> orelse binary:match(A, B) =/= nomatch.
'$struct'(#{'__struct__' := S}) when is_atom(S) -> true;
'$struct'(_) -> false.
'$struct'(#{'__struct__' := S}, S) -> true;
'$struct'(_, _) -> false.
";

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        expression(text, &|name| name == "State").unwrap().code
    }

    fn refused(text: &str) -> (usize, String) {
        let refused = expression(text, &|_| false).unwrap_err();
        (refused.column, refused.why)
    }

    #[test]
    fn expressions_are_written_in_erlang() {
        for (elixir, erlang) in [
            ("count > 3", "(Vcount > 3)"),
            ("a == 1 and b != :x", "((Va == 1) andalso (Vb /= 'x'))"),
            ("state.balance <= 1_000", "(erlang:map_get('balance', Vstate) =< 1000)"),
            ("State.balance", "erlang:map_get('balance', VState)"),
            ("state[:a].b", "erlang:map_get('b', '$access'(Vstate, 'a'))"),
            ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
            ("-a", "(- Va)"),
            ("x in [1, 2]", "'$in'(Vx, [1, 2])"),
            (
                "x not in 1..3",
                "(not '$in'(Vx, #{'__struct__' => 'Elixir.Range', first => 1, last => 3, step => 1}))",
            ),
            ("\"a\" <> b", "<<(<<97>>)/binary, (Vb)/binary>>"),
            ("%{a: 1, \"k\" => {:ok, nil}}", "#{'a' => 1, <<107>> => {'ok', 'nil'}}"),
            ("[a: 1, b: x]", "[{'a', 1}, {'b', Vx}]"),
            ("[h | t]", "[Vh | Vt]"),
            ("is_nil(x)", "(Vx =:= nil)"),
            ("elem(t, 0)", "element((0) + 1, Vt)"),
            ("not is_map(x)", "(not is_map(Vx))"),
            ("map |> Map.get(:a)", "'Elixir.Map':'get'(Vmap, 'a')"),
            (":lists.member(1, l)", "'lists':'member'(1, Vl)"),
            ("pid == Account", "(Vpid == 'Elixir.Account')"),
            (":\"hello world\" == ?a", "('hello world' == 97)"),
            ("x == 'ab'", "(Vx == [97,98])"),
            ("ok? === true", "(Vok@3f@ =:= 'true')"),
            ("x + 0x1f > 1.5e3", "((Vx + 31) > 1.5e3)"),
        ] {
            assert_eq!(code(elixir), erlang, "{elixir}");
        }
        let names = expression("a.b > c and a.d == State", &|_| false).unwrap().variables;
        assert_eq!(names, ["a", "c"]);
    }

    #[test]
    fn patterns_are_written_in_erlang() {
        let found = pattern("{:add, n, %{a: ^x}, %User{name: \"x\"}, [_ | rest]} when n > 3").unwrap_err();
        assert_eq!(found.column, 16);
        let found = pattern("{:add, n, %{a: x}, %User{name: \"x\"}, [_ | rest]} when n > 3 and is_nil(x)").unwrap();
        assert_eq!(
            found.code,
            "{'add', Vn, #{'a' := Vx}, #{'__struct__' := 'Elixir.User', 'name' := <<120>>}, [_ | Vrest]}"
        );
        assert_eq!(found.guard.as_deref(), Some("((Vn > 3) andalso (Vx =:= nil))"));
    }

    #[test]
    fn anything_else_is_refused_with_its_column() {
        for (text, column, says) in [
            ("count >", 8, "expected a value"),
            ("x = 1", 3, "`==`"),
            ("fn -> 1 end", 1, "`fn`"),
            ("if x, do: 1", 1, "`if`"),
            ("\"a#{b}\"", 3, "interpolation"),
            ("frob(x)", 1, "`frob/1`"),
            ("x ** 2", 3, "`**`"),
            ("(a", 3, "`)`"),
            ("a b", 3, "the end"),
            ("\"abc", 1, "closing"),
            ("a.b()", 2, "field"),
            ("%{a | b: 1}", 5, "update"),
            ("%User{}", 1, "struct"),
            ("", 1, "expected a value"),
            ("a §", 3, "§"),
        ] {
            let (at, why) = refused(text);
            assert_eq!(at, column, "{text}: {why}");
            assert!(why.contains(says), "{text}: {why}");
        }
    }
}
