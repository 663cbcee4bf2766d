//! Paths to files, and files to responses.

use crate::headers::{Kind, content_type};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::UNIX_EPOCH;
use tokio::sync::oneshot;

/// Routes that serve the files below `root`. Merge them as a fallback behind routes of your own.
///
/// # Errors
/// When `root` is not a folder that can be read.
pub fn router(root: impl AsRef<Path>) -> io::Result<Router> {
    let root = root.as_ref().canonicalize()?;
    if !root.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "the folder to serve is not a folder"));
    }
    Ok(Router::new().fallback(answer).with_state(Arc::new(root)))
}

/// A server running on a thread of its own; it ends when this is dropped.
#[derive(Debug)]
pub struct Server {
    addr: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// The address the server listens on.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The address as a person types it, with a slash at the end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.addr)
    }

    /// Serves until the process is ended.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so already.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Serves `root` on 127.0.0.1, on `port` or, for 0, on any free one.
///
/// # Errors
/// When `root` is not a readable folder or the port is taken.
pub fn spawn(root: impl AsRef<Path>, port: u16) -> io::Result<Server> {
    let router = router(root)?;
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    let addr = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("host".into()).spawn(move || {
        runtime.block_on(async {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            tokio::select! {
                _ = axum::serve(listener, router) => {}
                _ = stopped => {}
            }
        });
        runtime.shutdown_background();
    })?;
    Ok(Server { addr, stop: Some(stop), thread: Some(thread) })
}

async fn answer(State(root): State<Arc<PathBuf>>, method: Method, uri: Uri, headers: HeaderMap) -> Response<Body> {
    if method != Method::GET && method != Method::HEAD {
        let mut refused = error(StatusCode::METHOD_NOT_ALLOWED);
        refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    match find(&root, uri.path()).await {
        Some(Found::File(path)) => file(&path, &headers).await,
        Some(Found::Folder) => moved(&format!("{}/", uri.path())),
        None => error(StatusCode::NOT_FOUND),
    }
}

enum Found {
    File(PathBuf),
    /// A folder asked for without the slash that makes its relative links work.
    Folder,
}

/// The file a request path names: below `root` also after links are followed, and never hidden.
async fn find(root: &Path, url_path: &str) -> Option<Found> {
    let relative = segments(url_path)?;
    let asked = tokio::fs::canonicalize(root.join(relative)).await.ok()?;
    if !asked.starts_with(root) {
        return None;
    }
    if tokio::fs::metadata(&asked).await.ok()?.is_file() {
        return (!url_path.ends_with('/')).then_some(Found::File(asked));
    }
    let index = tokio::fs::canonicalize(asked.join("index.html")).await.ok()?;
    if !index.starts_with(root) {
        return None;
    }
    Some(if url_path.ends_with('/') { Found::File(index) } else { Found::Folder })
}

/// The decoded path as a relative one, or nothing if any part of it could leave the folder or names a hidden file.
fn segments(url_path: &str) -> Option<PathBuf> {
    let mut path = PathBuf::new();
    let inner = url_path.strip_prefix('/')?;
    let inner = inner.strip_suffix('/').unwrap_or(inner);
    for part in inner.split('/').filter(|_| !inner.is_empty()) {
        let part = percent_decode(part)?;
        if part.is_empty() || part.starts_with('.') || part.contains(['/', '\\', '\0', ':']) {
            return None;
        }
        path.push(part);
    }
    Some(path)
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

async fn file(path: &Path, asked: &HeaderMap) -> Response<Body> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let (Ok(meta), Ok(bytes)) = (tokio::fs::metadata(path).await, tokio::fs::read(path).await) else {
        return error(StatusCode::NOT_FOUND);
    };
    let changed = meta.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map_or(0, |at| at.as_nanos());
    let tag = format!("\"{:x}-{:x}\"", bytes.len(), changed);
    let fresh = asked.get(header::IF_NONE_MATCH).is_some_and(|had| had.as_bytes() == tag.as_bytes());
    let mut response = if fresh {
        reply(StatusCode::NOT_MODIFIED, Kind::of(name), Body::empty())
    } else {
        reply(StatusCode::OK, Kind::of(name), Body::from(bytes))
    };
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn moved(to: &str) -> Response<Body> {
    let mut response = reply(StatusCode::PERMANENT_REDIRECT, Kind::Page, Body::empty());
    match HeaderValue::from_str(to) {
        Ok(to) => {
            response.headers_mut().insert(header::LOCATION, to);
            response
        }
        Err(_) => error(StatusCode::NOT_FOUND),
    }
}

/// An error names its status and nothing of the request: a path can hold what a person typed.
fn error(status: StatusCode) -> Response<Body> {
    let mut response = reply(status, Kind::Page, Body::from(format!("{status}\n")));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

fn reply(status: StatusCode, kind: Kind, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    for (name, value) in kind.headers() {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
