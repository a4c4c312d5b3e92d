//! Repositories with rules about origins and agreements, in the tables of who may do what.

mod hidden;
mod rights;
mod rule;
