//! Steps a session: forward to the failure of a trace with only its causes, two steps back, and five steps forward again.
//!
//! `cargo run -p retell-session --example step -- fixtures/traces/1.0/crashed.trace`

use std::path::Path;

use session::player::{CHECKPOINT_MEMORY, Player};
use session::shown::standing;
use session::subject::Bounds;
use session::travel::{Conditions, forward};
use session::{Error, Session};

fn main() -> Result<(), Error> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/crashed.trace");
    let path = std::env::args().nth(1).unwrap_or_else(|| golden.to_owned());
    let session = Session::open(Path::new(&path))?;
    let mut player = Player::new(&session, CHECKPOINT_MEMORY)?;

    let (pid, notes) = forward(&mut player, "error", &mut Conditions::default())?;
    for note in notes {
        println!("{note}");
    }
    show(&player, pid, "at the failure")?;

    let moved = player.step_back(pid, 2)?;
    println!("undone: {} stretches of actions", moved.undone.len());
    show(&player, pid, "two steps before it")?;

    player.step(pid, 5)?;
    show(&player, pid, "five steps on")
}

/// Prints where a process stands, and its variables.
fn show(player: &Player, pid: log_format::Pid, when: &str) -> Result<(), Error> {
    let bounds = Bounds {
        chars: 60,
        frames: 1,
        items: 5,
    };
    let Some(process) = standing(player, pid, &Default::default(), &bounds)? else {
        println!("{when}: {pid} has not been created");
        return Ok(());
    };
    println!(
        "{when}: {pid} {}, {} of {} actions done",
        process.state, process.actions, process.of_actions
    );
    for frame in &process.frames {
        let place = frame.place.as_ref();
        println!(
            "  {}",
            place.map_or_else(String::new, |p| format!("{}:{} {}", p.file, p.line, p.function))
        );
        for variable in &frame.variables {
            println!(
                "    {} = {}",
                variable.name,
                variable.value.as_deref().unwrap_or("(not kept)")
            );
        }
    }
    Ok(())
}
