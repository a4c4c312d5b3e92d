//! Bodies that arrive slowly, and connections held open.
