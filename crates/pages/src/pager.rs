//! Navigation through the pages of a long list.

use model::page::PAGE_SIZE;

use crate::address::query_value;

/// The position of a page in a list, and the URLs of the pages before and after it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pager {
    /// The number of the first item, counted from one; zero if the list is empty.
    pub(crate) first: u64,
    /// The number of the last item.
    pub(crate) last: u64,
    /// The number of all items.
    pub(crate) total: u64,
    /// The URL of the page before; empty if there is none.
    pub(crate) before: String,
    /// The URL of the page after; empty if there is none.
    pub(crate) after: String,
    /// Whether `before` is the URL of the first page instead.
    pub(crate) leads_to_first: bool,
    /// Whether the pages are numbered and not their items, of which the page leaves some out.
    pub(crate) numbers_pages: bool,
}

impl Pager {
    /// The pager of a list at this URL, with these query parameters besides the position.
    pub(crate) fn new(address: &str, parameters: &[(&str, &str)], start: u64, shown: usize, total: u64) -> Self {
        let given: Vec<String> = parameters
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}={}&", query_value(value)))
            .collect();
        let to = |position: u64| format!("{address}?{}start_pos={position}", given.concat());
        let end = start.saturating_add(shown as u64);
        Self {
            first: if shown == 0 { 0 } else { start + 1 },
            last: if shown == 0 { 0 } else { end },
            total,
            before: if start > 0 { to(start.saturating_sub(PAGE_SIZE)) } else { String::new() },
            after: if shown > 0 && end < total { to(end) } else { String::new() },
            leads_to_first: false,
            numbers_pages: false,
        }
    }

    /// Where the page is in the list.
    pub(crate) fn place(&self) -> String {
        if self.numbers_pages {
            let page = |position: u64| position.saturating_sub(1) / PAGE_SIZE + 1;
            format!("Page {} of {}", page(self.first), page(self.total))
        } else {
            format!("{} to {} of {}", self.first, self.last, self.total)
        }
    }

    /// Whether there is more than one page.
    pub(crate) fn is_needed(&self) -> bool {
        !self.before.is_empty() || !self.after.is_empty()
    }
}

/// The page of a list that begins at a position.
pub(crate) fn page_of<T: Clone>(list: &[T], start: u64) -> Vec<T> {
    let size = usize::try_from(PAGE_SIZE).unwrap_or(usize::MAX);
    list.iter().skip(usize::try_from(start).unwrap_or(usize::MAX)).take(size).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_the_neighbours_and_keep_what_was_asked() {
        let pager = Pager::new("/a", &[("q", "x y"), ("in", "")], 50, 50, 120);
        assert_eq!((pager.first, pager.last, pager.total), (51, 100, 120));
        assert_eq!(
            (pager.before.as_str(), pager.after.as_str()),
            ("/a?q=x%20y&start_pos=0", "/a?q=x%20y&start_pos=100")
        );
        let all = Pager::new("/a", &[], 0, 3, 3);
        assert!(!all.is_needed() && all.last == 3);
        assert_eq!(Pager::new("/a", &[], 0, 0, 0).first, 0);
    }
}
