//! Products and their EULAs.

use api::*;

use crate::{
    access::*,
    endpoints::{Endpoints, delete, get, patch, post},
};

pub(super) fn products(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/products/{subject}", "List the products of a subject").lists::<ProductSummary>(200), list_products)
        .add(
            post("/products/{subject}", "Create a product").takes::<NewProduct>().answers::<Product>(201),
            create_product,
        )
        .add(get("/products/{subject}/{product}", "Show a product").answers::<Product>(200), show_product)
        .add(
            patch("/products/{subject}/{product}", "Change a product").takes::<ProductChange>().answers::<Message>(200),
            edit_product,
        )
        .add(delete("/products/{subject}/{product}", "Delete a product").answers::<Message>(200), delete_product)
}

pub(super) fn eulas(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/products/{subject}/{product}/eulas", "List the EULAs of a product").lists::<EulaSummary>(200),
            list_eulas,
        )
        .add(
            post("/products/{subject}/{product}/eulas", "Create a EULA").takes::<NewEula>().answers::<Eula>(201),
            create_eula,
        )
        .add(get("/products/{subject}/{product}/eulas/{eula}", "Show a EULA").answers::<Eula>(200), show_eula)
        .add(
            patch("/products/{subject}/{product}/eulas/{eula}", "Change a EULA")
                .takes::<EulaChange>()
                .answers::<Message>(200),
            edit_eula,
        )
        .add(delete("/products/{subject}/{product}/eulas/{eula}", "Delete a EULA").answers::<Message>(200), delete_eula)
        .add(
            post("/products/{subject}/{product}/eulas/{eula}/accept", "Accept a EULA with an access key")
                .takes::<EulaAcceptance>()
                .answers::<Message>(200),
            accept_eula,
        )
        .add(
            get("/products/{subject}/{product}/signed_eulas", "List who has accepted EULAs of a product")
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<SignedEula>(200),
            list_signed_eulas,
        )
        .add(
            get("/file_eula/{subject}/{repo}/{file_path}", "Show the EULA that binds a file").answers::<FileEula>(200),
            show_file_eula,
        )
}
