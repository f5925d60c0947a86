//! Needs of a job on a machine: buffers, pools larger than caches, memory.

use super::{Job, Task};
use crate::check::{bytes_for, checked_bytes, checked_calls, longest_shared};
use models::forced;
use models::limits::LONGEST_BUFFER;
use models::shared_broadcast::Queued;
use programs::method::{Buffer, Subject};
use programs::observation::{Implementation, World};

/// Length of a page of memory, on which buffers and control words lie.
const PAGE_BYTES: u64 = 4096;

impl Job {
    /// Returns the length of every rank's buffer in bytes: the most that a task needs.
    pub fn longest_buffer(&self) -> u64 {
        let needed = |task: &Task| match task {
            Task::Measure { order, .. } | Task::CheckCase { order, .. } => order.buffer_bytes(),
            Task::CheckCalls { operations } => {
                checked_calls(operations, self.ranks).map_or(0, |calls| bytes_for(&calls))
            }
            Task::CheckShared { queued, .. } => longest_shared(queued),
            Task::Check => checked_bytes(self.ranks),
            Task::PointToPoint(test) => test.buffer_bytes(),
            Task::Memory(test) => test.buffer_bytes(self.ranks),
            Task::Meter(meter) => meter.buffer_bytes(self.ranks),
            Task::Explore(exploration) => exploration.buffer_bytes(),
            Task::Calibrate(settings) => settings.buffer_bytes(),
            Task::CheckClocks(_) | Task::CompareSync(_) | Task::ReportCard | Task::Record(_) | Task::Work(_) => 0,
        };
        self.tasks.iter().map(needed).max().unwrap_or(0)
    }

    /// Refuses a job whose ranks would not find room in this machine's memory, whose buffers are longer than MPI's
    /// counts reach, or whose library would refuse an algorithm on this number of hosts or would have to be started in
    /// two ways. To be asked before anything is started. Other hosts are taken to have as much memory as this one.
    ///
    /// # Errors
    ///
    /// Says how much would be needed, how much there is, and what to do.
    pub fn fits(&self) -> Result<(), String> {
        for (_, _, name) in self.tasks.iter().filter_map(Task::order).flat_map(|order| order.forced()) {
            forced::on_hosts(self.world, name, self.hosts).map_err(|why| format!("library:{name}: {why}"))?;
        }
        self.environment()?;
        let buffer = self.longest_buffer();
        if self.world != World::Threads && buffer > LONGEST_BUFFER {
            return Err(format!(
                "every rank would need a buffer of {buffer} B; MPI counts bytes in an int: take shorter messages, so that \
                 it stays below 2 GiB"
            ));
        }
        // Beside the buffer (or its pool) lie results, packed parts and a checked call's copies.
        let per_rank = buffer.saturating_mul(2).saturating_add(self.pool_bytes()).saturating_add(self.recorded_bytes());
        let ranks = self.ranks_of_a_host();
        let per_rank = per_rank.saturating_add(self.shared_bytes() / u64::from(ranks.max(1)));
        let needed = per_rank.saturating_mul(u64::from(ranks));
        match available_memory_bytes() {
            Some(available) if needed > available => Err(format!(
                "{ranks} ranks would need about {} MiB ({} MiB each), and this machine has {} MiB left; take shorter messages \
                 or fewer ranks",
                needed >> 20,
                per_rank >> 20,
                available >> 20
            )),
            _ => Ok(()),
        }
    }

    /// Returns the most ranks that a host has, where hosts have as many slots each: launchers fill a host's slots
    /// before they go on to the next one's, and deal out more ranks than there are slots evenly.
    fn ranks_of_a_host(&self) -> u32 {
        let share = |of: u32| of.div_ceil(self.hosts.max(1));
        self.ranks.min(share(self.cores)).max(share(self.ranks))
    }

    /// Returns the length of the longest segment that ranks of a host share, in bytes.
    fn shared_bytes(&self) -> u64 {
        let segment = |queued: &Queued| queued.queue().segment_bytes(self.ranks, PAGE_BYTES);
        let of_task = |task: &Task| match (task, task.order().map(|order| &order.subject)) {
            (Task::CheckShared { queued, .. }, _) => segment(queued),
            (_, Some(Subject::Collective(_, Implementation::Shared(queued)))) => segment(queued),
            _ => 0,
        };
        self.tasks.iter().map(of_task).max().unwrap_or(0)
    }

    /// Returns the memory of each rank for recorded detours, and for the copy of them that goes to rank 0, in bytes.
    fn recorded_bytes(&self) -> u64 {
        let room = |task: &Task| match task {
            Task::Record(recording) => recording.room_bytes() * 2,
            _ => 0,
        };
        self.tasks.iter().map(room).max().unwrap_or(0)
    }

    /// Returns the length of all buffers of a rank together, in bytes: those of all ranks of a host are twice the
    /// last-level cache, and each rank's more than a core's own caches. 0 where no order asks for a pool.
    pub fn pool_bytes(&self) -> u64 {
        let settings = |task: &Task| match task {
            Task::CheckClocks(settings) => settings.factors.buffer,
            Task::PointToPoint(test) => test.buffers().buffer(),
            other => other.order().map_or(Buffer::Same, |order| order.settings.factors.buffer),
        };
        let asks = |task: &Task| settings(task) == Buffer::Pool;
        let ranks_of_a_host = self.cores.min(self.ranks).div_ceil(self.hosts.max(1)).max(1);
        let share = last_level_cache_bytes() * 2 / u64::from(ranks_of_a_host);
        if self.tasks.iter().any(asks) { share.max(MOST_OF_A_CORE) } else { 0 }
    }
}

/// Bound on the size of a core's own caches.
const MOST_OF_A_CORE: u64 = 8 << 20;

/// Returns the memory that new processes can have without swapping, in bytes. `None` where the system does not say.
pub fn available_memory_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Returns the size of the first core's last-level cache, as the operating system says. 64 MiB where it says nothing.
fn last_level_cache_bytes() -> u64 {
    let size = |level: u32| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{level}/size");
        let text = std::fs::read_to_string(path).ok()?;
        Some(text.trim().strip_suffix('K')?.parse::<u64>().ok()? << 10)
    };
    (0..8).filter_map(size).max().unwrap_or(64 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::clock::ClockKind;
    use models::network::{Hockney, SendRule};
    use models::time::{PerByte, Span};
    use programs::observation::Carrier;

    #[test]
    fn ranks_are_counted_host_by_host() {
        let job = |ranks: u32, cores: u32, hosts: u32| Job {
            ranks,
            cores,
            hosts,
            world: World::OPENMPI,
            carrier: Carrier::Native,
            emulated: Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager },
            clock: ClockKind::Automatic,
            clocks: None,
            tasks: Vec::new(),
        };
        assert_eq!(job(8, 8, 1).ranks_of_a_host(), 8);
        assert_eq!(job(8, 8, 4).ranks_of_a_host(), 2);
        assert_eq!(job(4, 16, 4).ranks_of_a_host(), 4, "the first host has room for all");
        assert_eq!(job(16, 8, 4).ranks_of_a_host(), 4, "crowded");
    }
}
