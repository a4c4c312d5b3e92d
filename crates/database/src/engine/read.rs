//! Sources for queries.

use std::{any::Any, future::Future, pin::Pin};

use crate::{
    Database, Result, Tx,
    engine::{
        row::{FromRow, Row},
        statement::{Cost, Statement},
    },
};

/// Decoded rows of a type that the engines do not know, so that their code is compiled once for all types.
pub trait Rows: Any + Send {
    /// Decodes a row and adds it.
    fn add(&mut self, row: &Row<'_>) -> Result<()>;
}

impl<T: FromRow> Rows for Vec<T> {
    fn add(&mut self, row: &Row<'_>) -> Result<()> {
        self.push(T::from_row(row)?);
        Ok(())
    }
}

/// A statement whose rows are being read.
pub(crate) type Reading<'r> = Pin<Box<dyn Future<Output = Result<Box<dyn Rows>>> + Send + 'r>>;

/// A source for queries: the database itself, or a transaction, which sees its own writes.
///
/// Functions take it as `&dyn Read`, so that they are compiled once and not once for each source.
pub trait Read: Sync {
    /// Adds all rows of a statement to `rows`, and returns them.
    fn fill(&self, statement: Statement, rows: Box<dyn Rows>) -> Reading<'_>;
}

impl dyn Read + '_ {
    /// Returns all rows of a statement.
    pub async fn all<T: FromRow>(&self, statement: Statement) -> Result<Vec<T>> {
        // Growing from zero would allocate room for four rows.
        let rows = Vec::<T>::with_capacity(usize::from(statement.cost == Cost::Lookup));
        Ok(typed(self.fill(statement, Box::new(rows)).await?))
    }

    /// Returns the only row of a statement, if any.
    pub async fn one<T: FromRow>(&self, statement: Statement) -> Result<Option<T>> {
        Ok(self.all(statement).await?.pop())
    }
}

impl Database {
    /// Returns all rows of a statement.
    pub async fn all<T: FromRow>(&self, statement: Statement) -> Result<Vec<T>> {
        (self as &dyn Read).all(statement).await
    }

    /// Returns the only row of a statement, if any.
    pub async fn one<T: FromRow>(&self, statement: Statement) -> Result<Option<T>> {
        (self as &dyn Read).one(statement).await
    }
}

impl Tx {
    /// Returns all rows of a statement.
    pub async fn all<T: FromRow>(&self, statement: Statement) -> Result<Vec<T>> {
        (self as &dyn Read).all(statement).await
    }

    /// Returns the only row of a statement, if any.
    pub async fn one<T: FromRow>(&self, statement: Statement) -> Result<Option<T>> {
        (self as &dyn Read).one(statement).await
    }
}

/// Returns the rows as what they are.
pub(crate) fn typed<T: FromRow>(rows: Box<dyn Rows>) -> Vec<T> {
    let rows: Box<dyn Any> = rows;
    *rows.downcast().expect("rows come back as they were given")
}
