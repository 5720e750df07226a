//! Writing the index behind the outcome.
use super::{Directory, Page};
use crate::error::Result;
use crate::section::{SECTION_HEADER, SectionKind, put_section};

/// Appends pages, directory and end to `out`, which begins at `position` of the file once it is written.
pub(crate) fn put_index(out: &mut Vec<u8>, position: u64, directory: &mut Directory, pages: &[Page]) -> Result<()> {
    let start = out.len() as u64;
    let place = |out: &Vec<u8>| position + (out.len() as u64 - start);
    directory.pages.clear();
    directory.page_bytes = 0;
    for page in pages {
        directory.pages.push((page.first_pid, page.first_base, place(out)));
        directory.page_bytes += SECTION_HEADER + page.bytes.len() as u64;
        put_section(out, SectionKind::Index, &page.bytes)?;
    }
    let at = place(out);
    put_section(out, SectionKind::Directory, &directory.to_bytes())?;
    let length = place(out) + SECTION_HEADER + 16;
    let mut end = at.to_le_bytes().to_vec();
    end.extend_from_slice(&length.to_le_bytes());
    put_section(out, SectionKind::End, &end)
}
