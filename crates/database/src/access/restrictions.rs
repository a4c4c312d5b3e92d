//! Download restrictions of repositories, by country and network.

use ipnet::IpNet;
use model::{
    access::{Countries, Country, Networks, Restrictions},
    id::RepoId,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        lines,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    struct RestrictionsRow in "g" {
        is_white: Option<bool>, countries: Option<String>, white_cidrs: Option<String> = "i.white_cidrs",
        black_cidrs: Option<String> = "i.black_cidrs",
    }
}

/// Returns the restrictions of a repository, by country and by network.
pub async fn find(db: &dyn Read, repo_id: RepoId) -> Result<Restrictions> {
    let row: Option<RestrictionsRow> = db
        .one(select!(
            RestrictionsRow,
            "FROM repos r
             LEFT JOIN geo_restrictions g ON g.repo_id = r.id
             LEFT JOIN ip_restrictions i ON i.repo_id = r.id
             WHERE r.id = $1",
            repo_id,
        ))
        .await?;
    let damaged = || Error::Broken(format!("the restrictions of repository {repo_id} have a damaged row"));
    row.map_or(Some(Restrictions::default()), RestrictionsRow::restrictions).ok_or_else(damaged)
}

impl RestrictionsRow {
    fn restrictions(self) -> Option<Restrictions> {
        let networks = |text: Option<String>| -> Option<Vec<IpNet>> {
            lines::split(&text.unwrap_or_default()).iter().map(|network| network.parse().ok()).collect()
        };
        let countries = match self.is_white.zip(self.countries) {
            Some((is_white, list)) => {
                let list = lines::split(&list).iter().map(|code| Country::parse(code)).collect::<Option<Vec<_>>>()?;
                Some(if is_white { Countries::White(list) } else { Countries::Black(list) })
            }
            None => None,
        };
        let networks = Networks { white: networks(self.white_cidrs)?, black: networks(self.black_cidrs)? };
        Some(Restrictions { networks, countries })
    }
}

/// Sets the countries of a repository.
pub async fn set_countries(tx: &mut Tx, repo_id: RepoId, countries: Option<&Countries>) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo_id));
    let (is_white, list) = match countries {
        None => {
            tx.run(sql!("DELETE FROM geo_restrictions WHERE repo_id = $1", repo_id).long()).await?;
            return Ok(());
        }
        Some(Countries::White(list)) => (true, list),
        Some(Countries::Black(list)) => (false, list),
    };
    tx.run(insert!(
        geo_restrictions {
            repo_id,
            is_white,
            countries: lines::join(&list.iter().map(|country| country.as_str().to_owned()).collect::<Vec<_>>()),
        },
        "ON CONFLICT (repo_id) DO UPDATE SET is_white = excluded.is_white, countries = excluded.countries",
    ))
    .await?;
    Ok(())
}

/// Sets the networks of a repository.
pub async fn set_networks(tx: &mut Tx, repo_id: RepoId, networks: &Networks) -> Result<()> {
    tx.invalidate(Invalidation::Repo(repo_id));
    if *networks == Networks::default() {
        tx.run(sql!("DELETE FROM ip_restrictions WHERE repo_id = $1", repo_id).long()).await?;
        return Ok(());
    }
    let list = |networks: &[IpNet]| lines::join(&networks.iter().map(IpNet::to_string).collect::<Vec<_>>());
    tx.run(insert!(
        ip_restrictions { repo_id, white_cidrs: list(&networks.white), black_cidrs: list(&networks.black) },
        "ON CONFLICT (repo_id) DO UPDATE SET white_cidrs = excluded.white_cidrs, black_cidrs = excluded.black_cidrs",
    ))
    .await?;
    Ok(())
}
