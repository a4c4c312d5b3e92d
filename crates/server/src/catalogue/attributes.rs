//! Typed attributes of packages and versions.

use axum::{Json, extract::State};
use model::attribute::{Attribute, AttributeType, Scalar, check_name};
use operations::catalogue::attributes::{self, AttributeSelection, AttributeTarget};
use serde_json::Value;
use web::{
    App,
    attribute_values::scalar,
    caller::{RequestCaller, SignedIn},
    error::{Failure, Result},
    json::JsonList,
    path_names::PathNames,
};

pub(crate) async fn list_attributes(
    State(app): State<App>,
    RequestCaller(caller): RequestCaller,
    path: PathNames,
) -> Result<Json<Vec<api::Attribute>>> {
    let found = attributes::list(app.house(), &caller, &object(&path)?, &names(&path)?).await?;
    Ok(Json(found.iter().map(view).collect()))
}

pub(crate) async fn replace_attributes(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonList(body): JsonList<api::NewAttribute>,
) -> Result<Json<Vec<api::Attribute>>> {
    let stored = attributes::replace(app.house(), &caller, &object(&path)?, given(body)?).await?;
    Ok(Json(stored.iter().map(view).collect()))
}

pub(crate) async fn edit_attributes(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonList(body): JsonList<api::NewAttribute>,
) -> Result<Json<Vec<api::Attribute>>> {
    let all = attributes::edit(app.house(), &caller, &object(&path)?, given(body)?).await?;
    Ok(Json(all.iter().map(view).collect()))
}

pub(crate) async fn delete_attributes(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    attributes::delete(app.house(), &caller, &object(&path)?, &names(&path)?).await?;
    Ok(Json(api::Message::success()))
}

/// The package of the route, or the version if the route is below `versions`.
fn object(path: &PathNames) -> Result<AttributeTarget> {
    Ok(if path.has("version") {
        AttributeTarget::Version(path.version_address()?)
    } else {
        AttributeTarget::Package(path.package_address()?)
    })
}

/// Parses `names=a,b`; without it, all attributes are meant.
fn names(path: &PathNames) -> Result<AttributeSelection> {
    let Some(list) = path.query("names")?.filter(|list| !list.is_empty()) else { return Ok(AttributeSelection::All) };
    let name = |name: &str| match check_name(name) {
        Ok(()) => Ok(name.to_owned()),
        Err(reason) => Err(Failure::bad_request(format!("names: {reason}"))),
    };
    Ok(AttributeSelection::Some(list.split(',').map(name).collect::<Result<_>>()?))
}

fn given(body: Vec<api::NewAttribute>) -> Result<Vec<Attribute>> {
    body.into_iter().enumerate().map(|(place, attribute)| read(place, attribute)).collect()
}

fn read(place: usize, body: api::NewAttribute) -> Result<Attribute> {
    let kind = body.kind.as_deref().map(|text| AttributeType::parse(text).ok_or_else(|| unknown_kind(place, text)));
    let values = body.values.map(|values| {
        values
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                let refuse = |reason| Failure::bad_request(format!("[{place}].values[{index}]: {reason}"));
                scalar(value).map_err(refuse)
            })
            .collect::<Result<Vec<_>>>()
    });
    Attribute::new(&body.name, values.transpose()?, kind.transpose()?)
        .map_err(|error| Failure::bad_request(format!("[{place}]: {error}")))
}

fn unknown_kind(place: usize, text: &str) -> Failure {
    let (known, text): (_, String) =
        (AttributeType::ALL.map(AttributeType::as_str).join(", "), text.chars().take(40).collect());
    Failure::bad_request(format!("[{place}].type: '{text}' is not one of {known}"))
}

/// The values of attributes by name, for responses that include them.
pub(super) fn values(attributes: &[Attribute]) -> api::AttributeValues {
    let pair = |attribute: &Attribute| (attribute.name().to_owned(), json(attribute));
    api::AttributeValues(attributes.iter().map(pair).collect())
}

fn view(attribute: &Attribute) -> api::Attribute {
    api::Attribute {
        name: attribute.name().to_owned(),
        values: json(attribute),
        kind: attribute.kind().as_str().to_owned(),
    }
}

fn json(attribute: &Attribute) -> Option<Vec<Value>> {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(value) => Value::from(*value),
        Scalar::Text(text) => Value::from(text.as_str()),
        Scalar::Number(number) => serde_json::from_str(number.literal()).unwrap_or_else(|_| number.value().into()),
    };
    attribute.values().map(|values| values.iter().map(value).collect())
}
