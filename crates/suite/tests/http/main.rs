//! The HTTP surface, on whichever stack the run uses.

mod accounts;
