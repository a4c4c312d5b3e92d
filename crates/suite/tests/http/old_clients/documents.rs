//! Readmes and release notes in their first form.
