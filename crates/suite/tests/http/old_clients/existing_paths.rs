//! Clients that look for "already exists" in a refusal.
