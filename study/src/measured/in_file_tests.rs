//! Campaigns whose stamps are read when they are asked for.

use crate::forms::printed;
use crate::measured::measured;
use render::results::Format;
use scenario::store::{LinesFile, read};
use std::path::Path;

#[test]
fn a_campaign_whose_stamps_stay_in_its_file_says_the_same() {
    for name in ["measure", "measure-mpich", "validate-mpi", "tune", "run"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/campaigns");
        let path = folder.join(name).join("campaign.jsonl");
        let whole = measured(&read(&path).expect("a campaign").lines).expect("a question");
        let (heads, file) = LinesFile::open(&path).expect("a campaign");
        let asked = measured(file.lines(&heads)).expect("a question");
        assert_eq!(asked, whole, "{name}");
        let forms = |all| [Format::Csv, Format::Json, Format::Table].map(|format| printed(all, format));
        assert_eq!(forms(&asked), forms(&whole));
    }
}
