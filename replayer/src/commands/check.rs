//! `replay check`: tests whether the failure of a trace still occurs in the current program.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::shared::{PlaceArgs, ShowArgs, TimeArgs};
use crate::commands::{Out, checks, compiled, open_session};
use crate::exit::Exit;
use crate::render::text::{Layout, wrap};
use crate::words::{count, number, safe};
use ::check::drive::{Divergence, Longer};
use ::check::received::{ChangedContents, OtherEnd};
use ::check::{self, CheckVerdict, Checked, Cut, Options, Remaining, Schedules, Universes, Unvisited};
use clap::Args;
use log_format::{CompileOption, quoted};
use session::error::Error;
use system::whole_number;

/// `replay check`.
#[derive(Args, Debug)]
#[command(
    override_usage = "replay check [OPTIONS] [TARGET] TRACE|FOLDER…",
    after_help = "TARGET names the failure: an abnormal end, such as exit:0.5.0, or the entry that waits for ever, end:0.1.0. A FOLDER stands for all
traces in it.

Exit codes (of several traces, the first line that is true for one of them):
  128  any error of the tool: a bad file, no failure in the trace, a wrong command line
    1  still fails, or fails differently
  125  diverged, incomplete, or the program does not compile
    3  fixed, but a delay brings the failure back (within --max-stall)
    0  fixed
  129, 130, 143  interrupted by SIGHUP, Ctrl-C, SIGTERM

Examples:
  replay check my.bin
  replay check --junit check.xml _traces
  git bisect run replay check my.bin"
)]
pub struct CheckArgs {
    /// A file of the current program, in place of the one that is found; may be repeated
    #[arg(long, value_name = "FILE")]
    pub program: Vec<PathBuf>,
    /// Run no code of the project to compile it: what cannot be read without that is as recorded, or there is no verdict
    #[arg(long)]
    pub no_compile: bool,
    /// Define a macro in the program as it is now. The macros of the recording are defined too; one of the same name is replaced
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// In which order the messages of different senders arrive at one process, where the program goes another way than recorded: `causal` (inside
    /// a node, as on BEAM) or `free`. A run that was recorded with free delivery is checked with it
    #[arg(long, value_name = "ORDER", default_value_t = system::Delivery::Causal)]
    pub delivery: system::Delivery,
    /// ok: the trace holds no failure, and none may occur now
    #[arg(long, value_name = "WHAT", value_parser = ["ok"])]
    pub expect: Option<String>,
    /// Skip a recorded choice that the current program cannot repeat, and go on with the next one
    #[arg(long)]
    pub best_effort: bool,
    /// If the failure is fixed: look for it with delays of at most so long, beyond those of the recorded run. `none` sets no limit
    #[arg(long, value_name = "TIME", default_value_t = system::StallLimit::default())]
    pub max_stall: system::StallLimit,
    /// With several traces: check N at the same time [default: one for each processor]
    #[arg(short, long, value_name = "N", value_parser = whole_number(1..=1024_usize))]
    pub jobs: Option<usize>,
    /// Write the verdicts to this file as JUnit's XML, a test for each trace
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
    #[command(flatten)]
    pub show: ShowArgs,
}

/// Limit: divergences that are shown.
const DIVERGENCES: usize = 4;
/// Limit: other failed processes that are listed.
const OTHERS: usize = 5;

/// Runs `replay check`.
///
/// # Errors
/// Of one trace: it cannot be read or is damaged; a file cannot be read; the program does not compile; the trace holds no failure. Of several:
/// a folder cannot be read.
pub fn run(args: &CheckArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, places) = args.place.several()?;
    match places[..] {
        [trace] if !trace.is_dir() && args.junit.is_none() => {
            STARTED.get_or_init(Instant::now);
            let checked = check(args, target, trace, Some(progress));
            if SAID.load(Ordering::Relaxed) && io::stderr().is_terminal() {
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
            match checked?.as_slice() {
                [checked] => {
                    out.view(checked, args.show, text)?;
                    Ok(exit_of(checked.verdict))
                }
                all => checks::of_one(args, &checks::CheckedTrace::all(trace, false, Ok(all.to_vec())), out),
            }
        }
        _ => checks::run(args, target, &places, out),
    }
}

/// Checks one trace: an answer for each of its failures that are judged.
pub(super) fn check(
    args: &CheckArgs,
    target: &str,
    trace: &Path,
    progress: Option<fn(&str)>,
) -> Result<Vec<Checked>, Error> {
    let session = open_session(trace)?;
    let options = Options {
        program: args.program.clone(),
        defined: args.defines.iter().map(|text| CompileOption::define(text)).collect(),
        expect_ok: args.expect.is_some(),
        best_effort: args.best_effort,
        delivery: args.delivery,
        target: (target != "error").then(|| target.to_owned()),
        max_stall: args.max_stall.0.unwrap_or(u64::MAX),
        time: args.time.time(),
        folders: folders(trace),
        no_compile: args.no_compile,
        compile: (!args.no_compile).then_some(compiled::modules as check::Compile),
        progress,
        ..Options::default()
    };
    check::check_all(&session, &options).map_err(|e| e.about(trace))
}

/// The folder of the trace, which was named with it; that around the traces of `tracer test`.
fn folders(trace: &Path) -> Vec<PathBuf> {
    let folder = match trace.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let real = folder.canonicalize().unwrap_or(folder);
    let around = real.parent().filter(|_| real.ends_with(log_format::kept::FOLDER));
    vec![around.map_or_else(|| real.clone(), Path::to_path_buf)]
}

/// The exit code for a verdict.
pub(super) const fn exit_of(verdict: CheckVerdict) -> Exit {
    match verdict {
        CheckVerdict::Fixed => Exit::Success,
        CheckVerdict::FixedUnlessDelayed => Exit::UnlessDelayed,
        CheckVerdict::StillFails | CheckVerdict::FailsDifferently => Exit::Different,
        CheckVerdict::Diverged | CheckVerdict::Incomplete => Exit::Undecided,
    }
}

/// The word for a verdict.
pub(super) const fn word(verdict: CheckVerdict) -> &'static str {
    match verdict {
        CheckVerdict::Fixed => "fixed",
        CheckVerdict::FixedUnlessDelayed => "fixed unless delayed",
        CheckVerdict::StillFails => "still fails",
        CheckVerdict::FailsDifferently => "fails differently",
        CheckVerdict::Diverged => "diverged",
        CheckVerdict::Incomplete => "incomplete",
    }
}

static STARTED: OnceLock<Instant> = OnceLock::new();
static SAID: AtomicBool = AtomicBool::new(false);
/// After this time, a message says what is being done.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows on standard error what takes long: on a terminal in one changing line, otherwise once.
fn progress(doing: &str) {
    let started = STARTED.get_or_init(Instant::now);
    if started.elapsed() < PATIENCE {
        return;
    }
    let terminal = io::stderr().is_terminal();
    let said = SAID.swap(true, Ordering::Relaxed);
    // If standard error is closed, there is nobody to tell.
    if terminal {
        let _ = write!(io::stderr(), "\rreplay: {doing}\x1b[K");
    } else if !said {
        let _ = writeln!(io::stderr(), "replay: this takes a while: {doing}");
    }
}

/// The exit code for an error of `check`: a program that does not compile is a commit to skip; other errors stop a bisection.
#[must_use]
pub fn exit(error: &Error) -> Exit {
    match error {
        Error::Program(_) | Error::Changed(_) => Exit::Undecided,
        Error::Sink(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        _ => Exit::CheckFailed,
    }
}

/// A recorded choice without a counterpart: the process, its place, what the record has, what was found.
fn divergence_text(divergence: &Divergence) -> String {
    let Divergence {
        pid,
        name,
        recorded,
        place,
        expected,
        message,
        found,
        withheld,
    } = divergence;
    let mut text = format!("  {pid}");
    if !name.is_empty() {
        text.push_str(&format!(" {name}"));
    }
    if !place.is_empty() {
        text.push_str(&format!(" at {place}"));
    }
    text.push_str(&format!(" (recorded as {recorded}): expected {expected}"));
    if let Some(message) = message {
        text.push_str(&format!(", {}", message.noun(true)));
    }
    text.push_str(&format!(", but {found}"));
    if !withheld.is_empty() {
        let list: Vec<String> = withheld.iter().map(|text| safe(text)).collect();
        text.push_str(&format!("; held back from {pid} meanwhile: {}", list.join(", ")));
    }
    text
}

/// The verdict with the delay that brings the failure back.
fn unless(view: &Checked) -> String {
    let Some(delay) = &view.delay else {
        return word(view.verdict).to_owned();
    };
    let name = delay.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    let place = match delay.place.as_str() {
        "" => String::new(),
        place => format!(" at {place}"),
    };
    let whose = if delay.signal { "of a signal from" } else { "of" };
    format!(
        "fixed, but a delay of {} ms {whose} {}{name}{place} brings it back",
        number(delay.ms),
        delay.pid
    )
}

/// Lines of an answer.
struct AnswerLines<'a> {
    out: &'a mut dyn Write,
    layout: &'a Layout,
    /// The trace that the answer is about, if there are several.
    of: Option<&'a str>,
}

impl AnswerLines<'_> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", wrap(text, self.layout.width))
    }

    /// What was recorded, what happens now, and with which program.
    fn heading(&mut self, view: &Checked) -> io::Result<()> {
        let paint = self.layout.paint;
        let word = match view.verdict {
            CheckVerdict::Fixed => paint.strong(word(view.verdict)),
            CheckVerdict::FixedUnlessDelayed => paint.strong(&unless(view)),
            _ => paint.bad(word(view.verdict)),
        };
        match self.of {
            None => writeln!(self.out, "{word}")?,
            Some(trace) => writeln!(self.out, "{word}: {trace}")?,
        }
        self.say(&format!("  recorded: {}", safe(&view.recorded)))?;
        self.say(&format!("  now:      {}", safe(&view.now)))?;
        let actions = view.actions;
        let program = if view.unchanged {
            format!(
                "  the program is unchanged: the same {} again",
                count(actions, "action")
            )
        } else if view.same_code {
            format!(
                "  changed: {}; the code is the same, only comments, layout or names of variables differ: the same {} again",
                view.changed.join(", "),
                count(actions, "action")
            )
        } else {
            format!(
                "  changed: {}; {} actions done",
                view.changed.join(", "),
                number(actions)
            )
        };
        self.say(&program)
    }

    /// Which messages and final states are others now.
    fn contents(&mut self, contents: &ChangedContents) -> io::Result<()> {
        if contents.compared > 0 {
            let compared = count(contents.compared, "received message");
            self.say(&match (&contents.first, &contents.receiver) {
                (Some(first), Some(receiver)) => format!(
                    "  {} of {compared} differ, the first is {first} of {receiver} (in the run by the recorded choices)",
                    number(contents.changed)
                ),
                _ => format!("  the contents of {compared} are as recorded (in the run by the recorded choices)"),
            })?;
        }
        if contents.ends == 0 {
            return Ok(());
        }
        let ended = count(contents.ends, "ended process");
        let Some(OtherEnd { pid, recorded, now }) = &contents.first_end else {
            return self.say(&format!(
                "  the final states of {ended} are as recorded (in the run by the recorded choices)"
            ));
        };
        let how = if recorded == now {
            format!("{now} as recorded, with another process dictionary")
        } else {
            format!("now {now}, recorded {recorded}")
        };
        self.say(&format!(
            "  the final states of {} of {ended} differ, the first is {pid}: {how} (in the run by the recorded choices)",
            number(contents.ends_changed)
        ))
    }

    /// What the run by the recorded choices has shown.
    fn by_choices(&mut self, view: &Checked) -> io::Result<()> {
        if view.by_choices {
            self.say("  by the recorded choices, the recorded program fails again, and this one does not")?;
        }
        Ok(())
    }

    /// What was not tried.
    fn cut(&mut self, cut: &Cut) -> io::Result<()> {
        let untried = cut.untried.join(", ");
        self.say(&format!("  not tried, or not as often as needed: {untried}"))
    }

    /// Modules that there are no more.
    fn gone(&mut self, gone: &[String]) -> io::Result<()> {
        if gone.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = gone.iter().map(|name| safe(name)).collect();
        self.say(&format!("  the project no longer has: {}", names.join(", ")))
    }

    /// What else fails.
    fn remains(&mut self, remains: &[Remaining]) -> io::Result<()> {
        remains.iter().try_for_each(|Remaining { failure, runs, of }| {
            self.say(&format!(
                "  another failure remains: {}, in {} of {}",
                safe(failure),
                number(*runs),
                count(*of, "run")
            ))
        })
    }

    /// A limit of the test itself.
    fn patience(&mut self, patience: Option<u64>) -> io::Result<()> {
        patience.map_or(Ok(()), |ms| {
            self.say(&format!(
                "  the test waits at most {} ms for a message: a longer delay fails it, with the change and without",
                number(ms)
            ))
        })
    }

    /// What would refute that it is fixed; or what makes a failing run count.
    fn refuted(&mut self, view: &Checked) -> io::Result<()> {
        let Some(stall) = view.recorded_stall_ms.map(number) else {
            return Ok(());
        };
        match view.verdict {
            CheckVerdict::StillFails | CheckVerdict::FailsDifferently => self.say(&format!(
                "  this failure counts: it needs nothing to be held up for longer than the recorded one does ({stall} ms)"
            )),
            CheckVerdict::Fixed | CheckVerdict::FixedUnlessDelayed => {
                let order = match view.delivery.as_deref() {
                    Some("free") => " --delivery free",
                    _ => "",
                };
                let test = match &view.test {
                    Some(test) => format!(" -k {}", quoted(test.as_ref())),
                    None => String::new(),
                };
                self.say(&format!(
                    "  to look further: tracer hunt{test} --max-stall {stall}ms{order}; if that finds this failure, it is not fixed"
                ))
            }
            _ => Ok(()),
        }
    }

    /// What random schedules have shown, and why they decide or cannot.
    fn schedules(&mut self, view: &Checked) -> io::Result<()> {
        if let Some(seed) = view.schedule {
            self.say(&format!(
                "  it fails under a random schedule (number {seed}), not by the recorded choices"
            ))?;
        }
        if let Some(Schedules {
            tried,
            recorded,
            recorded_fails,
        }) = view.schedules
        {
            let of_them = match recorded_fails {
                0 => "they say little: the recorded program does not fail under them either".to_owned(),
                n if recorded == tried => format!("the recorded program fails under {n} of them"),
                n => format!("the recorded program fails under {n} of {recorded}"),
            };
            let tried = count(tried, "random schedule");
            self.say(&format!("  the failure does not occur under {tried} ({of_them})"))?;
        }
        if let Some(universes) = &view.universes {
            self.universes(universes)?;
        }
        let reasons = [
            (
                view.other_order,
                "  the messages can no longer come in the recorded order: they came in another one, and the random schedules decided",
            ),
            (
                view.own_files,
                "  the program reads files that it has written itself, and the trace does not hold their order: the random schedules decided",
            ),
            (
                view.by_rates,
                "  the recorded choices do not lead this program to where the failure was: the random schedules decided",
            ),
            (
                view.no_power,
                "  so the random schedules prove nothing, and the recorded choices do not reach the recorded race:",
            ),
            (
                view.reads_outside,
                "  no random schedules were tried: the program reads files or standard input, or runs commands",
            ),
        ];
        reasons
            .iter()
            .filter(|(is_so, _)| *is_so)
            .try_for_each(|(_, text)| self.say(text))
    }

    /// What universes have shown.
    fn universes(&mut self, universes: &Universes) -> io::Result<()> {
        let visited = count(universes.visited, "universe");
        if universes.failing.is_some() {
            return self.say(&format!(
                "  it fails in one of the first {visited} of the changed program, with nothing held up for longer than when recorded"
            ));
        }
        let why = match &universes.unvisited {
            None => {
                return self.say(&format!(
                    "  none of the {visited} of the changed program fails, and these are all in which nothing is held up for longer than when recorded"
                ));
            }
            Some(Unvisited::Many) => "there are more".to_owned(),
            Some(Unvisited::Endless) => "some do not end".to_owned(),
            Some(Unvisited::Gap(what)) => format!("other results of {} are not tried", safe(what)),
            Some(Unvisited::FailsDifferently(how)) => format!("one fails in another way: {}", safe(how)),
        };
        self.say(&format!(
            "  the failure occurs in none of {visited} of the changed program; that does not decide, for {why}"
        ))
    }

    /// Waits that are longer now.
    fn timeouts(&mut self, timeouts: &[Longer]) -> io::Result<()> {
        timeouts.iter().try_for_each(|longer| {
            let (pid, place) = (&longer.pid, &longer.place);
            let (now, then) = (number(longer.now), number(longer.recorded));
            self.say(&if longer.timer {
                format!("  {pid} at {place}: the timer takes {now} ms now, {then} ms when recorded; the virtual clock decided")
            } else {
                format!("  {pid} at {place}: the timeout is {now} ms now, {then} ms when recorded; the virtual clock decided")
            })
        })
    }

    /// Recorded choices without a counterpart.
    fn divergences(&mut self, divergences: &[Divergence]) -> io::Result<()> {
        let shown = if self.layout.all {
            divergences.len()
        } else {
            DIVERGENCES
        };
        divergences
            .iter()
            .take(shown)
            .try_for_each(|divergence| self.say(&divergence_text(divergence)))?;
        if divergences.len() > shown {
            let more = count((divergences.len() - shown) as u64, "more divergence");
            writeln!(self.out, "  … {more}; --all shows them")?;
        }
        Ok(())
    }

    /// Other processes that failed when recorded.
    fn others(&mut self, others: &[String]) -> io::Result<()> {
        let Some(first) = others.first() else { return Ok(()) };
        let shown: Vec<&str> = others.iter().take(OTHERS).map(String::as_str).collect();
        let more = match others.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        self.say(&format!(
            "  other processes failed in the recorded run: {}{more}. Did you mean one of these? replay check {first} TRACE",
            shown.join(", "),
        ))
    }
}

fn text(out: &mut dyn Write, view: &Checked, layout: &Layout) -> io::Result<()> {
    answer(out, view, layout, None)
}

/// An answer as text; `of`: the trace that it is about, if there are several.
pub(super) fn answer(out: &mut dyn Write, view: &Checked, layout: &Layout, of: Option<&str>) -> io::Result<()> {
    let mut lines = AnswerLines { out, layout, of };
    lines.heading(view)?;
    if let Some(contents) = &view.contents {
        lines.contents(contents)?;
    }
    if let Some(cut) = &view.cut {
        lines.cut(cut)?;
    }
    lines.gone(&view.gone)?;
    lines.by_choices(view)?;
    lines.schedules(view)?;
    lines.remains(&view.remains)?;
    lines.patience(view.patience_ms)?;
    lines.timeouts(&view.timeouts)?;
    lines.divergences(&view.divergences)?;
    lines.refuted(view)?;
    if !view.verdict.is_fixed() {
        lines.others(&view.others)?;
    }
    Ok(())
}
