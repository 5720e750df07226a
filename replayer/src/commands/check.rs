//! `replay check`: the failure of a trace against the program as it is now.

use std::io::{self, Write};

use crate::check::{self, Checked, Options, Schedules, Verdict};
use crate::cli::CheckArgs;
use crate::commands::Out;
use crate::error::Error;
use crate::exit::Exit;
use crate::render::text::{Layout, wrap};
use crate::session::Session;
use crate::words::{count, number, safe};

/// Other failed processes that are named.
const OTHERS: usize = 5;

/// Runs `replay check`.
///
/// # Errors
/// The trace cannot be read or is damaged; a file cannot be read; the program does not compile; the trace holds no failure.
pub fn run(args: &CheckArgs, out: &mut Out<'_>) -> Result<Exit, Error> {
    let (target, trace) = args.place.parts()?;
    let session = Session::open(trace)?;
    let options = Options {
        program: args.program.clone(),
        expect_ok: args.expect.is_some(),
        best_effort: args.best_effort,
        target: (target != "error").then(|| target.to_owned()),
    };
    let checked = check::check(&session, &options).map_err(|e| e.about(trace))?;
    out.view(&checked, args.show, text)?;
    Ok(match checked.verdict {
        Verdict::Fixed => Exit::Success,
        Verdict::StillFails | Verdict::FailsDifferently => Exit::Different,
        Verdict::Diverged | Verdict::Incomplete => Exit::Undecided,
    })
}

/// What the shell sees of an error of `check`: a program that does not compile is a commit that cannot be judged, all else stops a bisection.
#[must_use]
pub const fn exit(error: &Error) -> Exit {
    match error {
        Error::Program(_) => Exit::Undecided,
        Error::ClosedPipe => Exit::Success,
        _ => Exit::CheckFailed,
    }
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
            "  the program is the recorded one: the same {} again",
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
                "  other contents: {} of {compared}, the first of them {first} of {receiver} (by the recorded choices)",
                number(contents.changed)
            ),
            _ => format!("  the contents of {compared} are as recorded (by the recorded choices)"),
        };
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    if let Some(seed) = schedule {
        let text = format!("  not by the recorded choices, but under a random schedule (number {seed})");
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    if let Some(Schedules { tried, recorded_fails }) = schedules {
        let of_them = match recorded_fails {
            0 => "neither does the recorded program under these".to_owned(),
            n => format!("the recorded program fails under {n} of them"),
        };
        let text = format!(
            "  under {} it does not fail so ({of_them})",
            count(*tried, "random schedule")
        );
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    if *other_order {
        let text = "  the recorded order of messages cannot come about any more: they came in another one here, and the random schedules decided";
        writeln!(out, "{}", wrap(text, layout.width))?;
    }
    if *reads_outside {
        let text = "  no other schedules were tried, since the program reads files or standard input, or runs commands";
        writeln!(out, "{}", wrap(text, layout.width))?;
    }
    for longer in timeouts {
        let text = format!(
            "  {} at {} waits {} ms now, {} ms when it timed out as recorded: the clock decided",
            longer.pid,
            longer.place,
            number(longer.now),
            number(longer.recorded)
        );
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    for divergence in divergences {
        let text = format!(
            "  {} at {} (recorded as event:{}/{}): expected {}, but {}",
            divergence.pid, divergence.place, divergence.pid, divergence.action, divergence.expected, divergence.found
        );
        writeln!(out, "{}", wrap(&text, layout.width))?;
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
            "  other processes failed in the record: {}{more}; one of these is meant? replay check {} TRACE",
            shown.join(", "),
            shown[0]
        );
        writeln!(out, "{}", wrap(&text, layout.width))?;
    }
    Ok(())
}
