//! The server itself: a thread that listens, and one for each request.

use super::door::{Caller, Refusal, admit, token};
use super::{measuring, watching};
use anyhow::Context;
use campaign::launch::Site;
use campaign::{interrupted, notice_interrupts};
use lessons::site::{LESSONS, Simulator, page};
use scenario::BadInput;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// Largest length of a question in bytes, above that of every lesson.
const LONGEST_BODY: u64 = 64 << 10;
/// Largest number of requests at a time: enough for a class, and a bound on the threads.
const MOST_AT_ONCE: usize = 32;
/// Interval at which interruptions are noticed.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A server that listens.
pub struct Lessons {
    server: Server,
    shared: Arc<Shared>,
}

struct Shared {
    port: u16,
    token: String,
    page: String,
    site: Site,
    /// Lock of the request that measures: one at a time.
    measuring: Mutex<()>,
    under_way: AtomicUsize,
}

/// Listens on a port of this machine, 0 for a free one; `worlds` lists the worlds in which it measures.
///
/// # Errors
/// Fails on a port that is taken.
pub fn serve(port: u16, worlds: &[(String, String)], site: &Site) -> anyhow::Result<Lessons> {
    let server = Server::http(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let server =
        server.map_err(|error| BadInput(format!("--port {port}: {error}; expected a free port, or 0 for any")))?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    let token = token().context("no random numbers from /dev/urandom")?;
    let page = page(&LESSONS, Simulator::Server { base: &format!("/{token}/"), worlds });
    let shared =
        Shared { port, token, page, site: site.clone(), measuring: Mutex::new(()), under_way: AtomicUsize::new(0) };
    Ok(Lessons { server, shared: Arc::new(shared) })
}

impl Lessons {
    /// Returns the address of a lesson's page, of the first lesson without a name.
    pub fn address(&self, lesson: Option<&str>) -> String {
        let Shared { port, token, .. } = &*self.shared;
        let place = lesson.map(|lesson| format!("#{lesson}")).unwrap_or_default();
        format!("http://127.0.0.1:{port}/{token}/{place}")
    }

    /// Answers requests until it is interrupted.
    ///
    /// # Errors
    /// Fails where the system does.
    pub fn run(self) -> anyhow::Result<()> {
        notice_interrupts()?;
        while !interrupted() {
            let Some(request) = self.server.recv_timeout(LOOK_EVERY)? else { continue };
            let shared = self.shared.clone();
            if shared.under_way.fetch_add(1, Ordering::Relaxed) >= MOST_AT_ONCE {
                shared.under_way.fetch_sub(1, Ordering::Relaxed);
                refuse(request, (503, "too many questions at once; ask again in a moment".to_owned()));
                continue;
            }
            let seat = Seat(shared);
            // If no thread can be started, the seat is freed together with its request.
            let _ = std::thread::Builder::new().spawn(move || seat.0.handle_request(request));
        }
        Ok(())
    }
}

/// A place among the requests that are answered at a time, freed when it is dropped, also by a panic.
struct Seat(Arc<Shared>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Shared {
    fn handle_request(&self, mut request: Request) {
        let of = |name: &'static str| {
            request
                .headers()
                .iter()
                .find(|header| header.field.equiv(name))
                .map(|header| header.value.as_str().to_owned())
        };
        let (host, origin, path) = (of("Host"), of("Origin"), request.url().to_owned());
        let caller = Caller { path: &path, host: host.as_deref(), origin: origin.as_deref() };
        let what = match admit(caller, self.port, &self.token) {
            Ok(what) => what.to_owned(),
            Err(refusal) => return refuse(request, refusal),
        };
        match (request.method(), what.as_str()) {
            (Method::Get, "" | "index.html") => send(request, 200, "text/html; charset=utf-8", self.page.clone()),
            (Method::Post, "ask") => match body(&mut request).and_then(|question| ask(&question)) {
                Ok(answer) => send(request, 200, "application/json", answer),
                Err(refusal) => refuse(request, refusal),
            },
            (Method::Post, "measure") => self.live(request, measuring::Wish::ready, measuring::Ready::measure_ranks),
            (Method::Post, "watch") => self.live(request, watching::Wish::ready, watching::Ready::watch_ranks),
            (_, "" | "index.html" | "ask" | "measure" | "watch") => {
                refuse(request, (405, "expected GET of the page, POST of a question".to_owned()));
            }
            _ => refuse(request, (404, "nothing is here".to_owned())),
        }
    }

    /// Has real ranks carry out a page's request and sends their numbers as they come, for one page at a time.
    fn live<Wish: DeserializeOwned, Ready>(
        &self,
        mut request: Request,
        ready: impl FnOnce(&Wish, &Site) -> Result<Ready, BadInput>,
        work: impl FnOnce(Ready, &mut dyn FnMut(Value) -> bool) -> anyhow::Result<String>,
    ) {
        let wish = body(&mut request).and_then(|wish| read::<Wish>(&wish));
        let ready = wish.and_then(|wish| ready(&wish, &self.site).map_err(|error| (422, error.to_string())));
        let ready = match ready {
            Ok(ready) => ready,
            Err(refusal) => return refuse(request, refusal),
        };
        let _one = match self.measuring.try_lock() {
            Ok(one) => one,
            Err(TryLockError::Poisoned(one)) => one.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return refuse(
                    request,
                    (409, "somebody else measures here now; ask again in a few seconds".to_owned()),
                );
            }
        };
        let mut page = Stream { to: request.into_writer() };
        if page.begin().is_err() {
            return;
        }
        // A page that has gone is noticed at the next number.
        let mut tell = |event: Value| page.send_event(&event).is_ok();
        let done = work(ready, &mut tell).unwrap_or_else(|error| format!("{error:#}"));
        tell(json!({ "done": done }));
        // A page that has gone does not receive the end.
        let _ = page.end();
    }
}

/// An answer that is sent in pieces: server-sent events, each in a chunk of its own.
struct Stream {
    to: Box<dyn Write + Send>,
}

impl Stream {
    fn begin(&mut self) -> std::io::Result<()> {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                    Transfer-Encoding: chunked\r\n\r\n";
        self.to.write_all(head.as_bytes())
    }

    fn send_event(&mut self, event: &Value) -> std::io::Result<()> {
        let text = format!("data: {event}\n\n");
        write!(self.to, "{:x}\r\n{text}\r\n", text.len())?;
        self.to.flush()
    }

    fn end(&mut self) -> std::io::Result<()> {
        self.to.write_all(b"0\r\n\r\n")?;
        self.to.flush()
    }
}

/// Reads the question in a request's body.
fn body(request: &mut Request) -> Result<String, Refusal> {
    let mut text = Vec::new();
    let read = request.as_reader().take(LONGEST_BODY + 1).read_to_end(&mut text);
    read.map_err(|error| (400, format!("the question broke off: {error}")))?;
    if text.len() as u64 > LONGEST_BODY {
        return Err((413, format!("a question has at most {LONGEST_BODY} bytes")));
    }
    String::from_utf8(text).map_err(|_| (400, "a question is text".to_owned()))
}

/// Returns the simulator's answer. A question that makes it panic ends with its request.
fn ask(question: &str) -> Result<String, Refusal> {
    let asked = std::panic::catch_unwind(|| lessons::ask(question));
    let answer =
        asked.map_err(|_| (500, "the simulator failed on this question: this is a mistake of parallax".to_owned()))?;
    answer.map_err(|message| (422, message))
}

fn read<Wish: DeserializeOwned>(wish: &str) -> Result<Wish, Refusal> {
    serde_json::from_str(wish).map_err(|error| (422, format!("what is to be measured: {error}")))
}

fn refuse(request: Request, (status, words): Refusal) {
    send(request, status, "text/plain; charset=utf-8", words);
}

fn send(request: Request, status: u16, kind: &str, text: String) {
    let header = |name: &str, value: &str| Header::from_bytes(name, value).expect("a header of plain letters");
    let response = Response::from_string(text)
        .with_status_code(status)
        .with_header(header("Content-Type", kind))
        .with_header(header("Cache-Control", "no-store"))
        .with_header(header("X-Content-Type-Options", "nosniff"))
        .with_header(header("Referrer-Policy", "no-referrer"));
    // The client may have gone.
    let _ = request.respond(response);
}
