//! A picture that is still to be drawn: for a page by itself, for a document as its paper sets it.

use super::paper::{Form, Paper};
use super::print;
use crate::ending::{ending, write};
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

type Draw = dyn Fn(&Paper) -> String + Send + Sync;

/// A picture that can be drawn, as SVG, on any paper. On pages, as text and in comparisons it is drawn without options.
#[derive(Clone)]
pub struct Drawing(Arc<Inner<Draw>>);

struct Inner<F: ?Sized> {
    /// The picture without options, drawn once: a page and the file beside it hold the same.
    plain: OnceLock<String>,
    draw: F,
}

impl Drawing {
    /// Returns the picture that `draw` draws; the same paper must yield the same bytes.
    pub fn new(draw: impl Fn(&Paper) -> String + Send + Sync + 'static) -> Drawing {
        Drawing(Arc::new(Inner { plain: OnceLock::new(), draw }))
    }

    /// Returns the picture as SVG.
    pub fn svg(&self, paper: &Paper) -> String {
        if *paper == Paper::default() { self.plain().to_owned() } else { (self.0.draw)(paper) }
    }

    fn plain(&self) -> &str {
        self.0.plain.get_or_init(|| (self.0.draw)(&Paper::default()))
    }

    /// Returns the content of a file of the picture.
    ///
    /// # Errors
    /// Fails where [`crate::plots::printed`] does.
    pub fn file(&self, paper: &Paper, form: Form) -> Result<Vec<u8>, String> {
        print::printed(&self.svg(paper), paper, form)
    }

    /// Writes the picture in the form of the file's ending.
    ///
    /// # Errors
    /// Fails on an ending that names no picture, where [`Drawing::file`] does, and where the system does.
    pub fn write(&self, path: &Path, paper: &Paper) -> Result<(), String> {
        let known = Form::ALL.map(|form| (form.name(), form.words(), form));
        let content =
            self.file(paper, ending(path, &known)?).map_err(|error| format!("{}: {error}", path.display()))?;
        write(path, |file| file.write_all(&content))
    }
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing::new(|_| String::new())
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.plain())
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Drawing").field(&self.plain()).finish()
    }
}

impl PartialEq for Drawing {
    fn eq(&self, other: &Drawing) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.plain() == other.plain()
    }
}

impl Serialize for Drawing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.plain())
    }
}
