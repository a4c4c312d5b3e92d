//! Builds the statements of attribute searches: one for all clauses.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    attribute::Scalar,
    attribute_query::{Clause, Condition, End, Interval, Range},
    page::PageRequest,
};

use crate::{
    catalogue::{
        attribute_values::{Class, wanted_keys},
        attributes::{ObjectKey, scope_of_package},
        packages::PackageRow,
        versions::VersionRow,
    },
    engine::{
        row::Columns,
        statement::{Statement, Value},
    },
    search::attribute_search::AttributeSearchScope,
};

/// Counts the values that match each clause, up to a bound. Each row has the position of its clause.
pub(crate) fn values_up_to(bound: i64, scope: AttributeSearchScope, clauses: &[Clause]) -> Statement {
    let mut query = Query::empty(scope);
    let bound = query.bind(bound);
    let count = |(place, clause): (usize, &Clause)| {
        let values = query.values(clause);
        format!(
            "SELECT CAST({place} AS BIGINT), CAST(COUNT(*) AS BIGINT)\nFROM ({values}\nLIMIT {bound}) values_{place}"
        )
    };
    let counts: Vec<String> = clauses.iter().enumerate().map(count).collect();
    Statement::new(format!("{}\nORDER BY 1", counts.join("\nUNION ALL ")), query.arguments).prepared_once()
}

impl AttributeSearchScope {
    /// Returns the `scope_id` of the values in the scope.
    fn id(self) -> i64 {
        match self {
            AttributeSearchScope::Repo(id) => id.get(),
            AttributeSearchScope::Package(id) | AttributeSearchScope::ShownVersions(id) => scope_of_package(id),
        }
    }

    /// Returns the table to search.
    fn searched(self) -> &'static Searched {
        match self {
            AttributeSearchScope::Repo(_) => &Searched {
                table: "packages p",
                id: "p.id",
                columns: PackageRow::COLUMNS,
                order: "p.name",
                object_key: "p.id",
                id_of_object: "a.object_id",
            },
            AttributeSearchScope::Package(_) | AttributeSearchScope::ShownVersions(_) => &Searched {
                table: "versions v",
                id: "v.id",
                columns: VersionRow::COLUMNS,
                order: "v.ordinal DESC",
                object_key: ObjectKey::OF_VERSION,
                id_of_object: ObjectKey::VERSION_ID,
            },
        }
    }
}

/// The SQL names of packages or versions.
struct Searched {
    table: &'static str,
    id: &'static str,
    columns: &'static str,
    order: &'static str,
    /// The object key of a row, as in `attribute_values`.
    object_key: &'static str,
    /// The id of the owner of a value.
    id_of_object: &'static str,
}

/// Excludes drafts, which only publishers may see.
const NO_DRAFT: &str = "\nAND (v.first_published IS NOT NULL OR NOT EXISTS (SELECT 1 FROM files f
                     WHERE f.version_id = v.id AND f.staged_blob_id IS NOT NULL))";

/// A statement under construction, with its arguments.
pub(crate) struct Query {
    scope: AttributeSearchScope,
    filter: String,
    arguments: Vec<Value>,
    /// The placeholder of each search key, so that none is bound twice.
    keys: BTreeMap<String, String>,
}

impl Query {
    /// Selects the objects that match all clauses. The first clause is looked up in an index, the others are tested on
    /// each hit.
    pub(crate) fn new(scope: AttributeSearchScope, clauses: &[Clause]) -> Self {
        let mut query = Self::empty(scope);
        let Some((first, others)) = clauses.split_first() else {
            query.filter = "1 = 0".into();
            return query;
        };
        query.filter = format!("{} IN ({})", scope.searched().id, query.hits(first));
        for clause in others {
            let also = query.asked_of_each(clause);
            query.filter.push_str("\nAND ");
            query.filter.push_str(&also);
        }
        if let AttributeSearchScope::ShownVersions(_) = scope {
            query.filter.push_str(NO_DRAFT);
        }
        query
    }

    fn empty(scope: AttributeSearchScope) -> Self {
        Self { scope, filter: String::new(), arguments: Vec::new(), keys: BTreeMap::new() }
    }

    pub(crate) fn list(mut self, window: PageRequest) -> Statement {
        let (limit, start) = (self.bind(window.limit), self.bind(window.start));
        let Searched { columns, table, order, .. } = self.scope.searched();
        let text = format!(
            "SELECT {columns}\nFROM {table}\nWHERE {}\nORDER BY {order}\nLIMIT {limit} OFFSET {start}",
            self.filter
        );
        Statement::new(text, self.arguments).prepared_once()
    }

    pub(crate) fn count(self) -> Statement {
        let text =
            format!("SELECT CAST(COUNT(*) AS BIGINT)\nFROM {}\nWHERE {}", self.scope.searched().table, self.filter);
        Statement::new(text, self.arguments).prepared_once()
    }

    fn bind(&mut self, value: impl Into<Value>) -> String {
        self.arguments.push(value.into());
        format!("${}", self.arguments.len())
    }

    fn bind_key(&mut self, key: String) -> String {
        match self.keys.get(&key) {
            Some(place) => place.clone(),
            None => {
                let place = self.bind(key.as_str());
                self.keys.insert(key, place.clone());
                place
            }
        }
    }

    /// Selects the ids of the objects that match a clause.
    fn hits(&mut self, clause: &Clause) -> String {
        let id = self.scope.searched().id_of_object;
        let arms = self.arms_in_scope(clause).into_iter().map(|Arm { test, must_match }| {
            let all =
                must_match.map_or(String::new(), |count| format!(" GROUP BY a.object_id HAVING COUNT(*) = {count}"));
            format!("SELECT {id} FROM attribute_values a WHERE {test}{all}")
        });
        arms.collect::<Vec<_>>().join("\nUNION ALL ")
    }

    /// Selects the values that match a clause, without checking that all required values exist.
    fn values(&mut self, clause: &Clause) -> String {
        let arms = self.arms_in_scope(clause).into_iter();
        arms.map(|arm| format!("SELECT 1 FROM attribute_values a WHERE {}", arm.test))
            .collect::<Vec<_>>()
            .join("\nUNION ALL ")
    }

    fn arms_in_scope(&mut self, clause: &Clause) -> Vec<Arm> {
        let (scope, name) = (self.bind(self.scope.id()), self.bind(clause.name.as_str()));
        let mut arms = self.arms(&clause.condition);
        for arm in &mut arms {
            arm.test = format!("a.scope_id = {scope} AND a.name = {name} AND {}", arm.test);
        }
        arms
    }

    /// Tests whether a single object matches a clause.
    fn asked_of_each(&mut self, clause: &Clause) -> String {
        let key = self.scope.searched().object_key;
        let name = self.bind(clause.name.as_str());
        let arms = self.arms(&clause.condition).into_iter().map(|arm| {
            let values =
                format!("FROM attribute_values a WHERE a.object_id = {key} AND a.name = {name} AND {}", arm.test);
            match arm.must_match {
                Some(count) => format!("(SELECT COUNT(*) {values}) = {count}"),
                None => format!("EXISTS (SELECT 1 {values})"),
            }
        });
        format!("({})", arms.collect::<Vec<_>>().join("\nOR "))
    }

    /// Converts a condition into tests of single values: one of them has to pass.
    fn arms(&mut self, condition: &Condition) -> Vec<Arm> {
        match condition {
            Condition::Is(wanted) => vec![Arm::any(self.is_one_of(keys_of(std::slice::from_ref(wanted))))],
            Condition::Among(wanted) => self.among(wanted),
            Condition::Within(Interval::Everything) => {
                vec![Arm::any("a.number IS NOT NULL".into()), Arm::any("a.moment IS NOT NULL".into())]
            }
            Condition::Within(Interval::Numbers(range)) => vec![Arm::any(self.within("a.number", range))],
            Condition::Within(Interval::Dates(range)) => vec![Arm::any(self.within("a.moment", range))],
        }
    }

    /// Matches a scalar that is one of the given values, or an array that contains all of them as values of its class.
    fn among(&mut self, wanted: &[Scalar]) -> Vec<Arm> {
        let mut arms = Vec::new();
        if !wanted.is_empty() {
            arms.push(Arm::any(format!("NOT a.is_array AND {}", self.is_one_of(keys_of(wanted)))));
        }
        let classes = [Class::Text, Class::Date, Class::Number, Class::Boolean];
        let all: BTreeSet<BTreeSet<String>> = classes.iter().filter_map(|class| keys_in(*class, wanted)).collect();
        for keys in all {
            let must_match = keys.len();
            let test = match must_match {
                0 => "a.is_array".to_owned(),
                _ => format!("a.is_array AND {}", self.is_one_of(keys)),
            };
            arms.push(Arm { test, must_match: Some(must_match).filter(|count| *count > 1) });
        }
        arms
    }

    fn is_one_of(&mut self, keys: BTreeSet<String>) -> String {
        let places: Vec<String> = keys.into_iter().map(|key| self.bind_key(key)).collect();
        format!("a.key IN ({})", places.join(", "))
    }

    fn within<T: Copy + Into<Value>>(&mut self, column: &str, range: &Range<T>) -> String {
        let mut tests = Vec::new();
        for (end, closed, open) in [(&range.from, ">=", ">"), (&range.to, "<=", "<")] {
            if let Some(End { at, is_included }) = end {
                let comparison = if *is_included { closed } else { open };
                tests.push(format!("{column} {comparison} {}", self.bind(*at)));
            }
        }
        tests.join(" AND ")
    }
}

/// A test of single values: one value must pass, or the given number of them.
struct Arm {
    test: String,
    must_match: Option<usize>,
}

impl Arm {
    fn any(test: String) -> Self {
        Self { test, must_match: None }
    }
}

fn keys_of(wanted: &[Scalar]) -> BTreeSet<String> {
    wanted.iter().flat_map(wanted_keys).map(|(_, key)| key).collect()
}

/// Returns the search keys that an array of this class must contain; `None` if it cannot contain all wanted values.
fn keys_in(class: Class, wanted: &[Scalar]) -> Option<BTreeSet<String>> {
    let key_in = |value: &Scalar| {
        let mut keys = wanted_keys(value).into_iter();
        keys.find(|(found, _)| *found == class || *found == Class::Null).map(|(_, key)| key)
    };
    wanted.iter().map(key_in).collect()
}

/// Returns statements for every form of a clause, alone and after another one.
#[cfg(test)]
pub(crate) fn samples() -> Vec<Statement> {
    use model::id::{PackageId, RepoId};

    let text = |text: &str| Scalar::Text(text.into());
    let (one, two) = (text("x"), text("2026-01-02T03:04:05Z"));
    let range = |text: &str| Condition::of_scalar(Scalar::Text(text.into())).expect("an interval");
    let conditions = [
        vec![Condition::Is(one.clone()), Condition::Is(Scalar::Null), Condition::Among(vec![])],
        vec![Condition::Among(vec![one.clone()]), Condition::Among(vec![one, two.clone()])],
        vec![Condition::Among(vec![two, text("2026-02-02T03:04:05Z"), Scalar::Null])],
        ["[1,2]", "]1,2[", "[1,]", "[,2]", "[,]", "[2026-01-02,]", "[,2026-01-02[", "[2026-01-02,2026-01-03]"]
            .map(range)
            .to_vec(),
    ]
    .concat();
    let clause = |condition: &Condition| Clause { name: "a".into(), condition: condition.clone() };
    let alone = conditions.iter().map(|condition| vec![clause(condition)]);
    let behind = conditions.iter().map(|condition| vec![clause(&conditions[0]), clause(condition)]);
    let window = PageRequest { start: 0, limit: 50 };
    let statements = |clauses: Vec<Clause>| {
        [
            AttributeSearchScope::Repo(RepoId::new(1)),
            AttributeSearchScope::Package(PackageId::new(1)),
            AttributeSearchScope::ShownVersions(PackageId::new(1)),
        ]
        .map(|scope| {
            let query = || Query::new(scope, &clauses);
            [query().list(window), query().count(), values_up_to(100, scope, &clauses)]
        })
    };
    alone.chain(behind).flat_map(statements).flatten().collect()
}
