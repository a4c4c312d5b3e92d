//! The HTTP surface, on the stack of the run.

mod access;
mod accounts;
mod catalogue;
mod cluster;
mod content;
mod downloads;
mod events;
mod indexes;
mod maintenance;
mod native;
mod oci;
mod pages;
mod public_sync;
mod search;
mod signing;
mod usage;

mod audit;
mod baseline;
mod contract;
mod old_clients;
mod rules;
mod visibility;
