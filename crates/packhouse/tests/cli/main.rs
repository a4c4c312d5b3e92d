//! The client's commands: the real program against a real server, on the stack of the run.

mod attributes;
mod can_i;
mod catalogue;
mod doctor;
mod image;
mod keys;
mod link;
mod login;
mod logs;
mod manage;
mod manual;
mod marks;
mod pull;
mod push;
mod push_large;
mod push_network;
mod scene;
mod search;
mod sign;
mod sign_url;
mod stats;
mod stream;
mod terminal;
mod token;
mod webhook;
mod whoami;
