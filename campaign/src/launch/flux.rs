//! Flux's launcher: `flux run`, within an instance that Flux gave us.

use super::Circumstances;

/// Everything between `flux` and the program. Which hosts there are, the instance knows.
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
