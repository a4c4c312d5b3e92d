//! The HTTP surface, on whichever stack the run uses.

mod acme;
mod api_keys;
mod audit;
mod audit_pages;
mod contract;
mod deletion;
mod members;
mod names;
mod orgs;
mod owners;
mod plans;
mod registration;
mod rules;
mod together;
mod users;
