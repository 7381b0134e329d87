//! The present workers, their tools, and the accepted ones among these.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use callpact::pins::{Drift, ListedTool, Pins};

use crate::{protocol::WorkerTool, server::WorkerGroup};

/// A tool with its fingerprint.
pub(super) struct ToolOffer {
    pub(super) listed: WorkerTool,
    pub(super) fingerprint: String,
}

/// The list of tools of a group.
pub(super) type ToolOffers = Arc<[ToolOffer]>;

/// A group with at least one worker present.
#[derive(Clone)]
pub(super) struct PresentGroup {
    pub(super) version: u64,
    pub(super) offers: ToolOffers,
}

/// The known workers and tools.
#[derive(Default)]
pub(super) struct WorkerCatalog {
    groups: BTreeMap<WorkerGroup, PresentGroup>,
    /// The groups that have a tool with a fingerprint.
    routes: HashMap<String, Vec<WorkerGroup>>,
    pub(super) pins: Pins,
}

impl WorkerCatalog {
    pub(super) fn new(pins: Pins) -> Self {
        Self {
            pins,
            ..Self::default()
        }
    }

    /// The list of a group, if it is already known.
    pub(super) fn offers(&self, group: &WorkerGroup) -> Option<ToolOffers> {
        self.groups.get(group).map(|present| present.offers.clone())
    }

    /// Sets the present workers. Returns whether their lists differ from those before.
    pub(super) fn replace(&mut self, groups: BTreeMap<WorkerGroup, PresentGroup>) -> bool {
        fn versions(
            groups: &BTreeMap<WorkerGroup, PresentGroup>,
        ) -> impl Iterator<Item = (&WorkerGroup, u64)> {
            groups
                .iter()
                .map(|(group, present)| (group, present.version))
        }
        let same = versions(&self.groups).eq(versions(&groups));
        self.groups = groups;
        if same {
            return false;
        }
        self.routes.clear();
        for (group, present) in &self.groups {
            add_routes(&mut self.routes, group, &present.offers);
        }
        true
    }

    /// Adds an unknown group.
    pub(super) fn add(&mut self, group: WorkerGroup, present: PresentGroup) {
        add_routes(&mut self.routes, &group, &present.offers);
        self.groups.insert(group, present);
    }

    pub(super) fn is_there(&self, group: &WorkerGroup) -> bool {
        self.groups.contains_key(group)
    }

    /// The workers that have a tool of a toolset, by the fingerprint of the tool. Those with the highest
    /// version are chosen.
    pub(super) fn route(&self, toolset: &str, fingerprint: &str) -> Option<&WorkerGroup> {
        let groups = self.routes.get(fingerprint)?;
        let of_toolset = groups.iter().filter(|group| group.toolset == toolset);
        of_toolset.max_by_key(|group| self.groups.get(group).map(|present| present.version))
    }

    /// The tools to offer: of each toolset those of its highest version, in its order. If several lists
    /// have the same version, the first one with a tool of a given name provides it.
    pub(super) fn listed(&self) -> Vec<(&str, &ToolOffer)> {
        let mut highest: BTreeMap<&str, u64> = BTreeMap::new();
        for (group, present) in &self.groups {
            let version = highest.entry(&group.toolset).or_default();
            *version = present.version.max(*version);
        }
        let mut seen = BTreeSet::new();
        let mut listed = Vec::new();
        for (group, present) in &self.groups {
            if highest.get(&*group.toolset) != Some(&present.version) {
                continue;
            }
            for offer in &*present.offers {
                if seen.insert((&*group.toolset, &*offer.listed.name)) {
                    listed.push((&*group.toolset, offer));
                }
            }
        }
        listed
    }

    /// The accepted form of a tool, if present workers have it.
    pub(super) fn accepted(&self, toolset: &str, name: &str) -> Option<&ToolOffer> {
        let fingerprint = self.pins.get(&pin(toolset, name))?;
        let group = self.route(toolset, fingerprint)?;
        let offers = &self.groups.get(group)?.offers;
        offers.iter().find(|offer| offer.fingerprint == fingerprint)
    }

    pub(super) fn drift(&self) -> Vec<Drift> {
        self.pins
            .drift(self.listed().into_iter().map(|(toolset, offer)| {
                let (name, description) = (&offer.listed.name, &*offer.listed.description);
                ListedTool::new(
                    pin(toolset, name),
                    &offer.fingerprint,
                    Some(description.into()),
                )
            }))
    }

    /// Accepts a tool as it is listed now, or forgets one that is gone. Returns whether there was such a tool.
    pub(super) fn accept(&mut self, tool: &str) -> bool {
        let mut listed = self.listed().into_iter();
        let now = listed.find(|(toolset, offer)| pin(toolset, &offer.listed.name) == tool);
        let now = now.map(|(_, offer)| offer.fingerprint.clone());
        self.pins.accept(tool, now)
    }

    /// Accepts all tools as they are listed now.
    pub(super) fn accept_all(&mut self) {
        let listed = self.listed().into_iter();
        let prints =
            listed.map(|(toolset, offer)| (pin(toolset, &offer.listed.name), &*offer.fingerprint));
        self.pins = prints.collect();
    }
}

fn add_routes(
    routes: &mut HashMap<String, Vec<WorkerGroup>>,
    group: &WorkerGroup,
    offers: &[ToolOffer],
) {
    for offer in offers {
        let route = routes.entry(offer.fingerprint.clone()).or_default();
        route.push(group.clone());
    }
}

/// The name of a tool in the pins.
pub(super) fn pin(toolset: &str, name: &str) -> String {
    format!("{toolset}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use callpact::pins::DriftKind;
    use serde_json::json;

    fn offer(name: &str, description: &str) -> ToolOffer {
        let listed: WorkerTool = serde_json::from_value(json!({
            "name": name, "description": description, "parameters": "{}", "permission": "read_only",
        }))
        .unwrap();
        ToolOffer {
            fingerprint: listed.fingerprint(),
            listed,
        }
    }

    fn group(toolset: &str, digest: &str) -> WorkerGroup {
        WorkerGroup {
            toolset: toolset.to_owned(),
            digest: digest.to_owned(),
        }
    }

    fn with(groups: Vec<(WorkerGroup, u64, Vec<ToolOffer>)>) -> WorkerCatalog {
        let mut catalog = WorkerCatalog::default();
        let groups = groups.into_iter().map(|(group, version, offers)| {
            let offers = offers.into();
            (group, PresentGroup { version, offers })
        });
        catalog.replace(groups.collect());
        catalog
    }

    #[test]
    fn offers_highest_version_and_calls_unchanged_tool_anywhere() {
        let old = vec![offer("add", "adds"), offer("gone", "was")];
        let new = vec![offer("add", "adds"), offer("more", "is")];
        let mut catalog = with(vec![
            (group("math", "a"), 1, old),
            (group("math", "b"), 2, new),
            (group("text", "c"), 1, vec![offer("add", "joins")]),
        ]);
        let names: Vec<String> = catalog
            .listed()
            .iter()
            .map(|(toolset, offer)| pin(toolset, &offer.listed.name))
            .collect();
        assert_eq!(names, ["math/add", "math/more", "text/add"]);
        let add = offer("add", "adds").fingerprint;
        assert_eq!(catalog.route("math", &add), Some(&group("math", "b")));
        assert_eq!(catalog.route("text", &add), None);
        let only_old = PresentGroup {
            version: 1,
            offers: vec![offer("add", "adds")].into(),
        };
        catalog.replace(BTreeMap::from([(group("math", "a"), only_old)]));
        assert_eq!(catalog.route("math", &add), Some(&group("math", "a")));
    }

    #[test]
    fn changed_tool_drifts_until_accepted() {
        let mut catalog = with(vec![(group("math", "a"), 1, vec![offer("add", "adds")])]);
        catalog.accept_all();
        assert!(catalog.drift().is_empty());
        let changed = PresentGroup {
            version: 2,
            offers: vec![
                offer("add", "adds, and sends it away"),
                offer("sub", "takes"),
            ]
            .into(),
        };
        catalog.replace(BTreeMap::from([(group("math", "b"), changed)]));
        let drift: Vec<_> = catalog
            .drift()
            .into_iter()
            .map(|d| (d.tool, d.kind))
            .collect();
        let expected = [
            ("math/add", DriftKind::Changed),
            ("math/sub", DriftKind::New),
        ];
        assert_eq!(drift, expected.map(|(tool, kind)| (tool.to_owned(), kind)));
        assert!(catalog.accepted("math", "add").is_none());
        assert!(catalog.accept("math/add") && catalog.accept("math/sub"));
        assert!(catalog.drift().is_empty() && !catalog.accept("math/none"));
    }
}
