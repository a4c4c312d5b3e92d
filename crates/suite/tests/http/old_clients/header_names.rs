//! Webhooks and streams under the old header names.
