//! Steps a session: forward to the failure of a trace with only its causes, two steps back, and five steps forward again.
//!
//! `cargo run -p retell-session --example step -- fixtures/traces/1.0/crashed.trace`

use std::path::Path;

use session::{Error, Pid, Player, Session, Target};

fn main() -> Result<(), Error> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/traces/1.0/crashed.trace");
    let path = std::env::args().nth(1).unwrap_or_else(|| golden.to_owned());
    let session = Session::open(Path::new(&path))?;
    let mut player = session.player()?;

    let pid = player.go_to(Target::Error)?.pid;
    show(&player, pid, "at the failure")?;

    let moved = player.back(pid, 2)?;
    for stretch in &moved.undone {
        println!("undone: {stretch}");
    }
    show(&player, pid, "two steps before it")?;

    player.step(pid, 5)?;
    show(&player, pid, "five steps on")
}

/// Prints where a process stands, and its variables.
fn show(player: &Player, pid: Pid, when: &str) -> Result<(), Error> {
    let process = player.process(pid)?;
    println!(
        "{when}: {pid} {}, {} of {} actions done",
        process.state, process.done, process.of
    );
    if let Some(place) = process.place {
        println!("  {}:{} {}", place.file, place.line, place.function);
    }
    for variable in player.variables(pid) {
        println!("    {variable}");
    }
    Ok(())
}
