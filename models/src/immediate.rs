//! Execution of rank code that never suspends: one poll yields the result.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Returns the result of a future whose every await is ready at once, like those of all real ranks, and of a handle
/// that stands for all simulated ranks.
///
/// # Panics
/// If the future suspends: only single simulated ranks may.
pub fn immediately<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => unreachable!("only single simulated ranks suspend"),
    }
}
