//! The use of the machine by this process, as far as `/proc` tells it.

use std::fs;

use nix::sys::resource::{Resource, getrlimit};

use super::Exposition;

/// The ticks of a second in `/proc`, which are the same on all machines that the server is built for.
const TICKS: f64 = 100.0;

/// Adds the usual metrics of a process. Those that the system does not tell are left out.
pub(super) fn add(text: &mut Exposition) {
    if let Some(stat) = Stat::read() {
        let meaning = "Total user and system CPU time spent in seconds.";
        text.add("process_cpu_seconds_total", "counter", meaning, stat.cpu_seconds);
        let meaning = "Resident memory size in bytes.";
        text.add("process_resident_memory_bytes", "gauge", meaning, stat.resident_bytes);
        let meaning = "Start time of the process since unix epoch in seconds.";
        if let Some(start) = stat.start_seconds {
            text.add("process_start_time_seconds", "gauge", meaning, start);
        }
        text.add("process_threads", "gauge", "Number of threads.", stat.threads);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        text.add("process_open_fds", "gauge", "Number of open file descriptors.", open.count());
    }
    if let Ok((most, _)) = getrlimit(Resource::RLIMIT_NOFILE) {
        text.add("process_max_fds", "gauge", "Maximum number of open file descriptors.", most);
    }
}

/// The numbers of `/proc/self/stat`.
struct Stat {
    cpu_seconds: f64,
    resident_bytes: u64,
    threads: u64,
    start_seconds: Option<f64>,
}

impl Stat {
    fn read() -> Option<Self> {
        let text = fs::read_to_string("/proc/self/stat").ok()?;
        // The second field is a name, which may contain spaces, in parentheses.
        let fields: Vec<u64> =
            text.rsplit_once(") ")?.1.split(' ').map(|field| field.trim().parse().unwrap_or_default()).collect();
        let at = |number: usize| fields.get(number - 3).copied();
        let seconds = |count: u64| Some(f64::from(u32::try_from(count).ok()?) / TICKS);
        let began = seconds(at(22)?);
        Some(Self {
            cpu_seconds: seconds(at(14)?.checked_add(at(15)?)?)?,
            threads: at(20)?,
            resident_bytes: resident_bytes()?,
            start_seconds: began.and_then(|began| Some(f64::from(boot_seconds()?) + began)),
        })
    }
}

fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1_024)
}

/// The time at which the system started.
fn boot_seconds() -> Option<u32> {
    let text = fs::read_to_string("/proc/stat").ok()?;
    text.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok())
}
