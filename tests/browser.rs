//! The report in a real browser: it opens without a network, fits a phone, and prints.

mod common;

use common::chromium::browser;
use common::command::{finish, parallax, scenario};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the browser headless, without any network, on a page; returns what it printed.
fn browse(browser: &Path, folder: &Path, flags: &[String], page: &Path) -> String {
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=2000"]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.args(flags).arg(format!("file://{}", page.display()));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().expect("the browser starts");
    assert!(output.status.success(), "{flags:?}: {:?}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Width of a page's content in a frame of `width` pixels, as the browser lays it out.
fn content_width(browser: &Path, folder: &Path, page: &Path, width: u32) -> u32 {
    let framed = folder.join("framed.html");
    let html = format!(
        "<!doctype html><title>0</title><iframe id=f src='file://{}' style='width:{width}px;height:800px;border:0'></iframe>\
         <script>f.onload=()=>{{document.title='width '+f.contentDocument.documentElement.scrollWidth+' end'}}</script>",
        page.display()
    );
    std::fs::write(&framed, html).unwrap();
    let dom = browse(browser, folder, &["--allow-file-access-from-files".to_owned(), "--dump-dom".to_owned()], &framed);
    let title = dom.split("width ").nth(1).and_then(|rest| rest.split(' ').next());
    title.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no width in {dom}"))
}

#[test]
fn the_report_opens_fits_a_phone_and_prints() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("small.toml"), scenario("threads", 4, "300 us")).unwrap();
    assert_eq!(finish(parallax(&folder).args(["run", "small.toml", "--quiet"])).code, 0);
    let page = folder.path().join("results/small-001/report.html");

    let dom = browse(&browser, folder.path(), &["--dump-dom".to_owned()], &page);
    assert!(dom.contains("Does a small scenario run?"), "the question is there");
    assert!(dom.matches("<svg").count() >= 6, "timelines and plots are there: {}", dom.matches("<svg").count());
    for width in [360, 1100] {
        let content = content_width(&browser, folder.path(), &page, width);
        assert!(content <= width, "at {width} px the page is {content} px wide: something sticks out");
    }
    let pdf = folder.path().join("report.pdf");
    browse(&browser, folder.path(), &[format!("--print-to-pdf={}", pdf.display())], &page);
    let printed = std::fs::read(&pdf).unwrap();
    assert!(printed.starts_with(b"%PDF") && printed.len() > 20_000, "{} bytes", printed.len());
}
