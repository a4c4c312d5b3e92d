//! A real browser in front of the pages: what people do there, how it looks, and whether everybody can use it.

mod axe;
mod browse;
mod looks;
mod pictures;
mod scene;
mod sign_in;
