//! Generator of messages to this machine itself, each answered by as many bytes.

use super::{Reached, Until, on_threads};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

models::named! {
    /// Protocol that carries messages.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Protocol {
        /// Messages over TCP connections.
        Tcp => "tcp",
        /// Messages as UDP datagrams.
        Udp => "udp",
    }
    /// The name used in flags and output.
    fn name;
    Display(name);
}

models::named! {
    /// Whether each client has a thread that answers, or one thread answers all.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Serving {
        /// A thread for each client.
        Parallel => "parallel",
        /// One thread for all clients.
        Sequential => "sequential",
    }
    /// The name used in flags and output.
    fn name;
    Display(name);
}

/// Messages to this machine, and their answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Messages {
    /// Protocol that carries the messages.
    pub protocol: Protocol,
    /// Threads that answer the messages.
    pub serving: Serving,
    /// Number of bytes in each message.
    pub bytes: u32,
    /// Messages per second of all clients together, `None` for as many as answers allow.
    pub rate_hz: Option<f64>,
    /// Number of clients that send at once.
    pub at_once: u32,
    /// Size of the sender's socket buffer in bytes, `None` for the system's choice.
    pub send_buffer: Option<u32>,
    /// Size of the receiver's socket buffer in bytes, `None` for the system's choice.
    pub receive_buffer: Option<u32>,
}

/// Interval at which a thread that waits for a message looks whether the end has come.
const PATIENCE: Duration = Duration::from_millis(100);
/// Length of the longest message that UDP carries, in bytes.
const LONGEST_DATAGRAM: u32 = 65_507;
const HERE: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);

impl Messages {
    pub(super) fn run(&self, until: &Until, reached: &Reached) -> Result<Vec<String>, String> {
        if self.protocol == Protocol::Udp && self.bytes > LONGEST_DATAGRAM {
            return Err(format!("udp carries up to {LONGEST_DATAGRAM} B, found {} B", self.bytes));
        }
        let clients = self.at_once as usize;
        let servers = if self.serving == Serving::Parallel { clients } else { 1 };
        let ended = match self.protocol {
            Protocol::Udp => self.udp(clients, servers, until, reached),
            Protocol::Tcp => self.tcp(clients, servers, until, reached),
        };
        ended.map_err(|error| format!("{}: {error}", self.protocol)).map(|()| Vec::new())
    }

    fn udp(&self, clients: usize, servers: usize, until: &Until, reached: &Reached) -> Result<(), String> {
        let socket = || -> io::Result<UdpSocket> {
            let socket = UdpSocket::bind(HERE)?;
            socket.set_read_timeout(Some(PATIENCE))?;
            self.size_buffers(&socket)?;
            Ok(socket)
        };
        let serving: Vec<UdpSocket> = (0..servers).map(|_| socket()).collect::<io::Result<_>>().map_err(text)?;
        let to: Vec<SocketAddr> = serving.iter().map(UdpSocket::local_addr).collect::<io::Result<_>>().map_err(text)?;
        on_threads(servers + clients, until, |number| {
            let mut bytes = vec![0; self.bytes.max(1) as usize];
            let Some(client) = number.checked_sub(servers) else {
                while !until.is_over() {
                    match serving[number].recv_from(&mut bytes) {
                        Ok((length, from)) => _ = serving[number].send_to(&bytes[..length], from).map_err(text)?,
                        Err(error) if waits(&error) => {}
                        Err(error) => return Err(text(error)),
                    }
                }
                return Ok(());
            };
            let own = socket().map_err(text)?;
            own.connect(to[client % servers]).map_err(text)?;
            self.exchange(until, reached, || {
                own.send(&bytes[..self.bytes as usize])?;
                own.recv(&mut bytes).map(|_| ())
            })
        })
        .map(|_| ())
    }

    fn tcp(&self, clients: usize, servers: usize, until: &Until, reached: &Reached) -> Result<(), String> {
        let listener = TcpListener::bind(HERE).map_err(text)?;
        let to = listener.local_addr().map_err(text)?;
        // Connected before anybody waits: the system holds connections that nobody has accepted yet.
        let mut pairs = Vec::new();
        for _ in 0..clients {
            let near = TcpStream::connect(to).map_err(text)?;
            let (far, _) = listener.accept().map_err(text)?;
            for stream in [&near, &far] {
                stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(PATIENCE))).map_err(text)?;
                self.size_buffers(stream).map_err(text)?;
            }
            pairs.push((near, far));
        }
        on_threads(servers + clients, until, |number| {
            let mut bytes = vec![0; self.bytes as usize];
            let Some(client) = number.checked_sub(servers) else {
                let mut mine: Vec<&TcpStream> = pairs
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| place % servers == number)
                    .map(|(_, pair)| &pair.1)
                    .collect();
                while !until.is_over() {
                    for stream in &mut mine {
                        if is_there(stream, mine_waits(servers, clients)) && whole(stream, &mut bytes, until)? {
                            stream.write_all(&bytes).map_err(text)?;
                        }
                    }
                }
                return Ok(());
            };
            let mut near = &pairs[client].0;
            self.exchange(until, reached, || {
                near.write_all(&bytes)?;
                match whole(&mut near, &mut bytes, until) {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(io::Error::from(ErrorKind::TimedOut)),
                    Err(error) => Err(io::Error::other(error)),
                }
            })
        })
        .map(|_| ())
    }

    /// Sends one message after the other, at the rate, each after the answer to the last one.
    fn exchange(
        &self,
        until: &Until,
        reached: &Reached,
        mut once: impl FnMut() -> io::Result<()>,
    ) -> Result<(), String> {
        let pause = self.rate_hz.map(|rate| Duration::from_secs_f64(f64::from(self.at_once.max(1)) / rate));
        let mut due = Instant::now();
        while !until.is_over() {
            if let Some(pause) = pause {
                until.sleep_until(due);
                reached.late_ns.fetch_add(due.elapsed().as_nanos() as u64, Relaxed);
                due = (due + pause).max(Instant::now());
            }
            let begin = Instant::now();
            match once() {
                Ok(()) => reached.add(begin.elapsed(), 2 * u64::from(self.bytes)),
                Err(_) if until.is_over() => {}
                Err(error) if waits(&error) => _ = reached.lost.fetch_add(1, Relaxed),
                Err(error) => return Err(text(error)),
            }
        }
        Ok(())
    }

    fn size_buffers(&self, socket: &impl AsRawFd) -> io::Result<()> {
        for (option, size) in [(libc::SO_SNDBUF, self.send_buffer), (libc::SO_RCVBUF, self.receive_buffer)] {
            let Some(size) = size else { continue };
            let size = size as libc::c_int;
            // SAFETY: the option is a number of this size, which the call reads.
            let failed = unsafe {
                libc::setsockopt(
                    socket.as_raw_fd(),
                    libc::SOL_SOCKET,
                    option,
                    (&raw const size).cast(),
                    size_of::<libc::c_int>() as libc::socklen_t,
                )
            };
            if failed != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}

fn text(error: io::Error) -> String {
    error.to_string()
}

/// Returns whether an error only says that nothing has come yet.
fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Time that a server waits at one connection before it looks at the next.
fn mine_waits(servers: usize, clients: usize) -> Duration {
    if servers >= clients { PATIENCE } else { Duration::from_millis(1) }
}

/// Returns whether something can be read within that time.
fn is_there(stream: &TcpStream, patience: Duration) -> bool {
    let mut wanted = libc::pollfd { fd: stream.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: one description of a file that is open, which the call reads and writes.
    unsafe { libc::poll(&raw mut wanted, 1, patience.as_millis() as libc::c_int) == 1 }
}

/// Reads a whole message. Returns false where the end came first.
fn whole(stream: &mut &TcpStream, bytes: &mut [u8], until: &Until) -> Result<bool, String> {
    let mut read = 0;
    while read < bytes.len() {
        match stream.read(&mut bytes[read..]) {
            Ok(0) => return Ok(false),
            Ok(more) => read += more,
            Err(error) if waits(&error) && until.is_over() => return Ok(false),
            Err(error) if waits(&error) => {}
            Err(error) => return Err(text(error)),
        }
    }
    Ok(true)
}
