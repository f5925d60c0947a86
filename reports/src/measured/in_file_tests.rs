//! Campaigns whose stamps are read when they are asked for.

use crate::measured::{csv, details, measured};
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
        assert_eq!((csv(&asked), details(&asked, 160, false)), (csv(&whole), details(&whole, 160, false)));
    }
}
