//! Odd spellings of parameters and bodies.
