//! A whole cluster on this machine, tested while parts of it fail: three nodes behind nginx, PostgreSQL, and three
//! nodes of Garage. `cargo xtask test-cluster` finds the programs and runs these tests.

mod accel;
mod author;
mod balancer;
mod cluster;
mod counts;
mod database_faults;
#[path = "../process/content_kill/dice.rs"]
mod dice;
mod door;
mod garage;
mod http_suite;
#[path = "../process/content_kill/ledger.rs"]
mod ledger;
mod node;
mod node_faults;
mod ports;
mod postgres;
mod program;
mod rolling;
mod scene;
#[path = "../process/shown.rs"]
mod shown;
mod store_faults;
mod tally;
mod through_the_balancer;
