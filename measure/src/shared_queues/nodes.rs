//! NUMA nodes of pages, as the kernel says them (move_pages(2) that moves nothing).

use libc::{c_int, c_void};
use programs::observation::Placement;
use std::sync::OnceLock;

/// Returns the NUMA nodes of these pages, as seen from where the calling thread runs. `None` where the host has one
/// NUMA node, or the kernel does not say.
pub(super) fn placement(pages: impl Iterator<Item = *mut u8>) -> Option<Placement> {
    static SEVERAL: OnceLock<bool> = OnceLock::new();
    let several = || std::fs::read_to_string("/sys/devices/system/node/online").is_ok_and(|nodes| is_several(&nodes));
    if !SEVERAL.get_or_init(several) {
        return None;
    }
    let pages: Vec<*mut c_void> = pages.map(<*mut u8>::cast).collect();
    let found = nodes_of(&pages)?;
    let node = own_node()?;
    let elsewhere = found.iter().filter(|found| u32::try_from(**found) != Ok(node)).count();
    Some(Placement { node, pages: pages.len() as u64, elsewhere: elsewhere as u64 })
}

/// Returns whether a list of numbers of NUMA nodes, `0` or `0-1,4`, has several.
fn is_several(nodes: &str) -> bool {
    nodes.trim().contains(['-', ','])
}

/// Returns the node of each page. A negative number says that the page is not there.
#[cfg(target_os = "linux")]
fn nodes_of(pages: &[*mut c_void]) -> Option<Vec<c_int>> {
    let mut found = vec![0; pages.len()];
    let nowhere = std::ptr::null::<c_int>();
    // SAFETY: both lists are as long as said; without target nodes the call only writes the pages' nodes into the
    // second one.
    let result =
        unsafe { libc::syscall(libc::SYS_move_pages, 0, pages.len(), pages.as_ptr(), nowhere, found.as_mut_ptr(), 0) };
    (result == 0).then_some(found)
}

/// Returns the node of the processor that runs this thread.
#[cfg(target_os = "linux")]
fn own_node() -> Option<u32> {
    let (mut cpu, mut node) = (0u32, 0u32);
    // SAFETY: getcpu writes both numbers, and nothing else.
    let result = unsafe { libc::syscall(libc::SYS_getcpu, &raw mut cpu, &raw mut node, std::ptr::null::<c_void>()) };
    (result == 0).then_some(node)
}

/// Returns `None`: other systems do not say.
#[cfg(not(target_os = "linux"))]
fn nodes_of(_: &[*mut c_void]) -> Option<Vec<c_int>> {
    None
}

/// Returns `None`: other systems do not say.
#[cfg(not(target_os = "linux"))]
fn own_node() -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_several_nodes_are_told_from_those_of_one() {
        assert!(!is_several("0\n") && is_several("0-1\n") && is_several("0,2\n"));
    }

    #[test]
    fn the_kernel_says_where_touched_pages_lie() {
        let mut touched = vec![1u8; 8 << 12];
        let pages: Vec<*mut c_void> = (0..8).map(|page| touched[page << 12..].as_mut_ptr().cast()).collect();
        // A kernel without NUMA, or a sandbox, does not say.
        let (Some(found), Some(own)) = (nodes_of(&pages), own_node()) else { return };
        assert_eq!(found.len(), 8);
        let is_known = |node: u32| std::path::Path::new(&format!("/sys/devices/system/node/node{node}")).exists();
        assert!(found.iter().all(|node| u32::try_from(*node).is_ok_and(is_known)), "{found:?} seen from {own}");
    }
}
