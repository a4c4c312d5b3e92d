//! Requests as clients of the first incarnation of the API send them.

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
