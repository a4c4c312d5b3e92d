//! Addresses that lead into the network of the operator.
