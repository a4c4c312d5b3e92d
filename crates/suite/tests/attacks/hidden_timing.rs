//! What response times tell about private content.
