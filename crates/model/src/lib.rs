//! Pure rules and names of the service: no I/O, no HTTP, no SQL, no clock.

pub mod digest;
