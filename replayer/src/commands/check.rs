//! `replay check`: the failure of a trace against the program as it is now.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::CheckArgs;
use crate::commands::{Out, open_session};
use crate::exit::Exit;
use crate::render::text::{Layout, wrap};
use crate::words::{count, number, safe};
use ::check::drive::Divergence;
use ::check::received::OtherEnd;
use ::check::{self, Checked, Options, Schedules, Verdict};
use ::why::routine::speech;
use session::error::Error;

/// Divergences that are told.
const DIVERGENCES: usize = 4;
/// Other failed processes that are named.
const OTHERS: usize = 5;

/// Runs `replay check`.
///
/// # Errors
/// The trace cannot be read or is damaged; a file cannot be read; the program does not compile; the trace holds no failure.
pub fn run(args: &CheckArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, trace) = args.place.parts()?;
    let session = open_session(trace)?;
    let options = Options {
        program: args.program.clone(),
        expect_ok: args.expect.is_some(),
        best_effort: args.best_effort,
        target: (target != "error").then(|| target.to_owned()),
        progress: Some(progress),
    };
    STARTED.get_or_init(Instant::now);
    let checked = check::check(&session, &options).map_err(|e| e.about(trace));
    if SAID.load(Ordering::Relaxed) && io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let checked = checked?;
    out.view(&checked, args.show, text)?;
    Ok(match checked.verdict {
        Verdict::Fixed => Exit::Success,
        Verdict::StillFails | Verdict::FailsDifferently => Exit::Different,
        Verdict::Diverged | Verdict::Incomplete => Exit::Undecided,
    })
}

static STARTED: OnceLock<Instant> = OnceLock::new();
static SAID: AtomicBool = AtomicBool::new(false);
/// After so long it is said what is being done.
const PATIENCE: Duration = Duration::from_secs(1);

/// Says on standard error what takes long: on a terminal in a line that changes, else once.
fn progress(doing: &str) {
    let started = STARTED.get_or_init(Instant::now);
    if started.elapsed() < PATIENCE {
        return;
    }
    let terminal = io::stderr().is_terminal();
    let said = SAID.swap(true, Ordering::Relaxed);
    // If standard error is gone nobody wants to know.
    if terminal {
        let _ = write!(io::stderr(), "\rreplay: {doing}\x1b[K");
    } else if !said {
        let _ = writeln!(io::stderr(), "replay: this takes a while: {doing}");
    }
}

/// What the shell sees of an error of `check`: a program that does not compile is a commit that cannot be judged, all else stops a bisection.
#[must_use]
pub fn exit(error: &Error) -> Exit {
    match error {
        Error::Program(_) | Error::Changed(_) => Exit::Undecided,
        Error::Sink(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        _ => Exit::CheckFailed,
    }
}

/// Which recorded choice has no counterpart: who, where, what the record has, what is there.
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
        text.push_str(&format!(", {}", speech(message, true).noun()));
    }
    text.push_str(&format!(", but {found}"));
    if !withheld.is_empty() {
        let list: Vec<String> = withheld.iter().map(|text| safe(text)).collect();
        text.push_str(&format!("; held back from {pid} meanwhile: {}", list.join(", ")));
    }
    text
}

fn text(out: &mut dyn Write, view: &Checked, layout: &Layout) -> io::Result<()> {
    let Checked {
        verdict,
        recorded,
        now,
        unchanged,
        changed,
        divergences,
        timeouts,
        schedule,
        schedules,
        other_order,
        own_files,
        no_power,
        reads_outside,
        others,
        contents,
        actions,
    } = view;
    let paint = layout.paint;
    let word = match verdict {
        Verdict::Fixed => paint.strong("fixed"),
        Verdict::StillFails => paint.bad("still fails"),
        Verdict::FailsDifferently => paint.bad("fails differently"),
        Verdict::Diverged => paint.bad("diverged"),
        Verdict::Incomplete => paint.bad("incomplete"),
    };
    writeln!(out, "{word}")?;
    writeln!(
        out,
        "{}",
        wrap(&format!("  recorded: {}", safe(recorded)), layout.width)
    )?;
    writeln!(out, "{}", wrap(&format!("  now:      {}", safe(now)), layout.width))?;
    if *unchanged {
        writeln!(
            out,
            "  the program is unchanged: the same {} again",
            count(*actions, "action")
        )?;
    } else {
        writeln!(
            out,
            "  changed: {}; {} actions done",
            changed.join(", "),
            number(*actions)
        )?;
    }
    if let Some(contents) = contents {
        let compared = count(contents.compared, "received message");
        let text = match (&contents.first, &contents.receiver) {
            (Some(first), Some(receiver)) => format!(
                "  {} of {compared} differ, the first is {first} of {receiver} (in the run by the recorded choices)",
                number(contents.changed)
            ),
            _ => format!("  the contents of {compared} are as recorded (in the run by the recorded choices)"),
        };
        if contents.compared > 0 {
            writeln!(out, "{}", wrap(&text, layout.width))?;
        }
        let ended = count(contents.ends, "ended process");
        let text = match &contents.first_end {
            Some(OtherEnd { pid, recorded, now }) => {
                let how = match recorded == now {
                    true => format!("{now} as recorded, with another process dictionary"),
                    false => format!("now {now}, recorded {recorded}"),
                };
                format!(
                    "  the final states of {} of {ended} differ, the first is {pid}: {how} (in the run by the recorded choices)",
                    number(contents.ends_changed)
                )
            }
            None => format!("  the final states of {ended} are as recorded (in the run by the recorded choices)"),
        };
        if contents.ends > 0 {
            writeln!(out, "{}", wrap(&text, layout.width))?;
        }
    }
    if let Some(seed) = schedule {
        let text = format!("  it fails under a random schedule (number {seed}), not by the recorded choices");
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    if let Some(Schedules {
        tried,
        recorded,
        recorded_fails,
    }) = schedules
    {
        let of_them = match recorded_fails {
            0 => "nor does it in the recorded program".to_owned(),
            n if recorded == tried => format!("the recorded program fails under {n} of them"),
            n => format!("the recorded program fails under {n} of {recorded}"),
        };
        let text = format!(
            "  the failure does not occur under {} ({of_them})",
            count(*tried, "random schedule")
        );
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    if *other_order {
        let text = "  the messages can no longer come in the recorded order: they came in another one, and the random schedules decided";
        writeln!(out, "{}", wrap(text, layout.width))?;
    }
    if *own_files {
        let text = "  the program reads files that it has written itself, and the trace does not hold their order: the random schedules decided";
        writeln!(out, "{}", wrap(text, layout.width))?;
    }
    if *no_power {
        let text = "  so the random schedules prove nothing, and the recorded choices do not reach the recorded race:";
        writeln!(out, "{}", wrap(text, layout.width))?;
    }
    if *reads_outside {
        let text = "  no random schedules were tried: the program reads files or standard input, or runs commands";
        writeln!(out, "{}", wrap(text, layout.width))?;
    }
    for longer in timeouts {
        let (pid, place) = (&longer.pid, &longer.place);
        let (now, then) = (number(longer.now), number(longer.recorded));
        let text = if longer.timer {
            format!(
                "  {pid} at {place}: the timer takes {now} ms now, {then} ms when recorded; the virtual clock decided"
            )
        } else {
            format!(
                "  {pid} at {place}: the timeout is {now} ms now, {then} ms when recorded; the virtual clock decided"
            )
        };
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    let shown = if layout.all { divergences.len() } else { DIVERGENCES };
    for divergence in divergences.iter().take(shown) {
        writeln!(out, "{}", wrap(&divergence_text(divergence), layout.width))?;
    }
    if divergences.len() > shown {
        let more = count((divergences.len() - shown) as u64, "more divergence");
        writeln!(out, "  … {more}; --all shows them")?;
    }
    if !others.is_empty() && *verdict != Verdict::Fixed {
        let shown: Vec<&str> = others.iter().take(OTHERS).map(String::as_str).collect();
        let more = others.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let text = format!(
            "  other processes failed in the recorded run: {}{more}. Did you mean one of these? replay check {} TRACE",
            shown.join(", "),
            shown[0]
        );
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    Ok(())
}
