//! Requests that another site makes a browser send.
