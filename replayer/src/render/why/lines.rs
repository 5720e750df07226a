//! The answer to `why` as lines without a width, for a page that lays them out itself.

use super::beside::{failed, instead, never, overtaken, required, unseen};
use super::link;
use super::waits::{gave_up, waits};
use super::{heading, sentence, title_parts};
use crate::paint::Paint;
use crate::render::text::Layout;
use ::why::story::Why;
use report::{BesideKind, BesideWords, LeadKind, LeadWords, Title, Words};
use std::io;

/// Writes a paragraph.
type Paragraph<'a> = &'a dyn Fn(&mut Vec<u8>) -> io::Result<()>;

/// The answer in words, and what happened in a line.
///
/// # Errors
/// None: memory can be written.
pub fn lines(view: &Why) -> io::Result<(Title, Words)> {
    let layout = Layout {
        paint: Paint::off(),
        width: usize::from(u16::MAX),
        all: false,
    };
    let mut lead = heading(view);
    for one in &mut lead {
        one.text = of_page(&one.text);
    }
    if let Some(stall) = &view.stall {
        let told = |kind, title, text: &String| LeadWords {
            kind,
            title,
            text: format!("{text}."),
        };
        lead.push(told(LeadKind::Stall, "Stall", &stall.text));
        let delivery = stall.delivery.iter();
        lead.extend(delivery.map(|text| told(LeadKind::Delivery, "Delivery", text)));
    }
    let steps = view.links.iter().map(|one| link::of_page(one, &layout));
    let steps = steps.collect::<io::Result<_>>()?;
    let paragraphs: [(BesideKind, Paragraph<'_>); 10] = [
        (BesideKind::Waits, &|out| waits(out, view, &layout)),
        (BesideKind::LostUpdate, &|out| unseen(out, view, true, &layout)),
        (BesideKind::Late, &|out| gave_up(out, view, true, &layout)),
        (BesideKind::LostUpdate, &|out| unseen(out, view, false, &layout)),
        (BesideKind::Late, &|out| gave_up(out, view, false, &layout)),
        (BesideKind::Overtaken, &|out| overtaken(out, view, &layout)),
        (BesideKind::Failed, &|out| failed(out, view, &layout)),
        (BesideKind::Never, &|out| never(out, view, &layout)),
        (BesideKind::Required, &|out| required(out, view, &layout)),
        (BesideKind::Races, &|out| instead(out, view, &layout)),
    ];
    let mut beside = Vec::new();
    for (kind, paragraph) in paragraphs {
        let mut lines = made(paragraph)?.into_iter();
        if let Some(title) = lines.next() {
            beside.push(BesideWords {
                kind,
                title: title.trim_end_matches(':').to_owned(),
                lines: lines.collect(),
            });
        }
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
    Ok((title_parts(&view.opening(), true), words))
}

/// What a paragraph of the terminal says, line by line.
pub(super) fn made(make: Paragraph<'_>) -> io::Result<Vec<String>> {
    let mut text = Vec::new();
    make(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().map(|line| of_page(line.trim()));
    Ok(lines.filter(|line| !line.is_empty()).collect())
}

/// A page is no terminal: what it tells to type is a whole command.
fn of_page(line: &str) -> String {
    line.replace("; --all shows them", "; `replay why --all` shows them")
        .replace("--flips was reached", "the limit of `replay why --flips` was reached")
        .replace("; with --time, the answer", "; with `replay why --time`, the answer")
}
