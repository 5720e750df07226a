//! Activations as the program's author wants to see them.

use session::Session;
use session::subject::ShownBounds;
use session::view::ProcessView;
use session::watch::SeenAction;

/// Of a failed test, the activations of the program where the exception was raised; those of the test runner are left out.
pub(crate) fn frames_of_test(session: &Session, process: &mut ProcessView, noted: &SeenAction, bounds: &ShownBounds) {
    let variable = |v: &session::watch::SeenVariable| session::view::Variable {
        name: v.name.clone(),
        value: Some(session::words::cut(&v.value, bounds.chars)),
    };
    let own = noted.frames.iter().filter_map(|frame| {
        let place = frame
            .place
            .clone()
            .filter(|place| session.sources().owns(&place.file))?;
        Some(session::view::ShownFrame {
            source: session.sources().quote_at(&place, 1),
            place: Some(place),
            variables: frame.variables.iter().map(variable).collect(),
        })
    });
    let own: Vec<_> = own.collect();
    if !own.is_empty() {
        process.depth = own.len() as u64;
        process.frames = own;
    }
}

/// Of the activations, library functions inside the program's own are left out: the story is about the program.
pub(crate) fn own_frames_first(session: &Session, process: &mut session::view::ProcessView) {
    let own = |frame: &session::view::ShownFrame| {
        let place = frame.place.as_ref();
        place.is_some_and(|place| session.sources().owns(&place.file))
    };
    if let Some(first) = process.frames.iter().position(own) {
        process.frames.drain(..first);
        process.depth -= first as u64;
        let place = process.frames.first().and_then(|frame| frame.place.clone());
        if let (Some(place), Some(frame)) = (place, process.frames.first_mut()) {
            frame.source = session.sources().quote_at(&place, 1);
        }
    }
}

/// If only library functions are left on the stack (a behaviour caught the error), the stack trace in the reason says where it was raised.
pub(crate) fn raised_frame(
    session: &Session,
    process: &mut session::view::ProcessView,
    raised: &[session::view::SourcePlace],
) {
    let own = |place: &&session::view::SourcePlace| session.sources().owns(&place.file);
    let there = process.frames.first().and_then(|frame| frame.place.as_ref());
    if there.as_ref().is_some_and(own) {
        return;
    }
    let Some(place) = raised.iter().find(own) else { return };
    let frame = session::view::ShownFrame {
        source: session.sources().quote_at(place, 1),
        place: Some(place.clone()),
        variables: Vec::new(),
    };
    process.frames.insert(0, frame);
    process.depth += 1;
}

/// Shows the name and arguments of a library function, but not its source, and nothing of functions that only start or end a process.
pub(crate) fn without_library_source(session: &Session, process: &mut session::view::ProcessView) {
    let Some(frame) = process.frames.first_mut() else {
        return;
    };
    let Some(place) = &frame.place else { return };
    if session.sources().owns(&place.file) {
        return;
    }
    frame.source.clear();
    if place.function.module.as_str() == "proc_lib" {
        frame.variables.clear();
    }
}
