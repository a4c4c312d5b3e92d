//! Repositories with rules about origins and agreements, in the tables of who may do what.

mod company;
mod hidden;
mod rights;
mod rule;
