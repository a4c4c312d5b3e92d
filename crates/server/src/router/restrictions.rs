//! Download restrictions.

use api::*;

use crate::{
    access::*,
    endpoints::{Endpoints, delete, get, patch, put},
};

pub(super) fn restrictions(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/repos/{subject}/{repo}/geo_restrictions", "Show the countries that downloads are let in from")
                .answers::<GeoRestrictions>(200),
            show_geo_restrictions,
        )
        .add(
            put("/repos/{subject}/{repo}/geo_restrictions", "Let downloads in from some countries only")
                .takes::<GeoRestrictions>()
                .answers::<GeoRestrictions>(200),
            set_geo_restrictions,
        )
        .add(
            delete("/repos/{subject}/{repo}/geo_restrictions", "Let downloads in from all countries")
                .answers::<Message>(200),
            delete_geo_restrictions,
        )
        .add(
            get("/repos/{subject}/{repo}/ip_restrictions", "Show the networks that downloads are let in from")
                .answers::<IpRestrictions>(200),
            show_ip_restrictions,
        )
        .add(
            put("/repos/{subject}/{repo}/ip_restrictions", "Let downloads in from some networks only")
                .takes::<IpRestrictions>()
                .answers::<IpRestrictions>(200),
            set_ip_restrictions,
        )
        .add(
            patch("/repos/{subject}/{repo}/ip_restrictions", "Add and remove networks")
                .takes::<IpRestrictionsChange>()
                .answers::<IpRestrictions>(200),
            edit_ip_restrictions,
        )
        .add(
            delete("/repos/{subject}/{repo}/ip_restrictions", "Let downloads in from all networks")
                .answers::<Message>(200),
            delete_ip_restrictions,
        )
}
