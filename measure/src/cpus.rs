//! The CPUs (hardware threads) that the calling thread may run on, and staying on some of them.

use std::io;

/// Returns the CPUs that the calling thread may run on, in order.
pub fn allowed() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: a mask of zeros is a valid mask, and the call writes at most its size.
        let (mask, failed) = unsafe {
            let mut mask: libc::cpu_set_t = std::mem::zeroed();
            let failed = libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut mask);
            (mask, failed)
        };
        if failed == 0 {
            // SAFETY: the mask has a bit for each number below CPU_SETSIZE.
            return (0..libc::CPU_SETSIZE as usize).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &mask) }).collect();
        }
    }
    (0..std::thread::available_parallelism().map_or(1, Into::into)).collect()
}

/// Restricts the calling thread to these CPUs.
///
/// # Errors
///
/// Fails if one of them is not there, or not for this process.
#[cfg(target_os = "linux")]
pub fn stay_on(cpus: &[usize]) -> io::Result<()> {
    if cpus.iter().any(|&cpu| cpu >= libc::CPU_SETSIZE as usize) {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    // SAFETY: a mask of zeros is a valid mask with room for these, and the call reads it.
    let failed = unsafe {
        let mut mask: libc::cpu_set_t = std::mem::zeroed();
        cpus.iter().for_each(|&cpu| libc::CPU_SET(cpu, &mut mask));
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const mask)
    };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Refuses to restrict the calling thread: nothing is known of CPUs here.
///
/// # Errors
///
/// Fails always.
#[cfg(not(target_os = "linux"))]
pub fn stay_on(_cpus: &[usize]) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "threads stay on CPUs on Linux only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_stays_where_it_is_told_to() {
        let all = allowed();
        let last = *all.last().expect("this thread runs somewhere");
        stay_on(&[last]).expect("it may run there");
        assert_eq!((allowed(), crate::usage::core()), (vec![last], last as i32));
        stay_on(&all).expect("all of them");
        assert_eq!(allowed(), all);
        assert!(stay_on(&[100_000]).is_err());
    }
}
