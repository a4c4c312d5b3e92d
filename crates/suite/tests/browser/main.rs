//! The pages in a real browser: what people do there, how the pages look, and whether everybody can use them.

mod accounts;
mod axe;
mod browse;
mod confirmations;
mod looks;
mod other_sites;
mod pictures;
mod png;
mod publish;
mod scene;
mod screenshots;
mod share;
mod sign_in;
