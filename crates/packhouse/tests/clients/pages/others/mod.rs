//! The clients that take longer than a moment.

mod arch;
mod cargo;
mod composer;
mod conan;
mod cran;
mod debian;
mod docker;
mod npm;
mod nuget;
mod pypi;
mod rpm;
mod rubygems;
mod vagrant;
