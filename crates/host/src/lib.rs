//! The static server of the page: it serves one folder, with headers that depend on the kind of file.
//!
//! The page, its worker and everything they load come from here, in development, in the end-to-end tests and behind the
//! proxy. What the browser may do with a record is decided by the headers of [`headers`]; this crate sends them on every
//! response, errors included, so that no path of the server is without a policy.
//!
//! ```no_run
//! let server = chartproof_host::spawn("dist", 8080)?;
//! println!("{}", server.url());
//! server.wait();
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod headers;
mod site;

pub use site::{Server, router, spawn};
