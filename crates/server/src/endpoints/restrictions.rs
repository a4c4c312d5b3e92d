//! Download restrictions.

use api::*;

use crate::{
    access::*,
    endpoints::{Endpoints, delete, get, patch, put},
};

pub(super) fn restrictions(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/repos/{subject}/{repo}/geo_restrictions", "Show the countries from which downloads are allowed")
                .answers::<GeoRestrictions>(200),
            show_geo_restrictions,
        )
        .add(
            put("/repos/{subject}/{repo}/geo_restrictions", "Allow downloads from some countries only")
                .takes::<GeoRestrictions>()
                .answers::<GeoRestrictions>(200),
            set_geo_restrictions,
        )
        .add(
            delete("/repos/{subject}/{repo}/geo_restrictions", "Allow downloads from all countries")
                .answers::<Message>(200),
            delete_geo_restrictions,
        )
        .add(
            get("/repos/{subject}/{repo}/ip_restrictions", "Show the networks from which downloads are allowed")
                .answers::<IpRestrictions>(200),
            show_ip_restrictions,
        )
        .add(
            put("/repos/{subject}/{repo}/ip_restrictions", "Allow downloads from some networks only")
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
            delete("/repos/{subject}/{repo}/ip_restrictions", "Allow downloads from all networks")
                .answers::<Message>(200),
            delete_ip_restrictions,
        )
}
