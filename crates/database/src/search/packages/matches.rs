//! The packages that match words or a label, at most a fixed number of them: their order, their page, and facets.

use std::collections::{HashMap, HashSet};

use model::{
    access::Viewer,
    id::PackageId,
    package::Package,
    page::PageRequest,
    prefix::NameRange,
    search::{FacetCount, SearchFacets, SearchOrder, SearchScope, SearchTerms},
};

use super::{TEXTS, has_few_packages, query};
use crate::{
    Database, Result,
    catalogue::packages::PackageRow,
    engine::{
        keys,
        row::{Columns, row},
        statement::{Statement, select},
    },
    search::{
        Results, SearchQuery,
        candidates::{MOST_MATCHES, on_page},
        word_filter::TextMatch,
    },
};

/// The most matches that are read in the order of SQLite's index, which costs less than the newest first.
const FEW: usize = 100;

/// The most matches whose names begin with the words that are added to the newest ones.
const BEST_NAMED: usize = 100;

/// The number of the newest packages that show whether words are frequent, and how many of them then match at least.
const SAMPLE: usize = 500;
const FREQUENT: usize = 25;

/// The number of packages in which frequent words are looked for one package at a time. So many that match are read,
/// some of which the viewer may not see.
const NEWEST: usize = MOST_MATCHES * SAMPLE / FREQUENT;
const MOST_READ: usize = 2 * MOST_MATCHES;

row! {
    struct PackageMatchRow in "p" {
        id: PackageId, name: String, folded_name: String, folded_labels: String, updated: i64, owner: String = "s.name",
        repo: String = "r.name", kind: String = "r.type", licenses: String, custom_licenses: String,
    }
}

/// Packages that match.
pub(super) struct PackageMatches {
    found: Vec<PackageMatchRow>,
    /// Whether more packages match than these.
    pub(super) is_cut: bool,
}

impl PackageMatches {
    /// Reads the packages that match in this scope.
    pub(super) async fn read(db: &Database, terms: &SearchTerms, scope: &SearchScope, reader: Viewer) -> Result<Self> {
        let MatchStatements { all, newest, frequent, of_few, best_named } = statements(db, terms, scope, reader);
        let (mut found, mut best) = match (all, frequent) {
            _ if has_few_packages(db, scope).await? => (db.all(of_few).await?, None),
            (Some(all), _) => (unless_cut(db, db.all(all).await?, newest).await?, None),
            (None, Some(frequent)) => frequent.find(db, newest, &best_named).await?,
            (None, None) => (db.all(newest).await?, None),
        };
        let is_cut = found.len() > MOST_MATCHES;
        found.truncate(MOST_MATCHES);
        if is_cut && best.is_none() && terms.words.is_some() {
            best = Some(db.all(best_named).await?);
        }
        if let Some(best) = best.filter(|_| is_cut) {
            let known: HashSet<PackageId> = found.iter().map(|row| row.id).collect();
            found.extend(best.into_iter().filter(|row| !known.contains(&row.id)));
        }
        // One engine ignores the letter case of a licence, and the other does not.
        Ok(Self { found, is_cut }.within(scope))
    }

    /// Those of them in this scope.
    pub(super) fn within(mut self, scope: &SearchScope) -> Self {
        self.found.retain(|row| row.is_owned(scope) && row.is_in_format(scope) && row.is_licensed(scope));
        self
    }

    /// What they can be narrowed to.
    pub(super) fn facets(&self, scope: &SearchScope) -> SearchFacets {
        let rows = || self.found.iter();
        let of_any_owner = rows().filter(|row| row.is_in_format(scope) && row.is_licensed(scope));
        let of_any_format = rows().filter(|row| row.is_owned(scope) && row.is_licensed(scope));
        let of_any_license = rows().filter(|row| row.is_owned(scope) && row.is_in_format(scope));
        SearchFacets {
            owners: FacetCount::of(of_any_owner.map(|row| row.owner.as_str())),
            formats: FacetCount::of(of_any_format.map(|row| row.kind.as_str())),
            licenses: FacetCount::of(of_any_license.flat_map(PackageMatchRow::all_licenses)),
        }
    }

    /// A page of them in the order of the terms.
    pub(super) async fn page(
        self,
        db: &Database,
        terms: &SearchTerms,
        window: PageRequest,
    ) -> Result<Results<Package>> {
        let downloads = match terms.order {
            SearchOrder::Downloads => self.downloads(db).await?,
            _ => HashMap::new(),
        };
        let ranked = self.found.into_iter().map(|row| {
            let first = match (terms.order, &terms.words) {
                (SearchOrder::Best, Some(words)) => words.rank(&row.folded_name, &row.folded_labels).into(),
                (SearchOrder::Updated, _) => -row.updated,
                (SearchOrder::Downloads, _) => -downloads.get(&row.id).copied().unwrap_or_default(),
                (SearchOrder::Best | SearchOrder::Name, _) => 0,
            };
            (first, row)
        });
        let mut ranked: Vec<(i64, PackageMatchRow)> = ranked.collect();
        ranked.sort_by(|(one, left), (other, right)| one.cmp(other).then_with(|| left.names().cmp(&right.names())));
        ranked.truncate(MOST_MATCHES);
        let total = i64::try_from(ranked.len()).unwrap_or(i64::MAX);
        let ids: Vec<PackageId> = on_page(&ranked, window).iter().map(|(_, row)| row.id).collect();
        let rows: Vec<PackageRow> =
            keys::all(db, select!(PackageRow, "FROM packages p WHERE p.id IN ($keys)"), &ids).await?;
        let mut rows: HashMap<PackageId, PackageRow> = rows.into_iter().map(|row| (row.id, row)).collect();
        Results { items: ids.iter().filter_map(|id| rows.remove(id)).collect(), total }.try_into_all()
    }

    /// The downloads in thirty days of those with public numbers.
    async fn downloads(&self, db: &Database) -> Result<HashMap<PackageId, i64>> {
        let ids: Vec<PackageId> = self.found.iter().map(|row| row.id).collect();
        let statement = select!(
            CountedRow,
            "FROM recent_downloads d JOIN packages p ON p.id = d.package_id
             WHERE d.package_id IN ($keys) AND p.public_download_numbers",
        );
        let rows: Vec<CountedRow> = keys::all(db, statement, &ids).await?;
        Ok(rows.into_iter().map(|row| (row.package_id, row.downloads)).collect())
    }
}

row! {
    struct CountedRow in "d" { package_id: PackageId, downloads: i64 }
}

impl PackageMatchRow {
    fn names(&self) -> [&str; 3] {
        [&self.name, &self.owner, &self.repo]
    }

    fn is_owned(&self, scope: &SearchScope) -> bool {
        scope.owner.as_ref().is_none_or(|owner| self.owner == owner.as_str())
    }

    fn is_in_format(&self, scope: &SearchScope) -> bool {
        scope.format.as_ref().is_none_or(|format| self.kind == *format)
    }

    fn is_licensed(&self, scope: &SearchScope) -> bool {
        scope.license.as_ref().is_none_or(|license| self.all_licenses().any(|own| own == license))
    }

    fn all_licenses(&self) -> impl Iterator<Item = &str> {
        self.licenses.lines().chain(self.custom_licenses.lines())
    }
}

const WITH_REPOS: &str = "JOIN repos r ON r.id = p.repo_id JOIN subjects s ON s.id = r.owner_id";

/// The same, with the repositories after the packages: no engine uses an index for a column with a sign.
const AFTER_PACKAGES: &str = "JOIN repos r ON r.id = +p.repo_id JOIN subjects s ON s.id = r.owner_id";

/// The statements of a search.
pub(super) struct MatchStatements {
    /// All matches if they are few, and otherwise the oldest; only if this costs less than the newest ones.
    pub(super) all: Option<Statement>,
    /// The newest matches.
    pub(super) newest: Statement,
    /// The same for frequent words, if `newest` finds all matches before it sorts them.
    pub(super) frequent: Option<FrequentStatements>,
    /// The newest matches in repositories with few packages.
    pub(super) of_few: Statement,
    /// The matches whose names begin with the words.
    pub(super) best_named: Statement,
}

/// The statements for words that very many packages match: the packages are compared one by one, the newest first.
pub(super) struct FrequentStatements {
    /// The matches among a few of the newest packages; in a search everywhere also those that the viewer may not see.
    pub(super) sample: Statement,
    /// The newest matches, if there are enough of them among the newest packages.
    pub(super) newest: Statement,
}

/// The newest matches, and those whose names begin with the words if they were read, too.
type Matches = (Vec<PackageMatchRow>, Option<Vec<PackageMatchRow>>);

impl FrequentStatements {
    /// Reads the newest matches: with this statement, if the words are not frequent. If they are, it reads those whose
    /// names begin with the words at the same time.
    async fn find(self, db: &Database, otherwise: Statement, best_named: &Statement) -> Result<Matches> {
        let sample: Vec<PackageId> = db.all(self.sample).await?;
        if sample.len() >= FREQUENT {
            let (found, best) = tokio::try_join!(db.all(self.newest), db.all(best_named.clone()))?;
            if found.len() > MOST_MATCHES {
                return Ok((found, Some(best)));
            }
        }
        Ok((db.all(otherwise).await?, None))
    }
}

/// Returns the matches that were found, or those of another statement if these are not all.
async fn unless_cut(db: &Database, found: Vec<PackageMatchRow>, newest: Statement) -> Result<Vec<PackageMatchRow>> {
    if found.len() > FEW { db.all(newest).await } else { Ok(found) }
}

pub(super) fn statements(db: &Database, terms: &SearchTerms, scope: &SearchScope, reader: Viewer) -> MatchStatements {
    let (columns, limit) = (PackageMatchRow::COLUMNS, MOST_MATCHES + 1);
    let query = || query(db, terms, scope, reader);
    let (found, few) = (TEXTS.newest(db, terms, scope.label.as_ref()), TEXTS.newest_of_few(db, terms));
    let all = found.cheaper_order.clone().map(|order| TextMatch { order, ..found.clone() });
    let among_newest = |columns: &str, rows: usize, limit: usize, most: usize| {
        let (query, found) = query().among_newest(few.clone(), rows, most);
        query.candidates(columns, AFTER_PACKAGES, found, limit)
    };
    // Rights leave out few packages, and a scope may leave out most.
    let is_everywhere =
        matches!(scope, SearchScope { owner: None, repo: None, format: None, license: None, label: None });
    let sample = || {
        if is_everywhere {
            return SearchQuery::default().sample(few.clone(), SAMPLE, FREQUENT);
        }
        among_newest("p.id", SAMPLE, FREQUENT, FREQUENT)
    };
    // A label alone is not compared package by package.
    let has_words = terms.words.is_some();
    let frequent = (has_words && found.is_sorted_last)
        .then(|| FrequentStatements { sample: sample(), newest: among_newest(columns, NEWEST, limit, MOST_READ) });
    MatchStatements {
        all: all.map(|all| query().candidates(columns, AFTER_PACKAGES, all, FEW + 1)),
        newest: query().candidates(columns, AFTER_PACKAGES, found, limit),
        frequent,
        of_few: query().candidates(columns, WITH_REPOS, few, limit),
        best_named: best_named(query(), terms),
    }
}

/// Selects the first packages by name whose names begin with the words. The other conditions are asked of one package
/// after the other: PostgreSQL would expect them to leave hardly any, and read all names with this beginning to sort them.
fn best_named(query: SearchQuery, terms: &SearchTerms) -> Statement {
    let SearchQuery { conditions, mut arguments } = query;
    let NameRange { from, to } =
        NameRange::beginning_with(&terms.words.as_ref().map(|words| words.best_name()).unwrap_or_default());
    let (columns, conditions, next) = (PackageMatchRow::COLUMNS, conditions.join(" AND "), arguments.len() + 1);
    arguments.extend([from.into(), to.into()]);
    let text = format!(
        "SELECT {columns}
         FROM (SELECT * FROM packages p
             WHERE p.folded_name >= ${next} AND p.folded_name < ${}
                 AND (SELECT {conditions} FROM repos r JOIN subjects s ON s.id = r.owner_id WHERE r.id = p.repo_id)
             ORDER BY p.folded_name, p.id
             LIMIT {BEST_NAMED}) p {AFTER_PACKAGES}
         ORDER BY p.folded_name, p.id",
        next + 1
    );
    Statement::new(text, arguments)
}
