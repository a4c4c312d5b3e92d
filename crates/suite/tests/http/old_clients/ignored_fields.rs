//! Fields that must not be dropped silently.
