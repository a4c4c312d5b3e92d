//! Repositories with rules about origins and agreements, in the tables of rights.

mod company;
mod hidden;
mod rights;
mod rule;
