//! Downloads that try to stay uncounted.
