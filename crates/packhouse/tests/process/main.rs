//! The program as people start, stop, kill and configure it, on whichever stack the run uses.

mod admin;
mod admin_input;
mod backup;
mod config;
mod content_kill;
mod disk_full;
mod fault_points;
mod first_start;
mod footprint;
mod garbage;
mod journal;
mod kill;
mod logs;
mod master_key;
mod outage;
mod places;
mod program;
mod sharing;
mod shown;
mod signing_logs;
mod small_disk;
mod staging;
mod stop;
mod store;
mod tools;
mod verify;
