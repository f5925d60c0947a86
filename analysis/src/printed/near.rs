//! Nodes that are near each other, by a map of the machine (`--nodes`).

use super::{Selected, Taken};
use models::platform::Placement;
use published::NodeMap;
use render::groups::distinct;
use scenario::BadInput;
use scenario::files::{LONGEST_DESCRIPTION, read_whole};
use std::path::Path;

impl Selected {
    /// Returns the numbers with the ranks of each row placed by their hosts and a map.
    ///
    /// # Errors
    /// Fails on a map that cannot be read, on a run without `alloc.csv`, on a host that the map lacks, and where
    /// `--platform` places ranks, too.
    pub(super) fn placed_by(mut self, map: &Path) -> Result<Selected, BadInput> {
        let known = self.platform.clone().unwrap_or_default();
        if values(&known, "placement").next().is_some() {
            let message =
                "--nodes: --platform has a placement, too, and both say where ranks are; leave out one of them";
            return Err(BadInput(message.to_owned()));
        }
        let name = map.display().to_string();
        let unread = |error| BadInput(format!("--nodes: {name} cannot be read: {error}; check the path"));
        let text = read_whole(map, LONGEST_DESCRIPTION).map_err(unread)?;
        let wrong = |error: published::PublishedError| BadInput(format!("--nodes: {error}"));
        let map = NodeMap::parse(&name, &String::from_utf8_lossy(&text)).map_err(wrong)?;
        let absent = self.taken.iter().filter(|one| one.row.hosts.is_none());
        let absent = distinct(absent.map(|one| one.row.run.clone()));
        if !absent.is_empty() {
            return Err(BadInput(format!(
                "{}: --nodes places ranks by alloc.csv, which lists the host of every rank, and there is none of as many ranks in {}; \
                 choose other runs by --only run=TIME, or leave out --nodes",
                self.name,
                absent.join(", ")
            )));
        }
        for one in &mut self.taken {
            one.row.placement = one.row.hosts.as_ref().map(|hosts| map.placement(hosts)).transpose().map_err(wrong)?;
        }
        let within = values(&known, "class.node.L").chain(values(&known, "class.socket.L")).next();
        if within.is_none() && self.taken.iter().any(|one| one.row.ranks_per_node > Some(1)) {
            note!(
                "parallax: {}: several ranks ran on a node, and messages within a node take as long as within a cell; say what they \
                 take, like --platform class.node.L=400ns",
                self.name
            );
        }
        Ok(Selected { platform: Some(known), mapped: true, ..self })
    }

    /// Whether a fit on this platform has a latency of its own within a cell: by the map some pairs of ranks are in one
    /// cell and others are not, and no such latency is given.
    pub(super) fn tells_near(&self, platform: &str) -> bool {
        let ranks = self.taken.iter().map(Taken::ranks).min().unwrap_or(0);
        let placement = || values(platform, "placement").next().and_then(|text| text.parse::<Placement>().ok());
        let is_given = || values(platform, "class.switch.L").next().is_some();
        self.mapped && !is_given() && placement().is_some_and(|placement| placement.tells_switches_apart(ranks))
    }
}

/// Returns the values of a key in a platform's text.
pub(super) fn values<'a>(platform: &'a str, key: &'a str) -> impl Iterator<Item = &'a str> {
    let of = move |pair: &'a str| pair.split_once('=').filter(|(name, _)| name.trim() == key);
    platform.split(',').filter_map(of).map(|(_, value)| value.trim())
}
