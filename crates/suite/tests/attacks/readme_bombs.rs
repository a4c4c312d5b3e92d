//! Texts that cost far more to render than to send.
