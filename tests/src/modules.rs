//! Random programs of several modules that depend on what differs between a recording and a replay elsewhere: macros of the command line,
//! headers, the order in which modules are loaded, funs as keys, time zones, folders, environment.
//!
//! What a program computes decides what it does next, so that another value is another log.

use std::fmt::Write as _;

use crate::generate::Draw;

/// A program in files, and how to record it.
#[derive(Debug)]
pub struct ProgramFiles {
    /// Names and texts.
    pub files: Vec<(String, String)>,
    /// The source files on the command line, the one with `main/0` first. The others are loaded when they are called.
    pub named: Vec<String>,
    /// Options of the compiler.
    pub options: Vec<String>,
    /// The variable `TZ`.
    pub zone: &'static str,
    /// Whether clocks and schedule are simulated.
    pub seed: Option<u64>,
}

/// A fun: `@M` is a module, `@L` the module itself, `@N` a small number.
const FUNS: &[&str] = &[
    "@M:f0(@N)",
    "@M:f1(@N)",
    "@M:f2(@N)",
    "fun @M:f0/1",
    "fun @L:deep/1",
    "fun deep/1",
    "fun() -> @N end",
    "fun(X) -> {X, self(), @N} end",
    "fun G(0) -> @N; G(X) -> G(X - 1) end",
    "hd([F || F <- [@M:f1(@N)]])",
    "binary_to_term(term_to_binary(@M:f0(@N)))",
];

/// A value: `@F` is a fun, `@D` a date, `@C` a table.
const VALUES: &[&str] = &[
    "erlang:phash2(@F)",
    "erlang:phash2({@F, @N}, 1000)",
    "erlang:phash(@F, 1000)",
    "term_to_binary(@F)",
    "@F < @F",
    "@F =:= @F",
    "[deep(F) || F <- lists:sort([@F, @F, @F])]",
    "lists:usort([@F, @F, @F, @F])",
    "maps:to_list(maps:from_list([{{@F, I}, I} || I <- lists:seq(1, 40)]))",
    "maps:keys(#{@F => 1, @F => 2, a => 3})",
    "ets:insert(@C, {@F, @N})",
    "ets:insert_new(@C, {{@F, @N}, @N})",
    "catch ets:update_counter(@C, @F, 1, {@F, 0})",
    "ets:lookup(@C, @F)",
    "ets:delete(@C, @F)",
    "ets:tab2list(@C)",
    "ets:first(@C)",
    "catch ets:next(@C, @F)",
    "ets:member(@C, {@F, @N})",
    "ets:match_object(@C, {@F, '_'})",
    "persistent_term:put(@F, @N)",
    "persistent_term:get(@F, none)",
    "lists:sort([V || {K, V} <- persistent_term:get(), is_function(K)])",
    "persistent_term:erase(@F)",
    "application:set_env(app, @F, @N)",
    "application:get_env(app, @F)",
    "put(@F, @N)",
    "get(@F)",
    "erlang:fun_info(@F)",
    "erlang:fun_info(@F, name)",
    "io_lib:format(\"~p\", [@F])",
    "sets:to_list(sets:from_list([@F, @F, @F]))",
    "gb_sets:to_list(gb_sets:from_list([@F, @F, @F]))",
    "dict:to_list(dict:from_list([{@F, 1}, {@F, 2}]))",
    "erlang:function_exported(@M, f1, 1)",
    "erlang:function_exported(@M, f7, 1)",
    "erlang:module_loaded(@M)",
    "code:is_loaded(@M)",
    "code:ensure_loaded(@M)",
    "code:which(@M)",
    "@M:module_info(exports)",
    "@M:module_info(attributes)",
    "@M:macros()",
    "macros()",
    "catch list_to_existing_atom(\"only_in_@M\")",
    "catch @M:only()",
    "catch @M:f7(@N)",
    "try deep(@M:f0(@N)) catch _:_:T@S -> T@S end",
    "erlang:universaltime_to_localtime(@D)",
    "catch erlang:localtime_to_universaltime(@D)",
    "catch erlang:localtime_to_universaltime(@D, true)",
    "calendar:local_time_to_universal_time_dst(@D)",
    "calendar:system_time_to_rfc3339(@N * 100000000)",
    "element(1, erlang:localtime())",
    "os:getenv(\"HOME\")",
    "os:getenv(\"LANG\")",
    "file:get_cwd()",
    "file:list_dir(\".\")",
    "filelib:last_modified(\"main.erl\")",
    "file:read_file_info(\"main.erl\")",
    "init:get_argument(home)",
    "init:get_plain_arguments()",
    "io:columns()",
    "io:getopts()",
    "code:lib_dir(kernel)",
    "code:root_dir()",
    "os:type()",
    "erlang:system_info(schedulers)",
    "inet:gethostname()",
    "registered()",
    "length(processes())",
    "length(ets:all())",
    "lists:sort([element(1, A) || A <- application:loaded_applications()])",
];

/// Other steps of a worker: `@V` is a value.
const STEPS: &[&str] = &[
    "note(@V)",
    "note(@V)",
    "note({@V, @V})",
    "main ! @V",
    "main ! {fun_of, @F}",
    "receive A@S -> note(A@S) after 0 -> ok end",
    "P@S = spawn(fun() -> put(kept, @F), receive stop -> note(@V) after 50 -> ok end end), P@S ! @F, \
     note(process_info(P@S, messages)), note(process_info(P@S, dictionary)), P@S ! stop",
    "catch register(@N_name, self())",
];

const DATES: &[&str] = &[
    "{{1969,7,20},{20,17,40}}",
    "{{1942,6,1},{2,30,0}}",
    "{{2024,3,31},{2,30,0}}",
    "{{2024,10,27},{2,30,0}}",
    "{{2024,1,1},{0,0,0}}",
    "{{2150,7,1},{12,0,0}}",
];

const ZONES: &[&str] = &[
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "CET-1CEST,M3.5.0,M10.5.0/3",
    "<+0330>-3:30",
    "WGT3WGST,M3.5.0/-2,M10.5.0/-1",
    "UTC",
    "",
];

struct ModuleWriter<'d> {
    draw: &'d mut Draw,
    modules: usize,
    /// The module that is written.
    own: String,
    serial: u32,
}

impl ModuleWriter<'_> {
    fn any(&mut self, list: &'static [&'static str]) -> &'static str {
        list[self.draw.below(list.len() as u64) as usize]
    }

    /// A template with its places filled.
    fn fill(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        self.serial += 1;
        let serial = self.serial;
        while let Some(at) = rest.find('@') {
            out.push_str(&rest[..at]);
            let place = &rest[at + 1..at + 2];
            rest = &rest[at + 2..];
            let text = match place {
                "M" => format!("m{}", self.draw.below(self.modules as u64)),
                "L" => self.own.clone(),
                "N" => match rest.strip_prefix("_name") {
                    Some(behind) => {
                        rest = behind;
                        format!("name{}", self.draw.below(3))
                    }
                    None => self.draw.below(6).to_string(),
                },
                "S" => serial.to_string(),
                "C" => ["set", "ordered", "bag"][self.draw.below(3) as usize].to_owned(),
                "D" => self.any(DATES).to_owned(),
                "F" => {
                    let fun = self.any(FUNS);
                    format!("({})", self.fill(fun))
                }
                "V" => {
                    let value = self.any(VALUES);
                    format!("({})", self.fill(value))
                }
                other => unreachable!("no place @{other}"),
            };
            out.push_str(&text);
        }
        out + rest
    }

    fn step(&mut self) -> String {
        let step = self.any(STEPS);
        self.fill(step)
    }
}

/// The program that a seed names.
#[must_use]
pub fn modules(seed: u64) -> ProgramFiles {
    let mut draw = Draw::new(seed);
    let modules = 2 + draw.below(4) as usize;
    let mut files = vec![
        (
            "shared.hrl".to_owned(),
            "-ifdef(DEEP).\n-define(HEADER, {deep, ?DEEP}).\n-else.\n-define(HEADER, flat).\n-endif.\n".to_owned(),
        ),
        ("main.erl".to_owned(), main(&mut draw, modules)),
    ];
    for number in 0..modules {
        files.push((format!("m{number}.erl"), module(&mut draw, number, modules)));
    }
    // Those that are not named are loaded when they are called; the order of the others is drawn.
    let mut named = vec!["main.erl".to_owned()];
    let mut left: Vec<usize> = (0..modules).collect();
    while !left.is_empty() {
        let next = left.swap_remove(draw.below(left.len() as u64) as usize);
        if draw.chance(70) {
            named.push(format!("m{next}.erl"));
        }
    }
    let mut options = vec!["-DVALUE={made,[1,2]}".to_owned()];
    for option in [
        "-DTEST",
        "-DDEEP=\"a b\"",
        "-DNAME=other_name",
        "--enable-feature=maybe_expr",
    ] {
        if draw.chance(50) {
            options.push(option.to_owned());
        }
    }
    ProgramFiles {
        files,
        named,
        options,
        zone: ZONES[draw.below(ZONES.len() as u64) as usize],
        seed: draw.chance(50).then_some(seed),
    }
}

/// What every module has: macros, `deep/1`, and code whose path depends on a value.
const COMMON: &str = "\
-include(\"shared.hrl\").
-ifndef(NAME).
-define(NAME, no_name).
-endif.
-ifdef(TEST).
macros() -> {?VALUE, ?NAME, ?HEADER, ?LINE, ?MODULE, test}.
-else.
macros() -> {?VALUE, ?NAME, ?HEADER, ?LINE, ?MODULE}.
-endif.
deep(F) when is_function(F, 0) -> F();
deep(F) when is_function(F, 1) -> F(3);
deep(V) -> V.
note(Value) ->
    Hash = erlang:phash2(Value),
    put({seen, Hash rem 7}, Value),
    case Hash rem 5 of
        0 -> spawn(fun() -> main ! Hash end);
        1 -> main ! {noted, Value};
        2 -> ets:insert(set, {Hash, Value});
        3 -> io:format(\"~p~n\", [Value]);
        4 -> self() ! Hash
    end.
";

fn module(draw: &mut Draw, number: usize, modules: usize) -> String {
    let mut text = format!(
        "-module(m{number}).\n-export([f0/1, f1/1, f2/1, deep/1, macros/0, only/0, work/0]).\n-compile(nowarn_unused_function).\n-tag({{m{number}, {}}}).\n{COMMON}",
        draw.below(100)
    );
    let mut writer = ModuleWriter {
        draw,
        modules,
        own: format!("m{number}"),
        serial: 0,
    };
    let bodies = [
        "fun() -> N end",
        "fun(X) -> [X, N] end",
        "begin Y = N * 2, fun(X) -> X + Y end end",
    ];
    for name in ["f0", "f1", "f2"] {
        let body = bodies[writer.draw.below(3) as usize];
        let _ = writeln!(text, "{name}(N) -> {body}.");
    }
    let _ = writeln!(text, "only() -> only_in_m{number}.");
    let steps: Vec<String> = (0..3 + writer.draw.below(8)).map(|_| writer.step()).collect();
    let _ = writeln!(text, "work() ->\n    {}.", steps.join(",\n    "));
    text
}

fn main(draw: &mut Draw, modules: usize) -> String {
    let mut text = format!("-module(main).\n-export([main/0, deep/1]).\n-compile(nowarn_unused_function).\n{COMMON}");
    let mut writer = ModuleWriter {
        draw,
        modules,
        own: "main".to_owned(),
        serial: 0,
    };
    let mut starts = Vec::new();
    for _ in 0..2 + writer.draw.below(4) {
        starts.push(writer.fill("spawn_monitor(fun() -> @M:work() end)"));
    }
    let steps: Vec<String> = (0..2 + writer.draw.below(6)).map(|_| writer.step()).collect();
    let _ = write!(
        text,
        "main() ->
    register(main, self()),
    ets:new(set, [named_table, public]),
    ets:new(ordered, [named_table, public, ordered_set]),
    ets:new(bag, [named_table, public, bag]),
    Workers = [{}],
    {},
    gather(length(Workers)),
    note([ets:tab2list(T) || T <- [set, ordered, bag]]),
    error({{ended, macros()}}).
gather(0) -> ok;
gather(N) ->
    receive
        {{'DOWN', _, process, _, Reason}} -> note(Reason), gather(N - 1);
        {{noted, Value}} -> put(last, Value), gather(N);
        {{fun_of, F}} -> put(F, catch deep(F)), gather(N);
        Other -> put(other, Other), gather(N)
    end.
",
        starts.join(", "),
        steps.join(",\n    ")
    );
    text
}
