//! `packhouse upgrade-check`: what the next start changes, and how to update.

use operations::Clock;
use server::plan_upgrade;

use crate::arguments::Flags;

pub(crate) async fn run(flags: &Flags) -> Result<(), String> {
    let settings = flags.settings()?;
    let plan = plan_upgrade(&settings, &Clock::system()).await?;
    let version = env!("CARGO_PKG_VERSION");
    println!("this program is packhouse {version}");
    for node in &plan.nodes {
        println!("node {} runs packhouse {}, last seen {}", node.name, node.version, node.seen);
    }
    for step in &plan.pending {
        let effect = if step.is_expanding { "older nodes keep working" } else { "older nodes stop working" };
        println!("step {} (`{}`) would run: {effect}", step.version, step.name);
    }
    let is_rolling = plan.pending.iter().all(|step| step.is_expanding);
    println!(
        "{}",
        match (&plan.pending[..], is_rolling) {
            ([], _) => "the database is up to date: replace the program on one node after the other",
            (_, true) => "make a backup, then replace the program on one node after the other",
            (_, false) => "make a backup, stop all nodes, replace the program everywhere, and start them",
        }
    );
    Ok(())
}
