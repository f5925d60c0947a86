//! A real browser that tests drive: Chromium, headless, told what to do by its DevTools protocol over a pipe.

use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No page of a test takes longer, also beside a busy core.
const LONGEST: Duration = Duration::from_secs(90);

/// The browser, or why the test is skipped. With PARALLAX_REQUIRE_BROWSER set its absence fails.
pub fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found =
        names.iter().find_map(|name| std::env::split_paths(&folders).map(|f| f.join(name)).find(|p| p.is_file()));
    if found.is_none() {
        assert!(std::env::var_os("PARALLAX_REQUIRE_BROWSER").is_none(), "no Chromium: run scripts/setup --browser");
        eprintln!("skipped: no Chromium here (scripts/setup --browser)");
    }
    found
}

/// A page in a browser that runs.
pub struct Tab {
    child: Child,
    to: File,
    from: BufReader<File>,
    session: String,
    next: u64,
    /// What pages complained of.
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Tab {
    /// Starts a browser; nothing outside of this machine can be reached from it.
    pub fn start(browser: &Path) -> Tab {
        let profile = tempfile::tempdir().unwrap();
        let ((read_here, write_there), (read_there, write_here)) = (pipe(), pipe());
        let mut command = Command::new(browser);
        command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"]);
        command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
        command.arg("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
        command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (input, output) = (read_there.as_raw_fd(), write_there.as_raw_fd());
        // SAFETY: system calls only; the two numbers are above 4, so that neither overwrites the other.
        unsafe {
            command.pre_exec(move || match (libc::dup2(input, 3), libc::dup2(output, 4)) {
                (3, 4) => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            });
        }
        let child = command.spawn().expect("the browser starts");
        drop((read_there, write_there));
        let (to, from) = (File::from(write_here), BufReader::new(File::from(read_here)));
        let mut tab =
            Tab { child, to, from, session: String::new(), next: 0, complaints: Vec::new(), _profile: profile };
        let target = tab.send("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = tab.send("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        tab.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            tab.send(domain, json!({}));
        }
        tab
    }

    /// Sends a command and waits for its answer.
    pub fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut text = Vec::new();
            self.from.read_until(0, &mut text).expect("the browser answers");
            assert!(!text.is_empty(), "{method}: the browser has gone");
            let answer: Value = serde_json::from_slice(&text[..text.len() - 1]).unwrap();
            if answer["id"] == self.next {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            let is_complaint = answer["method"] == "Runtime.exceptionThrown"
                || answer["method"] == "Log.entryAdded" && answer["params"]["entry"]["level"] == "error";
            if is_complaint {
                self.complaints.push(answer["params"].to_string());
            }
        }
    }

    /// The size of the page's window, in px.
    pub fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.send("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// Opens an address in a page that was empty before.
    pub fn open(&mut self, address: &str) {
        self.send("Page.navigate", json!({ "url": "about:blank" }));
        self.until("location.href === 'about:blank'");
        self.send("Page.navigate", json!({ "url": address }));
    }

    /// What an expression in the page is, which may be a promise.
    pub fn value(&mut self, expression: &str) -> Value {
        self.try_value(expression).unwrap_or_else(|thrown| panic!("{expression}: {thrown}"))
    }

    fn try_value(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.send("Runtime.evaluate", asked);
        if answer["exceptionDetails"].is_null() {
            return Ok(answer["result"]["value"].clone());
        }
        Err(answer["exceptionDetails"].to_string())
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.try_value(expression).ok() != Some(Value::Bool(true)) {
            if begin.elapsed() >= LONGEST {
                let stands = self.try_value("[location.href, JSON.stringify(document.documentElement.dataset), document.getElementById('failed')?.textContent]");
                panic!("never: {expression}; {:?}; {stands:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.send("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }));
        }
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two ends of a pipe, read and write, whose numbers are not 3 or 4.
fn pipe() -> (OwnedFd, OwnedFd) {
    let (read, write) = std::io::pipe().unwrap();
    let above = |end: &dyn AsRawFd| {
        // SAFETY: duplicates a descriptor that is open, to a number of 10 or more, closed in the browser's process.
        let number = unsafe { libc::fcntl(end.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 10) };
        assert!(number >= 10, "{}", std::io::Error::last_os_error());
        // SAFETY: the number is new and nobody else's.
        unsafe { <OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(number) }
    };
    (above(&read), above(&write))
}
