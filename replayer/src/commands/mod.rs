//! What each verb does. A command gathers a view, and writes it as text or JSON.

pub mod demo;
pub mod diff;
pub mod info;
pub mod log;
pub mod run;
pub mod slice;
pub mod verify;
pub mod why;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use log_format::Trace;
use serde::Serialize;

use crate::cli::{Format, ShowArgs};
use crate::error::Error;
use crate::paint::Paint;
use crate::render::text::Layout;

/// Where an answer goes, and how it looks.
pub struct Out<'a> {
    /// Standard output, buffered.
    pub sink: &'a mut dyn Write,
    /// Text or JSON.
    pub format: Format,
    /// Colours.
    pub paint: Paint,
    /// Columns of the terminal, if it is one.
    pub columns: Option<usize>,
}

/// Characters of a line where no terminal says otherwise.
const WIDTH: usize = 120;

impl Out<'_> {
    /// How text is laid out.
    #[must_use]
    pub fn layout(&self, show: ShowArgs) -> Layout {
        let width = show.width.map(usize::from).or(self.columns).unwrap_or(WIDTH).max(40);
        Layout {
            paint: self.paint,
            width,
            all: show.all,
        }
    }

    /// Writes a view.
    ///
    /// # Errors
    /// Those of standard output.
    pub fn view<V: Serialize>(
        &mut self,
        view: &V,
        show: ShowArgs,
        text: impl FnOnce(&mut dyn Write, &V, &Layout) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        let layout = self.layout(show);
        match self.format {
            Format::Text => text(self.sink, view, &layout)?,
            Format::Json => crate::render::json::write(self.sink, view)?,
        }
        self.sink.flush()?;
        Ok(())
    }
}

/// Opens a trace.
///
/// # Errors
/// As [`Trace::open`], with the path.
pub fn open(path: &Path) -> Result<Arc<Trace>, Error> {
    Trace::open(path)
        .map(Arc::new)
        .map_err(Error::from)
        .map_err(|e| e.about(path))
}
