//! Measures publishes and indexes in a repository with very many other packages.

use std::ops::Range;
use std::path::Path;

use crate::catalogue::load::load;
use crate::client::{Call, Caller, Client};
use crate::content::wrk;
use crate::formats::registry::Registry;
use crate::formats::{Options, create_repo, publishing};
use crate::house::{House, HouseFolder};
use crate::owner::{OWNER, create_owner};
use xtask::failure::Result;
use xtask::signals::Signals;

/// The number of versions that are published.
const VERSIONS: u32 = 200;

const CONNECTIONS: u32 = 16;

/// A call may cost this many times as much among all packages as in the smallest repository.
const MOST_GROWTH: f64 = 1.5;

/// The calls that are measured, with the unit of their processor time.
const CALLS: [(&str, &str); 3] = [("publish", "ms"), ("index", "µs"), ("search or list", "µs")];

/// The processor time of each call of a registry, by the number of packages.
pub(crate) struct Crowd {
    registry: Registry,
    /// One for each size, in the order of [`CALLS`].
    costs: Vec<[f64; 3]>,
}

impl Crowd {
    /// Returns a message for each call whose cost has grown too much. The list of all packages grows with them.
    pub(crate) fn misses(&self) -> impl Iterator<Item = String> {
        let bounded = if self.registry.has_search() { CALLS.len() } else { CALLS.len() - 1 };
        CALLS[..bounded].iter().enumerate().filter_map(|(index, (call, _))| {
            let growth = self.growth(index);
            let name = self.registry.format();
            (growth > MOST_GROWTH)
                .then(|| format!("{name}: {call} costs {growth:.2} times as much in a large repository"))
        })
    }

    fn growth(&self, call: usize) -> f64 {
        let cost = |costs: Option<&[f64; 3]>| costs.map_or(f64::NAN, |costs| costs[call]);
        cost(self.costs.last()) / cost(self.costs.first())
    }

    fn lines(&self) -> String {
        let line = |(index, (call, unit)): (usize, &(&str, &str))| {
            let costs: String = self.costs.iter().map(|costs| format!(" {:.2} {unit} |", costs[index])).collect();
            format!("| {}: {call} |{costs} {:.2} |\n", self.registry.format(), self.growth(index))
        };
        CALLS.iter().enumerate().map(line).collect()
    }
}

/// Measures each registry in repositories of all sizes.
pub(crate) async fn measure(program: &Path, options: &Options, signals: &Signals) -> Result<Vec<Crowd>> {
    let mut crowds: Vec<Crowd> = Registry::ALL.map(|registry| Crowd { registry, costs: Vec::new() }).into();
    for count in &options.packages {
        let place = HouseFolder::new(options.engine)?;
        let house = place.serve(program)?;
        let owner = create_owner(&house.address).await?;
        for registry in Registry::ALL {
            create_repo(&owner, registry.format(), registry, false).await?;
        }
        drop(house);
        eprintln!("loading {count} packages into each repository");
        for (number, registry) in (0..).zip(Registry::ALL) {
            load(&place.database_url(), registry.format(), span(number, *count), signals).await?;
        }
        let house = place.serve(program)?;
        let owner = Caller { address: house.address.clone(), ..owner };
        for crowd in &mut crowds {
            crowd.costs.push(costs(crowd.registry, &owner, (&place, &house), options, signals).await?);
        }
    }
    Ok(crowds)
}

/// The numbers of the packages of a repository: no two repositories have the same.
fn span(repo: u64, count: u64) -> Range<u64> {
    repo * count..(repo + 1) * count
}

async fn costs(
    registry: Registry,
    owner: &Caller,
    (place, house): (&HouseFolder, &House),
    options: &Options,
    signals: &Signals,
) -> Result<[f64; 3]> {
    let root = format!("/dl/{OWNER}/{}", registry.format());
    let used = || place.processor_seconds(house);
    let publish = publishing::publish(signals, owner, used, registry, &root, 0..VERSIONS).await?;
    let mut costs = [publish, 0.0, 0.0];
    for (cost, path) in costs[1..].iter_mut().zip([registry.index(), registry.search()]) {
        let path = format!("{root}{path}");
        Client::connect(owner).await?.send(&Call::get(&path)).await?;
        let run = wrk::Run {
            url: format!("http://{}{path}", house.address),
            authorization: None,
            accept: None,
            connections: CONNECTIONS,
            seconds: options.seconds,
            script: None,
        };
        let before = used()?;
        let seen = run.run(signals)?;
        *cost = (used()? - before) / seen.requests * 1e6;
    }
    Ok(costs)
}

/// Returns the table.
pub(crate) fn markdown(packages: &[u64], crowds: &[Crowd]) -> String {
    let sizes: String = packages.iter().map(|count| format!(" {count} packages |")).collect();
    let rules = "---|".repeat(packages.len());
    let lines: String = crowds.iter().map(Crowd::lines).collect();
    format!("| processor time |{sizes} growth (at most {MOST_GROWTH}) |\n|---|{rules}---|\n{lines}")
}
