//! The form that sets usage thresholds.

use axum::response::Response;
use model::usage::Thresholds;
use operations::usage::usage_thresholds::{self, ThresholdChange};
use web::{
    App,
    error::{Failure, Result},
};

use super::usage::{UsageContext, context, page};
use crate::{
    errors::allowed,
    form::{Form, Submitted},
    notice::{self, Notice},
    sizes,
    visitor::Visitor,
};

/// Thresholds as texts.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) monthly_storage: String,
    pub(super) monthly_download: String,
    pub(super) daily_download: String,
}

/// The thresholds for the form; users have none for all their repositories together.
pub(super) async fn limits(app: &App, visitor: &Visitor, context: &UsageContext) -> Result<Option<Limits>> {
    match usage_thresholds::show(app.house(), &visitor.caller, &context.owner).await {
        Ok(thresholds) => Ok(Some(Limits::of(&thresholds))),
        Err(operations::Error::NotFound { what: "Usage threshold", .. }) => Ok(Some(Limits::default())),
        other => Ok(allowed(other)?.map(|thresholds| Limits::of(&thresholds))),
    }
}

impl Limits {
    /// The visitor's input.
    fn typed(form: &Form) -> Self {
        let text = |name: &str| form.text(name).to_owned();
        Self {
            monthly_storage: text("monthly_storage_bytes"),
            monthly_download: text("monthly_download_bytes"),
            daily_download: text("daily_download_bytes"),
        }
    }

    fn of(thresholds: &Thresholds) -> Self {
        let text = |bytes: Option<i64>| bytes.map(|bytes| sizes::exact(bytes.unsigned_abs())).unwrap_or_default();
        Self {
            monthly_storage: text(thresholds.monthly_storage_bytes),
            monthly_download: text(thresholds.monthly_download_bytes),
            daily_download: text(thresholds.daily_download_bytes),
        }
    }
}

/// Sets the given thresholds and removes the others; an empty form removes all.
pub(super) async fn set(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let context = context(&path)?;
    match change(&app, &visitor, &context, &form).await {
        Ok(()) => {
            Ok(notice::redirect(&app, &visitor, &context.address, Notice::success("The thresholds have been saved.")))
        }
        Err(failure) => {
            let refused = (Notice::from_failure(failure)?, Limits::typed(&form));
            page(&app, &visitor, &context, 0, Some(refused)).await
        }
    }
}

async fn change(app: &App, visitor: &Visitor, context: &UsageContext, form: &Form) -> Result<()> {
    let (house, caller, owner) = (app.house(), &visitor.caller, &context.owner);
    let [stored, month, day] = ["monthly_storage_bytes", "monthly_download_bytes", "daily_download_bytes"];
    let (stored, month, day) = (form.size(stored)?, form.size(month)?, form.size(day)?);
    let change = ThresholdChange {
        monthly_storage_bytes: Some(stored),
        monthly_download_bytes: Some(month),
        daily_download_bytes: Some(day),
    };
    let is_there = match usage_thresholds::show(house, caller, owner).await {
        Ok(_) => true,
        Err(operations::Error::NotFound { what: "Usage threshold", .. }) => false,
        Err(error) => return Err(error.into()),
    };
    let is_none = stored.is_none() && month.is_none() && day.is_none();
    let done = match (is_there, is_none) {
        (true, true) => usage_thresholds::delete(house, caller, owner).await,
        (true, false) => usage_thresholds::edit(house, caller, owner, change).await,
        (false, _) => usage_thresholds::create(house, caller, owner, change).await.map(drop),
    };
    done.map_err(Failure::from)
}
