//! What the server says over a real socket.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use chartproof_host::headers::{ASSET_POLICY, PAGE_POLICY, WORKER_POLICY};
use chartproof_host::{Server, spawn};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

struct Site {
    folder: PathBuf,
    server: Server,
}

impl Site {
    /// A folder `inner/dist` with a secret beside it, served.
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("chartproof-host-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let dist = folder.join("dist");
        fs::create_dir_all(dist.join("demo")).unwrap();
        fs::create_dir_all(dist.join("empty")).unwrap();
        fs::write(folder.join("secret.txt"), "secret").unwrap();
        fs::write(dist.join("index.html"), "<!doctype html>page").unwrap();
        fs::write(dist.join("demo/index.html"), "<!doctype html>demo").unwrap();
        fs::write(dist.join("boot.js"), "1").unwrap();
        fs::write(dist.join("core-worker.js"), "2").unwrap();
        fs::write(dist.join("core.wasm"), b"\0asm").unwrap();
        fs::write(dist.join("a b.json"), "{}").unwrap();
        fs::write(dist.join(".hidden"), "hidden").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("secret.txt"), dist.join("link.txt")).unwrap();
        let server = spawn(&dist, 0).unwrap();
        Self { folder, server }
    }

    fn send(&self, request: &str) -> Reply {
        let mut socket = TcpStream::connect(self.server.addr()).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).unwrap();
        Reply::read(&bytes)
    }

    fn get(&self, path: &str) -> Reply {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

struct Reply {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Reply {
    fn read(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        Self { status, headers, body: bytes[end + 4..].to_vec() }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

#[test]
fn page_worker_and_asset_have_their_policies() {
    let site = Site::new("policies");
    for (path, policy, media) in [
        ("/", PAGE_POLICY, "text/html; charset=utf-8"),
        ("/index.html", PAGE_POLICY, "text/html; charset=utf-8"),
        ("/demo/", PAGE_POLICY, "text/html; charset=utf-8"),
        ("/boot.js", WORKER_POLICY, "text/javascript; charset=utf-8"),
        ("/core-worker.js", WORKER_POLICY, "text/javascript; charset=utf-8"),
        ("/core.wasm", ASSET_POLICY, "application/wasm"),
        ("/a%20b.json", ASSET_POLICY, "application/json"),
    ] {
        let reply = site.get(path);
        assert_eq!(reply.status, 200, "{path}");
        assert_eq!(reply.header("content-security-policy"), policy, "{path}");
        assert_eq!(reply.header("content-type"), media, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(reply.header("cache-control"), "no-cache", "{path}");
        assert!(reply.header("permissions-policy").contains("camera=()"), "{path}");
    }
}

#[test]
fn worker_policy_allows_no_request() {
    assert!(WORKER_POLICY.contains("connect-src 'none'"));
    assert!(PAGE_POLICY.contains("connect-src 'self'"));
    assert!(!PAGE_POLICY.contains("unsafe-inline") && !WORKER_POLICY.contains("unsafe-inline"));
}

#[test]
fn missing_files_are_404_with_the_page_policy() {
    let site = Site::new("missing");
    for path in ["/nothing.js", "/demo/nothing", "/empty/", "/empty", "/index.html/", "//index.html"] {
        let reply = site.get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(reply.header("content-security-policy"), PAGE_POLICY, "{path}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("nothing"), "an error echoes no path");
    }
}

#[test]
fn nothing_outside_the_folder_or_hidden_is_served() {
    let site = Site::new("outside");
    for path in [
        "/../secret.txt",
        "/demo/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%5csecret.txt",
        "/link.txt",
        "/.hidden",
        "/%2ehidden",
        "/index.html%00",
        "/%zz",
        "/%c3%28",
    ] {
        let reply = site.get(path);
        assert!(matches!(reply.status, 400 | 404), "{path}: {}", reply.status);
        assert!(!reply.body.windows(6).any(|six| six == b"secret" || six == b"hidden"), "{path}");
    }
}

#[test]
fn folder_without_slash_moves_to_the_one_with() {
    let site = Site::new("folder");
    let reply = site.get("/demo");
    assert_eq!((reply.status, reply.header("location")), (308, "/demo/"));
}

#[test]
fn head_has_no_body_and_other_methods_are_refused() {
    let site = Site::new("methods");
    let head = site.send("HEAD /index.html HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), "19");
    let post =
        site.send("POST /index.html HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    assert_eq!((post.status, post.header("allow")), (405, "GET, HEAD"));
}

#[test]
fn an_unchanged_file_is_not_sent_again() {
    let site = Site::new("etag");
    let first = site.get("/core.wasm");
    let tag = first.header("etag").to_owned();
    assert!(!tag.is_empty());
    let again = site.send(&format!(
        "GET /core.wasm HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nif-none-match: {tag}\r\n\r\n"
    ));
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("content-security-policy"), ASSET_POLICY);
}

#[test]
fn a_taken_port_is_an_error_and_a_dropped_server_frees_it() {
    let site = Site::new("port");
    let port = site.server.addr().port();
    assert!(site.server.addr().ip().is_loopback());
    assert!(spawn(site.folder.join("dist"), port).is_err());
    assert!(spawn(site.folder.join("no such folder"), 0).is_err());
}
