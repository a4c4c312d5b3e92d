//! Clients that follow the links of a folder listing.
