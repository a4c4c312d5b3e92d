//! A real browser in front of the pages: what people do there, how it looks, and whether everybody can use it.

mod accounts;
mod axe;
mod browse;
mod looks;
mod other_sites;
mod pictures;
mod publish;
mod scene;
mod share;
mod sign_in;
