//! A broadcast to one reader, fragment by fragment.

use super::{Costs, Queue};
use crate::time::{Span, Time};

/// How long a message is under way: what root and reader do, step by step, as the publication's Figure 3 draws it.
///
/// Before use j of a set the root waits until the reader has left the set's use before (j − q), which takes t_WO, and the reader
/// waits as long until the set is open. R_k, when fragment k lies in the queue, and x_k, when it has been read:
///
/// - R_k = R_{k−1} + C(l_k), with R_{k−1} = max(R_{k−1}, left_{j−q}) + t_WO at the begin of use j;
/// - x_k = max(x_{k−1}, R_k) + t_W + C(l_k), with x_{k−1} = left_{j−1} + t_WO at the begin of use j;
/// - left_j = x_k + t_A at the end of use j.
///
/// The closed form [`exact`](super::exact) says the same.
///
/// ```
/// use parallax_models::shared_broadcast::{Costs, Queue, exact, one_reader};
///
/// let (costs, queue) = (Costs::PUBLISHED, Queue::new(8192, 4, 2)?);
/// assert_eq!(one_reader(&costs, &queue, 100_000), exact(&costs, &queue, 100_000).total());
/// # Ok::<(), String>(())
/// ```
pub fn one_reader(costs: &Costs, queue: &Queue, bytes: u64) -> Span {
    let (mut root, mut reader) = (Time::ZERO, Time::ZERO);
    let mut left = vec![Time::ZERO; queue.sets() as usize];
    let fragments = queue.fragments(bytes);
    for number in 0..fragments {
        let set = (number / queue.buffers_of_a_set() % queue.sets()) as usize;
        if number.is_multiple_of(queue.buffers_of_a_set()) {
            root = root.max(left[set]) + costs.set;
            reader += costs.set;
        }
        let copy = costs.copy.of(queue.fragment(bytes, number));
        root += copy;
        reader = reader.max(root) + costs.notification + copy;
        if (number + 1).is_multiple_of(queue.buffers_of_a_set()) || number + 1 == fragments {
            reader += costs.leave;
            left[set] = reader;
        }
    }
    reader.since(Time::ZERO)
}
