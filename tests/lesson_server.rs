//! The server of the lessons: who may ask, what is refused, and what ranks measure for a page.

mod common;

use common::chromium::{Tab, browser};
use common::command::parallax;
use common::lessons::{WHOLE, commanded, compare, drawn};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A server of lessons.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &tempfile::TempDir) -> Server {
        let mut child = parallax(folder).arg("lesson").stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("Lessons: ").to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        Server { child, address }
    }

    /// Sends bytes, and returns the first line and the last of what comes back.
    fn send(&self, head: &str, body: &str) -> (String, String) {
        let port = self.address.split([':', '/']).nth(4).unwrap();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let length = body.len();
        let text = head.replace("PORT", port).replace("TOKEN", self.address.split('/').nth(3).unwrap());
        write!(stream, "{text}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let last = answer.lines().last().unwrap_or_default().to_owned();
        (answer.lines().next().unwrap_or_default().to_owned(), last)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A lesson as a server sends it; none where there is no browser.
fn open(folder: &tempfile::TempDir, lesson: &str) -> Option<(Server, Tab)> {
    let browser = browser()?;
    let server = Server::start(folder);
    let mut tab = Tab::start(&browser);
    tab.size(1280, 800);
    tab.open(&format!("{}#{lesson}", server.address));
    Some((server, tab))
}

#[test]
fn the_server_answers_its_own_page_only_and_bad_questions_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder);
    let own = "POST /TOKEN/ask HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n";
    let question = r#"{"ranks":8,"algorithm":"dissemination","set":"cm5-1993"}"#;
    let (status, answer) = server.send(own, question);
    assert!(status.contains(" 200 "), "{status}");
    let mut answer: Value = serde_json::from_str(&answer).unwrap();
    let command = answer.as_object_mut().unwrap().remove("command").unwrap();
    assert_eq!(answer, commanded(&folder, command.as_str().unwrap()));
    let long = "x".repeat(70_000);
    for (head, body, status, says) in [
        (own, "{", " 422 ", "question:"),
        (own, r#"{"ranks":2000000}"#, " 422 ", "--ranks: expected 1 to"),
        (own, r#"{"noise":["trace:/etc"]}"#, " 422 ", "files cannot be read here"),
        (own, &*long, " 413 ", "at most 65536 bytes"),
        ("POST /TOKEN/ask HTTP/1.1\r\nHost: evil.example\r\n", question, " 403 ", "the address that it printed"),
        (
            "POST /TOKEN/ask HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://evil.example\r\n",
            question,
            " 403 ",
            "its own page",
        ),
        ("POST /0000/ask HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n", question, " 404 ", "open the address"),
        ("GET /TOKEN/ask HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n", "", " 405 ", "POST"),
        ("GET /TOKEN/../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n", "", " 404 ", "nothing is here"),
        ("POST /TOKEN/measure HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n", "{}", " 422 ", "what is to be measured"),
        ("POST /TOKEN/watch HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n", r#"{"world":"cray"}"#, " 422 ", "cray"),
        (
            "POST /TOKEN/measure HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n",
            r#"{"world":"threads","operation":"bcast","algorithms":["linear"],"ranks":64,"calls":1,"methods":["loop"]}"#,
            " 422 ",
            "expected 2 to 8, found 64",
        ),
    ] {
        let (found, answer) = server.send(head, body);
        assert!(
            found.contains(status) && answer.contains(says),
            "{head}{}: {found}: {answer}",
            &body[..body.len().min(80)]
        );
    }
    // Interrupted, it ends without a word and leaves nothing.
    // SAFETY: a signal to our own child.
    unsafe { libc::kill(server.child.id() as i32, libc::SIGINT) };
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_threads_measure_is_drawn_beside_what_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_server, mut tab)) = open(&folder, "loop") else { return };
    tab.until(WHOLE);
    compare(&mut tab, &folder);
    tab.value("document.querySelector('#live button[data-world=threads]').click()");
    tab.until("/rounds of 2 cases/.test(document.querySelector('#live p[aria-live]').textContent)");
    let samples = tab.value("page.live.samples.map(({ method, rank, us }) => [method, rank, us])");
    let samples = samples.as_array().unwrap();
    let of = |method: &str, rank: u64| {
        let own = samples.iter().filter(|one| one[0] == method && one[1] == rank);
        let mut us: Vec<f64> = own.map(|one| one[2].as_f64().unwrap()).collect();
        us.sort_by(f64::total_cmp);
        us
    };
    // The emulated network holds messages of 100 µs back until they are due, on however busy a machine. A rank that is late in a loop
    // finds messages that came before it, so that a few of its numbers are nearly nothing. No window may have been valid.
    let (looped, windows) = (of("loop", 1), of("window", 1));
    assert!(looped.get(looped.len() / 2).is_some_and(|us| *us > 100.0), "{samples:?}");
    assert!(windows.first().is_none_or(|us| *us > 95.0), "{samples:?}");
    drawn(&mut tab);
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn a_lesson_keeps_its_point_on_the_network_that_threads_emulate() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_server, mut tab)) = open(&folder, "barrier-skew") else { return };
    tab.until(WHOLE);
    let sentence = "document.getElementById('sentence').textContent.replaceAll('\\u00a0', ' ')";
    let tells = |tab: &mut Tab, words: &str| tab.until(&format!("{sentence}.includes('{words}') && {WHOLE}"));
    tells(&mut tab, "leaves the tree barrier 11.7 µs after the first");
    let about = tab.value("document.querySelector('#live p').textContent");
    assert!(about.as_str().is_some_and(|words| words.contains("300 µs in place of 11.7 µs")), "{about}");
    tab.value("document.querySelector('#live button[data-world=threads]').click()");
    tells(&mut tab, "leaves the tree barrier 300 µs after the first");
    compare(&mut tab, &folder);
    // A tree's last rank hears through six messages, all of them held back, on however busy a machine.
    tab.until("page.live.samples.some(({ algorithm, rank }) => algorithm === 'tree' && rank === 7)");
    let last = tab.value("page.live.samples.find(({ algorithm, rank }) => algorithm === 'tree' && rank === 7).us");
    assert!(last.as_f64().unwrap() > 595.0, "{last}");
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}

#[test]
fn what_takes_the_cpus_is_drawn_while_ranks_record() {
    let folder = tempfile::tempdir().unwrap();
    let Some((_server, mut tab)) = open(&folder, "noise") else { return };
    tab.until("document.querySelector('#live button[data-world=threads]') !== null");
    tab.value("document.querySelector('#live button[data-world=threads]').click()");
    tab.until("page.live.looks.length > 3 && !document.querySelector('#live canvas').hidden");
    tab.until("/lost .* of .* s in [0-9]+ detours/.test(document.querySelector('#live p[aria-live]').textContent)");
    let looks = tab.value("page.live.looks");
    let looks = looks.as_array().unwrap();
    let number = |of: &Value, key: &str| of[key].as_f64().unwrap();
    assert!(looks.windows(2).all(|pair| number(&pair[0], "at_s") < number(&pair[1], "at_s")), "{looks:?}");
    let ranks = looks.iter().flat_map(|look| look["ranks"].as_array().unwrap());
    // A rank loses no more than its CPU, but is told of a detour at its end, some time after its begin.
    assert!(ranks.clone().all(|rank| (0.0..100.0).contains(&number(rank, "share"))), "{looks:?}");
    assert!(ranks.map(|rank| number(rank, "detours")).sum::<f64>() > 0.0, "no system is free of noise: {looks:?}");
    assert!(tab.complaints.is_empty(), "{:?}", tab.complaints);
}
