//! Elements of the page, on the reactive system of Leptos.
//!
//! The `view!` macro gives each element a type of its own and each type its own code, which came to more than twice
//! what the page may weigh. Here every element is of one type. It is built at once, by `createElement` and
//! `setAttribute` only: no text of a record can become markup. What changes is said where it stands: [`live`] parts,
//! `live_attr`, `live_class`, `live_text`.

use leptos::prelude::*;
use leptos::tachys::html::attribute::Attribute;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::add_attr::AddAnyAttr;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, RenderHtml};
use send_wrapper::SendWrapper;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, Node};

const SVG: &str = "http://www.w3.org/2000/svg";

/// What lives as long as its element.
enum Kept {
    Effect { _effect: Box<dyn std::any::Any> },
    Listener { _closure: Closure<dyn FnMut(web_sys::Event)> },
}

struct Inner {
    node: Element,
    kept: Vec<Kept>,
}

/// An element with all that is in it. Boxed: it is handed on by value all the time.
pub(crate) struct El(Box<SendWrapper<Inner>>);

/// An HTML element.
#[inline(never)]
pub(crate) fn el(tag: &str) -> El {
    match document().create_element(tag) {
        Ok(node) => El::of(node),
        Err(_) => wasm_bindgen::throw_str("not a tag"),
    }
}

/// An SVG element.
#[inline(never)]
pub(crate) fn svg(tag: &str) -> El {
    match document().create_element_ns(Some(SVG), tag) {
        Ok(node) => El::of(node),
        Err(_) => wasm_bindgen::throw_str("not a tag"),
    }
}

/// An HTML element with a class.
#[inline(never)]
pub(crate) fn of_class(tag: &str, class: &str) -> El {
    el(tag).attr("class", class)
}

impl El {
    #[inline(never)]
    fn of(node: Element) -> Self {
        Self(Box::new(SendWrapper::new(Inner { node, kept: Vec::new() })))
    }

    /// Sets an attribute.
    #[inline(never)]
    pub(crate) fn attr(self, name: &str, value: &str) -> Self {
        let _ = self.0.node.set_attribute(name, value);
        self
    }

    /// Sets an attribute to a number.
    #[inline(never)]
    pub(crate) fn number(self, name: &str, value: usize) -> Self {
        self.attr(name, &value.to_string())
    }

    /// Sets a custom property of its style; a style attribute would be refused by the content policy.
    #[inline(never)]
    pub(crate) fn var(self, name: &str, value: &str) -> Self {
        if let Some(node) = self.0.node.dyn_ref::<HtmlElement>() {
            let _ = node.style().set_property(name, value);
        }
        self
    }

    /// Does something with the node, now and whenever what it reads changes.
    pub(crate) fn effect(self, act: impl Fn(&Element) + 'static) -> Self {
        self.effect_boxed(Box::new(act))
    }

    #[inline(never)]
    fn effect_boxed(self, act: Box<dyn Fn(&Element)>) -> Self {
        let node = self.0.node.clone();
        self.keep(RenderEffect::new(move |_| act(&node)))
    }

    /// Sets an attribute; `None` takes it away.
    pub(crate) fn live_attr(self, name: &'static str, value: impl Fn() -> Option<String> + 'static) -> Self {
        self.effect(move |node| {
            let _ = match value() {
                Some(value) => node.set_attribute(name, &value),
                None => node.remove_attribute(name),
            };
        })
    }

    /// Has a class while something holds.
    pub(crate) fn live_class(self, name: &'static str, holds: impl Fn() -> bool + 'static) -> Self {
        self.effect(move |node| {
            let _ = node.class_list().toggle_with_force(name, holds());
        })
    }

    /// Is a text.
    pub(crate) fn live_text(self, text: impl Fn() -> String + 'static) -> Self {
        self.effect(move |node| node.set_text_content(Some(&text())))
    }

    /// Sets a property of the node, such as the value of a field.
    pub(crate) fn live_property(self, name: &'static str, value: impl Fn() -> JsValue + 'static) -> Self {
        self.effect(move |node| {
            let _ = js_sys::Reflect::set(node, &name.into(), &value());
        })
    }

    /// Listens to an event.
    pub(crate) fn on(self, event: &str, act: impl FnMut(web_sys::Event) + 'static) -> Self {
        self.on_boxed(event, Box::new(act))
    }

    #[inline(never)]
    fn on_boxed(mut self, event: &str, act: Box<dyn FnMut(web_sys::Event)>) -> Self {
        let closure = Closure::wrap(act);
        let _ = self.0.node.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref());
        self.0.kept.push(Kept::Listener { _closure: closure });
        self
    }

    /// Adds what comes next inside.
    pub(crate) fn add(mut self, part: impl Part) -> Self {
        part.join(&mut self);
        self
    }

    /// Keeps an effect alive for as long as the element.
    #[inline(never)]
    fn keep(mut self, effect: RenderEffect<()>) -> Self {
        self.0.kept.push(Kept::Effect { _effect: Box::new(effect) });
        self
    }

    /// Its node.
    pub(crate) fn node(&self) -> &Element {
        &self.0.node
    }

    #[inline(never)]
    fn text(&self, text: &str) {
        let _ = self.0.node.append_child(&document().create_text_node(text));
    }

    #[inline(never)]
    fn element(&mut self, mut child: Self) {
        let _ = self.0.node.append_child(&child.0.node);
        self.0.kept.append(&mut child.0.kept);
    }
}

/// What can stand inside an element.
pub(crate) trait Part {
    fn join(self, element: &mut El);
}

impl Part for El {
    fn join(self, element: &mut El) {
        element.element(self);
    }
}

impl Part for &str {
    fn join(self, element: &mut El) {
        element.text(self);
    }
}

impl Part for String {
    fn join(self, element: &mut El) {
        element.text(&self);
    }
}

impl Part for &String {
    fn join(self, element: &mut El) {
        element.text(self);
    }
}

/// A part that is drawn anew whenever what it reads changes.
pub(crate) struct Live(Box<dyn Fn() -> El>);

/// Draws a part now and whenever what it reads changes. It stands in an element of its own without a box.
pub(crate) fn live<P: Part>(draw: impl Fn() -> P + 'static) -> Live {
    Live(Box::new(move || of_class("div", "live").add(draw())))
}

impl Part for Live {
    #[inline(never)]
    fn join(self, element: &mut El) {
        let parent = element.0.node.clone();
        let effect = RenderEffect::new(move |before: Option<El>| {
            let now = (self.0)();
            let _ = match before {
                Some(before) => before.0.node.replace_with_with_node_1(&now.0.node),
                None => parent.append_child(&now.0.node).map(drop),
            };
            now
        });
        element.0.kept.push(Kept::Effect { _effect: Box::new(effect) });
    }
}

impl<P: Part> Part for Option<P> {
    fn join(self, element: &mut El) {
        if let Some(part) = self {
            part.join(element);
        }
    }
}

impl<P: Part> Part for Vec<P> {
    fn join(self, element: &mut El) {
        for part in self {
            part.join(element);
        }
    }
}

/// A mounted element.
pub(crate) struct Mounted(Box<SendWrapper<Inner>>);

impl Render for El {
    type State = Mounted;

    fn build(self) -> Mounted {
        Mounted(self.0)
    }

    fn rebuild(self, state: &mut Mounted) {
        let _ = state.0.node.replace_with_with_node_1(&self.0.node);
        state.0 = self.0;
    }
}

impl Mountable for Mounted {
    fn unmount(&mut self) {
        self.0.node.remove();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        let _ = parent.insert_before(&self.0.node, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        match self.0.node.parent_element() {
            Some(parent) => {
                child.mount(&parent, Some(&self.0.node));
                true
            }
            None => false,
        }
    }

    fn elements(&self) -> Vec<Element> {
        vec![self.0.node.clone()]
    }
}

impl AddAnyAttr for El {
    type Output<NewAttr: Attribute> = Self;

    fn add_any_attr<NewAttr: Attribute>(self, _attr: NewAttr) -> Self {
        self
    }
}

// This page is never rendered on a server.
impl RenderHtml for El {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _buf: &mut String,
        _position: &mut Position,
        _escape: bool,
        _mark_branches: bool,
        _extra_attrs: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _cursor: &Cursor, _position: &PositionState) -> Mounted {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
