//! `packhouse product`: packages that are offered together, under terms of their own.

use clap::{Args, Subcommand};
use reqwest::Method;
use serde_json::Value;

use crate::{
    ConnectionArgs,
    address::{RepoAddress, encode},
    clock::parse_span,
    error::Result,
    output::{listing, people},
    session::{Change, body},
};

/// The subcommands of `packhouse product`.
#[derive(Debug, Subcommand)]
pub enum ProductCommand {
    /// List the products of an account
    Ls {
        /// The user or the organization
        owner: String,
    },
    /// Show a product
    Show {
        /// owner/product
        #[arg(value_name = "PRODUCT")]
        at: RepoAddress,
    },
    /// Create a product
    Create {
        /// owner/product
        #[arg(value_name = "PRODUCT")]
        at: RepoAddress,
        #[command(flatten)]
        fields: ProductFields,
    },
    /// Change a product
    Edit {
        /// owner/product
        #[arg(value_name = "PRODUCT")]
        at: RepoAddress,
        #[command(flatten)]
        fields: ProductFields,
    },
    /// Delete a product; its packages stay
    Delete {
        /// owner/product
        #[arg(value_name = "PRODUCT")]
        at: RepoAddress,
    },
}

/// The fields of a product.
#[derive(Debug, Args)]
pub struct ProductFields {
    /// The display name
    #[arg(long, value_name = "TEXT")]
    display_name: Option<String>,
    /// Description
    #[arg(long, value_name = "TEXT")]
    desc: Option<String>,
    /// Website
    #[arg(long, value_name = "URL")]
    website_url: Option<String>,
    /// Source code repository
    #[arg(long, value_name = "URL")]
    vcs_url: Option<String>,
    /// The packages, as repo/package, which replace those before
    #[arg(long, value_name = "REPO/PACKAGE", value_delimiter = ',')]
    packages: Option<Vec<String>>,
    /// How long signed URLs of its files are valid, such as 24h
    #[arg(long, value_name = "SPAN", value_parser = parse_span)]
    sign_url_expiry: Option<i64>,
}

impl ProductFields {
    fn change(&self) -> api::ProductChange {
        api::ProductChange {
            display_name: self.display_name.clone(),
            desc: self.desc.clone(),
            website_url: self.website_url.clone().map(Some),
            vcs_url: self.vcs_url.clone().map(Some),
            packages: self.packages.clone(),
            sign_url_expiry: self.sign_url_expiry.map(Some),
        }
    }
}

pub(crate) async fn run(connection: &ConnectionArgs, command: &ProductCommand) -> Result<()> {
    let session = connection.session()?;
    let what = |at: &RepoAddress| format!("the product {at}");
    let change = match command {
        ProductCommand::Ls { owner } => {
            let found: Vec<Value> = session.client.get(&format!("/products/{}", encode(owner))).await?;
            session.output.print(&found, |found| listing(found, &["name", "display_name"]));
            return Ok(());
        }
        ProductCommand::Show { at } => {
            let found: Value = session.client.get(&path(at)).await?;
            session.output.print(&found, |found| people(&at.to_string(), found));
            return Ok(());
        }
        ProductCommand::Create { at, fields } => {
            let body = Some(body(&api::NewProduct { name: at.repo.clone(), change: fields.change() }));
            let (path, what) = (format!("/products/{}", encode(&at.owner)), what(at));
            Change { method: Method::POST, path, body, verb: "create", done: "created", what }
        }
        ProductCommand::Edit { at, fields } => {
            let (path, body, what) = (path(at), Some(body(&fields.change())), what(at));
            Change { method: Method::PATCH, path, body, verb: "change", done: "changed", what }
        }
        ProductCommand::Delete { at } => {
            session.confirm(&format!("delete {}", what(at)))?;
            let (path, what) = (path(at), what(at));
            Change { method: Method::DELETE, path, body: None, verb: "delete", done: "deleted", what }
        }
    };
    session.apply(change).await
}

/// The path of a product.
pub(crate) fn path(at: &RepoAddress) -> String {
    format!("/products/{}", at.path())
}
