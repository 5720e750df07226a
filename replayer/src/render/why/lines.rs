//! The answer to `why` as lines without a width, for a page that lays them out itself.

use super::beside::{failed, instead, never, overtaken, required, unseen};
use super::link::link;
use super::waits::{gave_up, waits};
use super::{heading, sentence, title_with};
use crate::paint::Paint;
use crate::render::text::Layout;
use ::why::story::Why;
use report::Words;
use std::io;

/// Writes a paragraph.
type Paragraph<'a> = &'a dyn Fn(&mut Vec<u8>) -> io::Result<()>;

/// The answer in words, and what happened in a line.
///
/// # Errors
/// None: memory can be written.
pub fn lines(view: &Why) -> io::Result<(String, Words)> {
    let layout = Layout {
        paint: Paint::off(),
        width: usize::from(u16::MAX),
        all: false,
    };
    let made = |make: Paragraph<'_>| -> io::Result<Vec<String>> {
        let mut text = Vec::new();
        make(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().map(|line| of_page(line.trim()));
        Ok(lines.filter(|line| !line.is_empty()).collect())
    };
    let lead = heading(view).into_iter();
    let mut lead: Vec<(String, String)> = lead.map(|one| (one.title.to_owned(), of_page(&one.text))).collect();
    if let Some(stall) = &view.stall {
        lead.push(("Stall".to_owned(), format!("{}.", stall.text)));
        lead.extend(
            stall
                .delivery
                .iter()
                .map(|text| ("Delivery".to_owned(), format!("{text}."))),
        );
    }
    let step = |one| {
        let mut lines = made(&|out| link(out, 1, one, &layout))?;
        if let Some(first) = lines.first_mut() {
            *first = first.trim_start_matches("1. ").to_owned();
        }
        Ok(lines)
    };
    let steps = view.links.iter().map(step).collect::<io::Result<_>>()?;
    let paragraphs: [Paragraph<'_>; 9] = [
        &|out| waits(out, view, &layout),
        &|out| unseen(out, view, true, &layout),
        &|out| gave_up(out, view, true, &layout),
        &|out| unseen(out, view, false, &layout),
        &|out| gave_up(out, view, false, &layout),
        &|out| overtaken(out, view, &layout),
        &|out| failed(out, view, &layout),
        &|out| never(out, view, &layout),
        &|out| required(out, view, &layout),
    ];
    let mut beside = Vec::new();
    for paragraph in paragraphs {
        let mut lines = made(paragraph)?.into_iter();
        if let Some(title) = lines.next() {
            beside.push((title.trim_end_matches(':').to_owned(), lines.collect()));
        }
    }
    // Told apart from the others: each of these is a race of the picture.
    let races = made(&|out| instead(out, view, &layout))?;
    if let Some((title, lines)) = races.split_first() {
        beside.push((title.trim_end_matches(':').to_owned(), lines.to_vec()));
    }
    let mut notes: Vec<String> = view.notes.iter().map(|note| of_page(&sentence(note))).collect();
    if view.cut {
        notes.push("There are more steps before these; `replay why --all` shows them.".to_owned());
    }
    let words = Words {
        lead,
        steps,
        beside,
        notes,
    };
    // The page does not begin with the target: a test is named in any case.
    Ok((title_with(view, true), words))
}

/// A page is no terminal: what it tells to type is a whole command.
fn of_page(line: &str) -> String {
    line.replace("; --all shows them", "; `replay why --all` shows them")
        .replace("--flips was reached", "the limit of `replay why --flips` was reached")
        .replace("; with --time, the answer", "; with `replay why --time`, the answer")
}
