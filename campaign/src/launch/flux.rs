//! Launcher of Flux: `flux run`, within an instance that Flux provides.

use super::Circumstances;

/// Returns the words between `flux` and the program. The instance itself knows its hosts.
pub(super) fn flags(ranks: u32, here: Circumstances) -> Vec<String> {
    let affinity = if here.own_cores { "per-task" } else { "off" };
    ["run".to_owned(), format!("--setopt=cpu-affinity={affinity}"), format!("--ntasks={ranks}")].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_cores_of_their_own_are_bound_to_them() {
        let here = Circumstances { root: false, own_cores: true, crowded: false, direct_copy: true };
        assert_eq!(flags(4, here).join(" "), "run --setopt=cpu-affinity=per-task --ntasks=4");
    }
}
