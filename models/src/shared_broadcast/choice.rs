//! Choice of a queue (Kurnosov and Tokmasheva 2020, section 5.3).

use super::{Costs, NodeCosts, Queue, one_reader_on_a_node};

/// Queue at which the printed formula is least, as if lengths and numbers could be split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optimum {
    /// Length of a fragment, f* = √(m/⌈m/b⌉ · t_W/t), in bytes.
    pub fragment_bytes: f64,
    /// Number of buffers, s* = b/f*.
    pub buffers: f64,
}

impl Optimum {
    /// Returns f*, rounded up to whole pages.
    pub fn in_pages(&self, page_bytes: u64) -> u64 {
        // A fragment of more bytes than any message is as good as one of all.
        let whole = self.fragment_bytes.ceil().min(f64::from(u32::MAX) * 512.0) as u64;
        whole.next_multiple_of(page_bytes.max(1))
    }
}

/// Returns the best fragment for messages of m bytes in a queue of b bytes that is one set: longer ones prolong the
/// waits for a first fragment, ⌈m/b⌉ f t, and shorter ones add notifications, (m/f) t_W. f* = √(b t_W/t) where b
/// divides m, √(m t_W/t) where m ≤ b. `None` where copies or notifications cost nothing, or there is nothing to copy.
pub fn optimum(costs: &Costs, bytes: u64, queue_bytes: u64) -> Option<Optimum> {
    let uses = bytes.div_ceil(queue_bytes.max(1));
    let ratio = costs.notification.0 as f64 / costs.copy.0;
    let fragment_bytes = (bytes as f64 / uses as f64 * ratio).sqrt();
    let is_one = fragment_bytes.is_finite() && fragment_bytes > 0.0;
    is_one.then(|| Optimum { fragment_bytes, buffers: queue_bytes as f64 / fragment_bytes })
}

/// Returns the best fragment for messages that fit into the queue, on a node: [`optimum`] where its formula holds for
/// fragments of a page and more, else the fastest of whole pages by [`one_reader_on_a_node`], of which four to a
/// doubling are tried.
pub fn optimum_on_a_node(costs: &NodeCosts, bytes: u64, page_bytes: u64) -> Option<Optimum> {
    if costs.has_formula(page_bytes) {
        return optimum(&costs.one, bytes, bytes);
    }
    let most = bytes.div_ceil(page_bytes.max(1));
    let pages = (0..).map(|step| 2_f64.powf(f64::from(step) / 4.0).round() as u64).take_while(|pages| *pages <= most);
    let timed = pages.filter_map(|pages| {
        let queue = for_fragment(pages * page_bytes, bytes).ok()?;
        Some((one_reader_on_a_node(costs, &queue, bytes), queue.fragment_bytes()))
    });
    let optimum = |fragment: u64| Optimum { fragment_bytes: fragment as f64, buffers: bytes as f64 / fragment as f64 };
    timed.min().map(|(_, fragment)| optimum(fragment))
}

/// Returns a queue for a given memory b: f = √b rounded up to whole pages, and as many buffers as fit. The publication
/// takes t_W for about t: where a notification costs as much as k bytes copied, f* is √k times as long.
///
/// # Errors
/// Fails for memory of less than a buffer.
pub fn within(queue_bytes: u64, page_bytes: u64) -> Result<Queue, String> {
    Queue::filling(queue_bytes, root_in_pages(queue_bytes, page_bytes), 1)
}

/// Returns a queue that messages of up to m bytes fit into: f = √m rounded up to whole pages, s = ⌈m/f⌉.
///
/// # Errors
/// Fails where [`Queue::new`] fails.
pub fn for_message(bytes: u64, page_bytes: u64) -> Result<Queue, String> {
    for_fragment(root_in_pages(bytes, page_bytes), bytes)
}

/// Returns the queue of fragments of f bytes that messages of up to m bytes fit into: s = ⌈m/f⌉.
///
/// # Errors
/// Fails where [`Queue::new`] fails.
pub fn for_fragment(fragment_bytes: u64, bytes: u64) -> Result<Queue, String> {
    let buffers = bytes.div_ceil(fragment_bytes.max(1));
    Queue::new(fragment_bytes, buffers.max(1), 1)
}

/// Returns the queue of s buffers that messages of up to m bytes fit into: f = √m, but no less than m/s, rounded up to
/// whole pages. The publication says f = √m alone, which for s < √m holds only s √m bytes, less than its own condition
/// b ≥ m asks for.
///
/// # Errors
/// Fails where [`Queue::new`] fails.
pub fn for_buffers(buffers: u64, bytes: u64, page_bytes: u64) -> Result<Queue, String> {
    let page = page_bytes.max(1);
    let to_fit = bytes.div_ceil(buffers.max(1)).next_multiple_of(page);
    Queue::new(root_in_pages(bytes, page).max(to_fit), buffers, 1)
}

/// Returns the square root of a number of bytes, rounded up to whole pages, at least one.
fn root_in_pages(bytes: u64, page_bytes: u64) -> u64 {
    let root = bytes.isqrt();
    let root = root + u64::from(root * root < bytes);
    root.max(1).next_multiple_of(page_bytes.max(1))
}
