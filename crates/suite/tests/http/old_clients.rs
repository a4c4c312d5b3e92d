//! Requests of clients for the first version of the API.

mod booleans;
mod documents;
mod empty_objects;
mod existing_paths;
mod file_lists;
mod header_names;
mod ignored_fields;
mod listings;
mod parameters;
mod realm;
