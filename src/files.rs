//! Bytes of what the user gives: picked files, dropped files and folders, pasted text, samples.

use js_sys::{Array, ArrayBuffer, Function, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DataTransfer, File, FileSystemDirectoryEntry, FileSystemEntry, FileSystemFileEntry};

use crate::Demo;

/// Files of a dropped folder beyond this number are not read, and that is said.
pub(crate) const MOST_FILES: usize = 5_000;

/// Something to be opened. Kept, so that it can be opened again after the core fell over.
#[derive(Clone)]
pub(crate) enum Item {
    /// A file, with its path inside what was dropped.
    File(String, File),
    /// Pasted text.
    Text(String),
    /// A sample of the host page.
    Demo(Demo),
}

impl Item {
    /// A picked file.
    pub(crate) fn of_file(file: File) -> Self {
        let path = js_sys::Reflect::get(&file, &"webkitRelativePath".into())
            .ok()
            .and_then(|p| p.as_string())
            .filter(|p| !p.is_empty())
            .unwrap_or_else(|| file.name());
        Self::File(path, file)
    }
}

/// Reads one item. `Err` holds the name of what could not be read.
pub(crate) async fn read(item: &Item, fetch_demo: Option<&Function>) -> Result<(String, ArrayBuffer), String> {
    match item {
        Item::File(path, file) => {
            let buffer = JsFuture::from(file.array_buffer()).await.map_err(|_| path.clone())?;
            Ok((path.clone(), buffer.dyn_into().map_err(|_| path.clone())?))
        }
        Item::Text(text) => Ok((crate::messages::PASTED_NAME.into(), Uint8Array::from(text.as_bytes()).buffer())),
        Item::Demo(demo) => {
            let failed = || demo.title.clone();
            let promise = fetch_demo
                .and_then(|f| f.call1(&JsValue::NULL, &demo.name.as_str().into()).ok())
                .and_then(|p| p.dyn_into::<Promise>().ok())
                .ok_or_else(failed)?;
            let buffer = JsFuture::from(promise).await.map_err(|_| failed())?;
            let name = demo.url.rsplit('/').next().filter(|n| !n.is_empty()).unwrap_or(&demo.name);
            Ok((name.to_owned(), buffer.dyn_into().map_err(|_| failed())?))
        }
    }
}

/// What a drop holds, taken at once: the browser empties it when the event handler returns.
pub(crate) enum Dropped {
    /// Entries of the file system, folders among them.
    Entries(Vec<FileSystemEntry>),
    /// Plain files.
    Files(Vec<File>),
}

/// Takes what was dropped.
pub(crate) fn dropped(transfer: &DataTransfer) -> Dropped {
    let items = transfer.items();
    let entries: Vec<FileSystemEntry> =
        (0..items.length()).filter_map(|i| items.get(i)?.webkit_get_as_entry().ok().flatten()).collect();
    if entries.is_empty() { Dropped::Files(list(transfer.files())) } else { Dropped::Entries(entries) }
}

/// Files of a list.
pub(crate) fn list(files: Option<web_sys::FileList>) -> Vec<File> {
    files.map(|files| (0..files.length()).filter_map(|i| files.get(i)).collect()).unwrap_or_default()
}

/// All files of what was dropped, folders walked.
pub(crate) async fn walk(dropped: Dropped) -> Vec<Item> {
    let mut open = match dropped {
        Dropped::Files(files) => return files.into_iter().map(Item::of_file).collect(),
        Dropped::Entries(entries) => entries,
    };
    open.reverse();
    let mut items = Vec::new();
    while let Some(entry) = open.pop() {
        if items.len() >= MOST_FILES {
            break;
        }
        if let Some(entry) = entry.dyn_ref::<FileSystemFileEntry>() {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            let promise = Promise::new(&mut |resolve, reject| entry.file_with_callback_and_callback(&resolve, &reject));
            if let Some(file) = JsFuture::from(promise).await.ok().and_then(|f| f.dyn_into::<File>().ok()) {
                items.push(Item::File(path, file));
            }
        } else if let Some(folder) = entry.dyn_ref::<FileSystemDirectoryEntry>() {
            let reader = folder.create_reader();
            // A reader gives its entries in batches until an empty one.
            loop {
                let promise = Promise::new(&mut |resolve, reject| {
                    let _ = reader.read_entries_with_callback_and_callback(&resolve, &reject);
                });
                let Some(batch) = JsFuture::from(promise).await.ok().and_then(|b| b.dyn_into::<Array>().ok()) else {
                    break;
                };
                if batch.length() == 0 {
                    break;
                }
                open.extend(batch.iter().filter_map(|e| e.dyn_into::<FileSystemEntry>().ok()));
            }
        }
    }
    items
}
