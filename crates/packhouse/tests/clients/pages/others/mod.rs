//! The clients that take longer than a moment, and those of indexes of whole repositories.

mod alpine;
mod arch;
mod cargo;
mod composer;
mod conan;
mod conda;
mod cran;
mod debian;
mod docker;
mod helm;
mod nuget;
mod opkg;
mod pypi;
mod rpm;
mod vagrant;
