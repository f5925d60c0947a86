//! The relay between hosts: reads their frames, holds each for the delay, and writes it on.

use crate::options::{Near, Rate};
use crate::switch::Switch;
use models::time::Span;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{read, write};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;

/// Number of frames read from one host before the others' turn.
const IN_A_ROW: usize = 64;

/// Link of the network that this was made in. Frames that its host sends are read here.
pub(crate) struct Tap(File);

/// Part of `struct ifreq` that TUNSETIFF reads.
#[repr(C)]
struct Request {
    name: [u8; libc::IFNAMSIZ],
    flags: libc::c_short,
    _rest: [u8; 22],
}

impl Tap {
    /// Makes the link, which goes when this is dropped.
    ///
    /// # Errors
    ///
    /// Fails if there is no such device, or no right to it.
    pub(crate) fn make(name: &str) -> io::Result<Tap> {
        let file = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open("/dev/net/tun")?;
        let mut request = Request {
            name: [0; libc::IFNAMSIZ],
            flags: (libc::IFF_TAP | libc::IFF_NO_PI) as libc::c_short,
            _rest: [0; 22],
        };
        request.name[..name.len()].copy_from_slice(name.as_bytes());
        // SAFETY: the request is as large as the kernel's and outlives the call.
        let done = unsafe { libc::ioctl(file.as_raw_fd(), libc::TUNSETIFF, &raw const request) };
        if done < 0 { Err(io::Error::last_os_error()) } else { Ok(Tap(file)) }
    }
}

/// Passes frames on until the process is ended.
pub(crate) fn run(taps: &[Tap], delay: Span, near: Option<Near>, rate: Option<Rate>) -> ! {
    come_first();
    let mut switch = Switch::new(taps.len(), delay, near, rate);
    let mut frame = vec![0; 1 << 16];
    let mut told = 0;
    loop {
        wait(taps, switch.next_due());
        for (from, tap) in taps.iter().enumerate() {
            for _ in 0..IN_A_ROW {
                match read(&tap.0, &mut frame) {
                    Ok(length) => switch.take(from, &frame[..length], now_ns()),
                    Err(_) => break,
                }
            }
        }
        while let Some((to, frame)) = switch.give(now_ns()) {
            if write(&taps[to].0, &frame) == Err(Errno::EAGAIN) {
                switch.dropped += 1;
            }
        }
        if switch.dropped > 0 && told == 0 {
            told = switch.dropped;
            eprintln!("netlab: the relay drops frames: hosts send faster than it can pass on; give a --rate");
        }
    }
}

/// Waits until a host has sent something or a frame is due.
fn wait(taps: &[Tap], due: Option<u64>) {
    let mut descriptors: Vec<_> = taps.iter().map(|tap| PollFd::new(tap.0.as_fd(), PollFlags::POLLIN)).collect();
    let left = due.map(|due| TimeSpec::from_duration(Duration::from_nanos(due.saturating_sub(now_ns()))));
    let _ = ppoll(&mut descriptors, left, None);
}

fn now_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, |now| now.tv_sec() as u64 * 1_000_000_000 + now.tv_nsec() as u64)
}

/// Lets the relay run before ranks that spin, and be woken exactly.
fn come_first() {
    let first = libc::sched_param { sched_priority: 10 };
    // SAFETY: plain system calls on this process; without the right to it the relay is merely less punctual.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const first);
        libc::prctl(libc::PR_SET_TIMERSLACK, 1usize);
    }
}
