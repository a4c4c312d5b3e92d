//! Archives that different readers unpack differently.
