//! Functions with `#[boxed::future]` are called, borrow and return like others.

use std::{fmt::Display, future::Future, pin::Pin};

use futures_util::FutureExt;

/// Borrows from its caller, like `Formatter<'_>`.
struct Borrowed<'b>(&'b str);

struct Counter {
    count: u32,
}

impl Counter {
    #[boxed::future]
    async fn add(&mut self, more: u32) -> u32 {
        self.count += more;
        self.count
    }

    #[boxed::future]
    async fn is_above(&self, others: &[u32], found: &mut Vec<u32>) {
        found.extend(others.iter().filter(|other| **other < self.count));
    }
}

#[boxed::future]
async fn first<'t>(text: &'t str, separator: &Borrowed<'_>) -> Option<&'t str> {
    text.split(separator.0).next()
}

#[boxed::future]
async fn shown(value: &(dyn Display + Sync), each: &(dyn Fn(&str) -> String + Sync)) -> String {
    each(&value.to_string())
}

#[boxed::future]
async fn next_number(text: &str) -> Result<i32, std::num::ParseIntError> {
    if text.is_empty() {
        return Ok(0);
    }
    let number: i32 = text.parse()?;
    Ok(number + 1)
}

#[boxed::future]
async fn endless(mut left: u32) -> u32 {
    loop {
        left /= 2;
        if left < 10 {
            return left;
        }
    }
}

fn now<T>(future: Pin<Box<dyn Future<Output = T> + Send + '_>>) -> T {
    future.now_or_never().expect("it waits for nothing")
}

#[test]
fn methods_borrow_themselves() {
    let (mut counter, mut found) = (Counter { count: 1 }, Vec::new());
    assert_eq!(now(counter.add(2)), 3);
    now(counter.is_above(&[1, 2, 3, 4], &mut found));
    assert_eq!(found, [1, 2]);
}

#[test]
fn a_result_may_live_as_long_as_one_of_the_arguments() {
    let text = String::from("a/b");
    let found = {
        let separator = String::from("/");
        now(first(&text, &Borrowed(&separator)))
    };
    assert_eq!(found, Some("a"));
}

#[test]
fn functions_return_early_and_with_errors() {
    assert_eq!(now(next_number("")), Ok(0));
    assert_eq!(now(next_number("12")), Ok(13));
    assert!(now(next_number("x")).is_err());
    assert_eq!(now(endless(100)), 6);
}

#[test]
fn references_of_other_functions_stay_theirs() {
    assert_eq!(now(shown(&5, &|text| format!("<{text}>"))), "<5>");
}
