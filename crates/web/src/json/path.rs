//! Where a value is in a body, so that an error can name it.

use std::{cell::OnceCell, iter::Enumerate, rc::Rc, vec};

use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess};
use serde_json::{Error, Map, Value, map};

use super::spelling::Spelled;

/// The names that lead to a value in a body.
pub(super) struct ValuePath {
    parent: Option<Rc<ValuePath>>,
    /// The name of the field, or the position in square brackets.
    name: String,
    /// Where reading the body failed, which all paths of a body share.
    failed: Rc<OnceCell<String>>,
}

impl ValuePath {
    /// The path of the whole body.
    pub(super) fn root() -> Rc<Self> {
        Rc::new(Self { parent: None, name: String::new(), failed: Rc::default() })
    }

    /// Describes an error of reading the body, with the name of the value.
    pub(super) fn explain(&self, error: &Error) -> String {
        self.failed.get().map_or_else(|| error.to_string(), |path| format!("{path}: {error}"))
    }

    fn child(parent: &Rc<Self>, name: String) -> Rc<Self> {
        Rc::new(Self { parent: Some(parent.clone()), name, failed: parent.failed.clone() })
    }

    /// Records the innermost value that failed.
    fn watch<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if result.is_err() {
            self.failed.get_or_init(|| self.text());
        }
        result
    }

    /// The names from the body to this value, such as `rules[0].name`.
    fn text(&self) -> String {
        let outer = self.parent.as_ref().map(|parent| parent.text()).unwrap_or_default();
        let dot = if outer.is_empty() || self.name.starts_with('[') { "" } else { "." };
        format!("{outer}{dot}{}", self.name)
    }
}

/// The fields of an object, which are read one by one.
pub(super) struct Fields {
    rest: map::IntoIter,
    value: Option<(Value, Rc<ValuePath>)>,
    path: Rc<ValuePath>,
}

impl Fields {
    pub(super) fn new(fields: Map<String, Value>, path: Rc<ValuePath>) -> Self {
        Self { rest: fields.into_iter(), value: None, path }
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        let path = ValuePath::child(&self.path, name.clone());
        let key = path.watch(seed.deserialize(name.into_deserializer()))?;
        self.value = Some((value, path));
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (value, path) = self.value.take().expect("a value is read after its key");
        path.watch(seed.deserialize(Spelled::new(value, &[], path.clone())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The items of a list, which are read one by one.
pub(super) struct Items {
    rest: Enumerate<vec::IntoIter<Value>>,
    path: Rc<ValuePath>,
}

impl Items {
    pub(super) fn new(items: Vec<Value>, path: Rc<ValuePath>) -> Self {
        Self { rest: items.into_iter().enumerate(), path }
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some((position, value)) = self.rest.next() else { return Ok(None) };
        let path = ValuePath::child(&self.path, format!("[{position}]"));
        path.watch(seed.deserialize(Spelled::new(value, &[], path.clone()))).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}
