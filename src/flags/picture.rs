//! Layout of picture files, as a flag of every command that draws.

use render::plots::{Form, Paper};
use scenario::BadInput;
use std::path::{Path, PathBuf};

/// How files of pictures are laid out.
#[derive(clap::Args, Clone)]
pub struct PictureFlags {
    /// Layout of the picture for papers, like width=84mm,font=8pt,title=no; dpi=300 is for .png. Keys may be left out
    /// [default: the picture's own width, with a title]
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = str::parse::<Paper>)]
    picture: Option<Paper>,
}

impl PictureFlags {
    /// Returns the layout for those of these files that are pictures.
    ///
    /// # Errors
    /// Fails for a layout without a picture, and for a layout with a format, which the files' names determine.
    pub fn paper(&self, files: &[&Option<PathBuf>]) -> Result<Paper, BadInput> {
        let Some(paper) = self.picture else { return Ok(Paper::default()) };
        if paper.form.is_some() {
            let message = "--picture: the ending of the file's name says the format; leave format out";
            return Err(BadInput(message.to_owned()));
        }
        if files.iter().any(|file| file.as_deref().is_some_and(is_picture)) {
            return Ok(paper);
        }
        let message = "--picture: no picture is written; expected a file whose name ends in .svg, .pdf or .png";
        Err(BadInput(message.to_owned()))
    }
}

fn is_picture(path: &Path) -> bool {
    Form::find(&path.extension().unwrap_or_default().to_string_lossy().to_lowercase()).is_ok()
}
