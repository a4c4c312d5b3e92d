//! Requests of native clients, with a small format of their own.

mod asks;
mod changes;
mod fixture;
mod keys;
mod parcel;
mod publishes;
