//! A parser that writes Erlang as it goes.

use super::call::{self, kernel};
use super::token::{Placed, Token, tokens};
use super::{Erlang, Refused, atom, binary, variable};

/// How deep brackets may be nested.
const DEPTH: usize = 64;

/// What is parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ParseMode {
    Expression,
    Pattern,
    /// Of a pattern.
    Guard,
}

struct Parser<'p> {
    tokens: Vec<Placed>,
    at: usize,
    mode: ParseMode,
    depth: usize,
    /// Variables that were made here.
    made: usize,
    variables: Vec<String>,
    is_variable: &'p dyn Fn(&str) -> bool,
}

type Parsed = Result<String, Refused>;

pub(super) fn expression(text: &str, is_variable: &dyn Fn(&str) -> bool) -> Result<Erlang, Refused> {
    let mut parser = Parser::of(text, ParseMode::Expression, is_variable)?;
    let code = parser.binary(0)?;
    parser.end()?;
    Ok(Erlang {
        code,
        guard: None,
        variables: parser.variables,
    })
}

pub(super) fn pattern(text: &str) -> Result<Erlang, Refused> {
    let mut parser = Parser::of(text, ParseMode::Pattern, &|_| false)?;
    let code = parser.binary(0)?;
    let mut guard = None;
    if parser.takes("when") {
        parser.mode = ParseMode::Guard;
        guard = Some(parser.binary(0)?);
    }
    parser.end()?;
    Ok(Erlang {
        code,
        guard,
        variables: parser.variables,
    })
}

/// How tightly an operator binds, and whether its right side is parsed first.
fn binds(operator: &str) -> Option<(u8, bool)> {
    Some(match operator {
        "||" | "or" => (20, false),
        "&&" | "and" => (30, false),
        "==" | "!=" | "=~" | "===" | "!==" => (40, false),
        "<" | ">" | "<=" | ">=" => (50, false),
        "|>" => (60, false),
        "in" | "not" => (70, false),
        "++" | "--" | ".." | "<>" => (80, true),
        "+" | "-" => (90, false),
        "*" | "/" => (100, false),
        _ => return None,
    })
}

/// Tighter than any operator between two values.
const PREFIX: u8 = 120;

impl<'p> Parser<'p> {
    fn of(text: &str, mode: ParseMode, is_variable: &'p dyn Fn(&str) -> bool) -> Result<Self, Refused> {
        Ok(Self {
            tokens: tokens(text)?,
            at: 0,
            mode,
            depth: 0,
            made: 0,
            variables: Vec::new(),
            is_variable,
        })
    }

    fn here(&self) -> &Placed {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Placed {
        let placed = self.here().clone();
        self.at += 1;
        placed
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.here().token, Token::Sign(found) if found == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn refuse<T>(&self, column: usize, why: impl Into<String>) -> Result<T, Refused> {
        Err(Refused {
            column,
            why: why.into(),
        })
    }

    fn expect(&mut self, sign: &str) -> Result<(), Refused> {
        if self.takes(sign) {
            return Ok(());
        }
        self.refuse(self.here().column, format!("expected `{sign}`, found {}", self.found()))
    }

    fn end(&self) -> Result<(), Refused> {
        if self.here().token == Token::End {
            return Ok(());
        }
        let column = self.here().column;
        match self.here().token {
            Token::Sign("=") if self.mode != ParseMode::Pattern => {
                self.refuse(column, "expected a comparison: `==`, found `=`")
            }
            Token::Sign(sign) if binds(sign).is_none() && sign != "when" => self.refuse(
                column,
                format!("expected an operator that a condition may have, or the end, found `{sign}`"),
            ),
            _ => self.refuse(
                column,
                format!("expected an operator or the end, found {}", self.found()),
            ),
        }
    }

    /// The word here, for a message.
    fn found(&self) -> String {
        match &self.here().token {
            Token::End => "the end".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Number(text) | Token::Name(text) | Token::Alias(text) => format!("`{text}`"),
            Token::Atom(name) => format!("`:{name}`"),
            Token::Key(name) => format!("`{name}:`"),
            Token::Text(_) | Token::Characters(_) => "a text".to_owned(),
        }
    }

    /// Operators that bind at least so tightly.
    fn binary(&mut self, least: u8) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.refuse(
                self.here().column,
                "expected an expression that is not so deeply nested",
            );
        }
        let mut left = self.prefix()?;
        while let Placed {
            token: Token::Sign(operator),
            column,
            ..
        } = *self.here()
        {
            let Some((power, from_right)) = binds(operator).filter(|(power, _)| *power >= least) else {
                break;
            };
            if self.mode == ParseMode::Pattern && operator != "<>" {
                return self.refuse(column, format!("expected a pattern, found the operator `{operator}`"));
            }
            self.at += 1;
            if operator == "not" {
                self.expect("in")?;
            }
            if operator == "|>" {
                left = self.piped(left)?;
                continue;
            }
            let right = self.binary(if from_right { power } else { power + 1 })?;
            left = match operator {
                ".." => {
                    let step = self.step()?;
                    format!("#{{'__struct__' => 'Elixir.Range', first => {left}, last => {right}, step => {step}}}")
                }
                "not" => format!("(not {})", self.member(column, &left, &right)?),
                "in" => self.member(column, &left, &right)?,
                operator => self.joined(operator, &left, &right),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// What comes after `first..last`.
    fn step(&mut self) -> Parsed {
        if !self.is("/")
            || !matches!(
                self.tokens.get(self.at + 1).map(|next| &next.token),
                Some(Token::Sign("/"))
            )
        {
            return Ok("1".to_owned());
        }
        self.at += 2;
        self.binary(81)
    }

    fn member(&self, column: usize, left: &str, right: &str) -> Parsed {
        if self.mode != ParseMode::Guard {
            return Ok(format!("'$in'({left}, {right})"));
        }
        // A guard calls no function of a program: the elements are compared one by one.
        let inside = right.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        match inside.filter(|inside| !inside.contains(['[', '{', '(', '<', '|'])) {
            Some("") => Ok("false".to_owned()),
            Some(inside) => {
                let equal: Vec<String> = inside.split(", ").map(|one| format!("{left} =:= {one}")).collect();
                Ok(format!("({})", equal.join(" orelse ")))
            }
            None => self.refuse(column, "expected a list of plain values after `in`"),
        }
    }

    fn joined(&mut self, operator: &str, left: &str, right: &str) -> String {
        let erlang = match operator {
            "and" => "andalso",
            "or" => "orelse",
            "!=" => "/=",
            "===" => "=:=",
            "!==" => "=/=",
            "<=" => "=<",
            "<>" if self.mode == ParseMode::Pattern => {
                let bytes = left.trim_start_matches("<<").trim_end_matches(">>");
                let comma = if bytes.is_empty() { "" } else { ", " };
                return format!("<<{bytes}{comma}{right}/binary>>");
            }
            "<>" => return format!("<<({left})/binary, ({right})/binary>>"),
            "=~" => return format!("'$matches'({left}, {right})"),
            "&&" | "||" => {
                self.made += 1;
                let name = format!("T{}", self.made);
                let (falsy, truthy) = match operator {
                    "&&" => (name.as_str(), right),
                    _ => (right, name.as_str()),
                };
                return format!(
                    "case {left} of {name} when {name} =:= nil; {name} =:= false -> {falsy}; {name} -> {truthy} end"
                );
            }
            same => same,
        };
        format!("({left} {erlang} {right})")
    }

    /// A call whose first argument comes before it.
    fn piped(&mut self, first: String) -> Parsed {
        let Placed { token, column, .. } = self.next();
        match token {
            Token::Name(name) if self.is("(") => self.local(&name, column, vec![first]),
            Token::Alias(module) => self.remote(&format!("Elixir.{module}"), vec![first]),
            Token::Atom(module) => self.remote(&module, vec![first]),
            _ => self.refuse(column, "expected a call after `|>`"),
        }
    }

    fn prefix(&mut self) -> Parsed {
        let Placed {
            token: Token::Sign(sign @ ("not" | "!" | "-" | "+")),
            column,
            ..
        } = *self.here()
        else {
            return self.postfix();
        };
        self.at += 1;
        if self.mode == ParseMode::Pattern && !matches!(self.here().token, Token::Number(_)) {
            return self.refuse(column, format!("expected a pattern, found the operator `{sign}`"));
        }
        let value = self.binary(PREFIX)?;
        Ok(match sign {
            "!" if self.mode == ParseMode::Guard => format!("({value} =:= nil orelse {value} =:= false)"),
            "!" => format!("'$not'({value})"),
            sign => format!("({sign} {value})"),
        })
    }

    /// Fields and `[key]` after a value.
    fn postfix(&mut self) -> Parsed {
        let mut value = self.value()?;
        loop {
            let placed = self.here().clone();
            match placed.token {
                Token::Sign(".") if self.mode != ParseMode::Pattern => {
                    self.at += 1;
                    let Token::Name(field) = self.next().token else {
                        return self.refuse(placed.column, "expected the name of a field after the dot");
                    };
                    if self.is("(") {
                        return self.refuse(
                            placed.column,
                            "expected a field, found a call of a function that is a value",
                        );
                    }
                    value = format!("erlang:map_get({}, {value})", atom(&field));
                }
                Token::Sign("[") if !placed.after_blank && self.mode == ParseMode::Expression => {
                    self.at += 1;
                    let key = self.binary(0)?;
                    self.expect("]")?;
                    value = format!("'$access'({value}, {key})");
                }
                _ => return Ok(value),
            }
        }
    }

    fn value(&mut self) -> Parsed {
        let Placed { token, column, .. } = self.next();
        match token {
            Token::Number(text) => Ok(text),
            Token::Text(text) => Ok(binary(&text)),
            Token::Characters(text) => {
                let codes: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
                Ok(format!("[{}]", codes.join(",")))
            }
            Token::Atom(module) if self.is(".") => self.remote(&module, Vec::new()),
            Token::Atom(name) => Ok(atom(&name)),
            Token::Name(name) if self.is("(") && !self.here().after_blank => self.local(&name, column, Vec::new()),
            Token::Name(name) => Ok(self.named(name)),
            Token::Alias(name) if (self.is_variable)(&name) => Ok(self.named(name)),
            Token::Alias(name) if self.is(".") => self.remote(&format!("Elixir.{name}"), Vec::new()),
            Token::Alias(name) => Ok(atom(&format!("Elixir.{name}"))),
            Token::Sign("(") => {
                let inner = self.binary(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Sign("{") => Ok(format!("{{{}}}", self.listed("}")?.join(", "))),
            Token::Sign("[") => self.list(),
            Token::Sign("<<") => Ok(format!("<<{}>>", self.listed(">>")?.join(", "))),
            Token::Sign("%{") => Ok(format!("#{{{}}}", self.pairs(column)?.join(", "))),
            Token::Sign("%") => self.of_struct(column),
            Token::Sign("^") => self.refuse(column, "expected a pattern without `^`: nothing is bound before it"),
            Token::Sign(word @ ("fn" | "if" | "unless" | "case" | "cond" | "for" | "with" | "receive" | "do")) => self
                .refuse(
                    column,
                    format!("expected a value, a comparison or a call, found `{word}`"),
                ),
            _ => {
                self.at -= 1;
                self.refuse(column, format!("expected a value, found {}", self.found()))
            }
        }
    }

    fn named(&mut self, name: String) -> String {
        if name == "_" {
            return name;
        }
        let text = variable(&name);
        if !self.variables.contains(&name) {
            self.variables.push(name);
        }
        text
    }

    /// Values up to this closing bracket.
    fn listed(&mut self, close: &str) -> Result<Vec<String>, Refused> {
        let mut found = Vec::new();
        while !self.is(close) {
            if matches!(self.here().token, Token::Key(_)) {
                found.push(format!("[{}]", self.keywords(close)?.join(", ")));
                break;
            }
            found.push(self.binary(0)?);
            if !self.takes(",") {
                break;
            }
        }
        self.expect(close)?;
        Ok(found)
    }

    /// Pairs up to, but not including, this closing bracket.
    fn keywords(&mut self, close: &str) -> Result<Vec<String>, Refused> {
        let mut found = Vec::new();
        while !self.is(close) {
            let Placed { token, column, .. } = self.next();
            let Token::Key(key) = token else {
                return self.refuse(column, "expected a key with its colon, such as `name: value`");
            };
            found.push(format!("{{{}, {}}}", atom(&key), self.binary(0)?));
            if !self.takes(",") {
                break;
            }
        }
        Ok(found)
    }

    fn list(&mut self) -> Parsed {
        let mut found = Vec::new();
        while !self.is("]") {
            if matches!(self.here().token, Token::Key(_)) {
                found.extend(self.keywords("]")?);
                break;
            }
            found.push(self.binary(0)?);
            if self.takes("|") {
                let tail = self.binary(0)?;
                self.expect("]")?;
                return Ok(format!("[{} | {tail}]", found.join(", ")));
            }
            if !self.takes(",") {
                break;
            }
        }
        self.expect("]")?;
        Ok(format!("[{}]", found.join(", ")))
    }

    /// The associations of a map.
    fn pairs(&mut self, column: usize) -> Result<Vec<String>, Refused> {
        let arrow = if self.mode == ParseMode::Pattern { ":=" } else { "=>" };
        let mut found = Vec::new();
        while !self.is("}") {
            if let Token::Key(key) = self.here().token.clone() {
                self.at += 1;
                found.push(format!("{} {arrow} {}", atom(&key), self.binary(0)?));
            } else {
                let key = self.binary(0)?;
                if self.is("|") {
                    return self.refuse(self.here().column, "expected a map without an update");
                }
                self.expect("=>")?;
                found.push(format!("{key} {arrow} {}", self.binary(0)?));
            }
            if !self.takes(",") {
                break;
            }
        }
        if self.here().token == Token::End {
            return self.refuse(
                self.here().column,
                format!("expected `}}` of the map that begins at character {column}"),
            );
        }
        self.expect("}")?;
        Ok(found)
    }

    /// `%User{…}`: only a pattern needs no defaults.
    fn of_struct(&mut self, column: usize) -> Parsed {
        let Token::Alias(name) = self.next().token else {
            return self.refuse(column, "expected the name of a struct after `%`");
        };
        self.expect("{")?;
        if self.mode != ParseMode::Pattern {
            return self.refuse(column, "expected a value without a struct: its fields can be compared one by one, and `is_struct(x, Name)` asks for its kind");
        }
        let mut pairs = vec![format!("'__struct__' := {}", atom(&format!("Elixir.{name}")))];
        pairs.extend(self.pairs(column)?);
        Ok(format!("#{{{}}}", pairs.join(", ")))
    }

    /// The rest of the arguments of a call.
    fn arguments(&mut self, mut first: Vec<String>) -> Result<Vec<String>, Refused> {
        self.expect("(")?;
        first.extend(self.listed(")")?);
        Ok(first)
    }

    fn local(&mut self, name: &str, column: usize, first: Vec<String>) -> Parsed {
        if self.mode == ParseMode::Pattern {
            return self.refuse(column, "expected a pattern, found a call");
        }
        let arguments = self.arguments(first)?;
        let arity = arguments.len();
        match kernel(name, &arguments) {
            Some(call) => Ok(call),
            None => self.refuse(
                column,
                format!("expected a function that a condition may call, such as {}, or one with its module, found `{name}/{arity}`", call::NAMED),
            ),
        }
    }

    /// `Module.function(…)`.
    fn remote(&mut self, module: &str, first: Vec<String>) -> Parsed {
        let column = self.here().column;
        if self.mode != ParseMode::Expression {
            return self.refuse(column, "expected no call of a function of a module here");
        }
        self.expect(".")?;
        let Token::Name(name) = self.next().token else {
            return self.refuse(column, "expected the name of a function after the dot");
        };
        let arguments = match self.is("(") {
            true => self.arguments(first)?,
            false => first,
        };
        Ok(format!("{}:{}({})", atom(module), atom(&name), arguments.join(", ")))
    }
}
