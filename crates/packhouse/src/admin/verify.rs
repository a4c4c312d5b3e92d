//! `packhouse admin verify`.

use operations::{
    House,
    maintenance::verify::{self, Finding, Options, Progress},
};

use crate::admin::progress::watch;

pub(super) async fn run(house: &House, options: Options) -> Result<(), String> {
    let (progress, mut problems) = (Progress::default(), 0_u64);
    let print = |finding: Finding| {
        println!("{finding}");
        problems += u64::from(!finding.is_settled());
    };
    let verified = watch(verify::verify(house, options, &progress, print), "checked", &progress).await;
    verified.map_err(|error| error.to_string())?;
    println!("checked {} blobs of {} bytes", progress.blobs(), progress.bytes());
    match problems {
        0 => Ok(()),
        count => Err(format!("{count} problems found")),
    }
}
