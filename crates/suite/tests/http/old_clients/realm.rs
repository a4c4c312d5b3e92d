//! Clients that choose credentials by the realm.
