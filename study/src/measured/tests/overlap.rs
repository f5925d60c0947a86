//! Overlap of calls with computation.

use super::*;
use programs::observation::OverlapRecord;

#[test]
fn overlap_is_what_each_benchmark_would_print() {
    let plain = only_subject(&lines());
    assert!(
        plain.rows.iter().all(|row| row.hidden.is_empty())
            && !table(&measured(&lines()).expect("a campaign"), 100, false).contains("overlap")
    );
    let mut lines = lines();
    for line in &mut lines {
        let Line::Measured(observation) = line else { continue };
        for record in &mut observation.ranks {
            record.overlap =
                Some(OverlapRecord { pure: Span::from_us(2_000), compute: Span::from_us(2_000), tests: 0 });
        }
    }
    let subject = only_subject(&lines);
    let [osu, imb] = subject.rows[0].hidden.as_slice() else { panic!("{:?}", subject.rows[0].hidden) };
    // Both time calls after a barrier. Means over ranks take 2255.95 µs, the slowest rank 3007.45.
    assert!(near(osu.overall_us, 2_255.95) && near(imb.overall_us, 3_007.45), "{osu:?} {imb:?}");
    assert!(near(osu.percent.expect("a share"), 100.0 - 100.0 * 255.95 / 2_000.0), "{osu:?}");
    assert!(near(imb.percent.expect("a share"), 100.0 * (4_000.0 - 3_007.45) / 2_000.0), "{imb:?}");
    let all = measured(&lines).expect("a campaign");
    let (text, page, csv) = (table(&all, 100, false), all.page(), all.csv());
    assert!(text.contains("overlap, % of the call") && text.contains("  87   50"), "{text}");
    assert!(
        page.sections.iter().any(|section| section.tables.iter().any(|table| table.caption.starts_with("Overlap")))
    );
    assert!(
        csv.lines().any(|line| line.contains(",overlap,osu overall,2255.95,") && line.contains(",87.2025,")),
        "{csv}"
    );
}
