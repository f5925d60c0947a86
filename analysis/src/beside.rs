//! Pages of campaigns with the noise that was recorded beside them.

use crate::noise::beside;
use render::page::Page;
use std::path::{Path, PathBuf};

/// A campaign's page in its folder, with the words on its noise.
pub struct Told {
    /// Path of the page.
    pub page: PathBuf,
    /// Text on the recorded noise, for readers; empty where none was recorded.
    pub noise: String,
}

/// Writes a campaign's page into its folder, with the noise that was recorded beside it.
pub(crate) fn with_noise(mut page: Page, folder: &Path) -> anyhow::Result<Told> {
    let (section, text) = beside(folder).unzip();
    page.sections.extend(section);
    Ok(Told { page: page.write(folder)?, noise: text.unwrap_or_default() })
}
