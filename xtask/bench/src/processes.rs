//! Reads the processor time and memory of processes from the kernel.

use std::collections::BTreeSet;
use std::fs;

use rustix::param::clock_ticks_per_second;

use xtask::failure::{Attempt, Failure, Result};

/// Returns the processor time that a process and its descendants have used so far, in seconds. It includes descendants
/// that have exited, such as closed sessions of PostgreSQL.
pub(crate) fn processor_seconds(root: u32) -> Result<f64> {
    let all = all()?;
    let mut family = BTreeSet::from([root]);
    // Repeat until no process is added: a child may be listed before its parent.
    loop {
        let before = family.len();
        family.extend(
            all.iter().filter(|process| family.contains(&process.parent)).map(|process| process.id).collect::<Vec<_>>(),
        );
        if family.len() == before {
            break;
        }
    }
    let ticks: u64 = all.iter().filter(|process| family.contains(&process.id)).map(|process| process.ticks).sum();
    Ok(ticks as f64 / clock_ticks_per_second() as f64)
}

/// Returns the resident memory of a process, in MiB.
pub(crate) fn resident(id: u32) -> Result<f64> {
    memory(id, "VmRSS:")
}

/// Returns the peak resident memory of a process, in MiB.
pub(crate) fn peak(id: u32) -> Result<f64> {
    memory(id, "VmHWM:")
}

fn memory(id: u32, field: &str) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).attempt("cannot read the state of the server")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    Ok(kib.ok_or_else(|| Failure::new(format!("the kernel does not report {field}")))? / 1024.0)
}

struct Process {
    id: u32,
    parent: u32,
    ticks: u64,
}

fn all() -> Result<Vec<Process>> {
    let entries = fs::read_dir("/proc").attempt("cannot read the list of processes")?;
    // Processes that have exited in the meantime are skipped.
    let stats = entries.flatten().filter_map(|entry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        fs::read_to_string(entry.path().join("stat")).ok()
    });
    Ok(stats.filter_map(|stat| parse(&stat)).collect())
}

/// Parses a line of `stat`. The name of a program may contain blanks and parentheses, so the rest begins after the last
/// parenthesis.
fn parse(stat: &str) -> Option<Process> {
    let (start, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
    Some(Process {
        id: start.split_whitespace().next()?.parse().ok()?,
        parent: fields.get(1)?.parse().ok()?,
        ticks: number(11)? + number(12)? + number(13)? + number(14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_parentheses() {
        let process = parse("42 (a) b) S 7 1 1 0 -1 0 1 2 3 4 30 12 5 6 20 0").expect("a line of stat");
        assert_eq!((process.id, process.parent, process.ticks), (42, 7, 53));
    }
}
