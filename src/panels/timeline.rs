//! The timeline: stays as bands, a lane for each kind of event; a table of the same; the arrow keys walk through it.

use std::cell::Cell;
use std::sync::Arc;

use chartproof_engine::wire::TimelineRow;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use super::chain::{tick_label, tick_line};
use super::{choice, details, scrolling_table};
use crate::dom::{El, el, live, of_class, svg};
use crate::layout::axis::Axis;
use crate::layout::civil::HOUR;
use crate::layout::lanes::{Band, Lane, Lanes, Mark, lay_out};
use crate::layout::order;
use crate::messages as m;
use crate::state::Room;
use crate::text::{percent, shorten, thousands};

const BAND: usize = 20;
const LANE: usize = 19;
const AXIS: usize = 22;
/// Rows of the table that are shown at once.
const PAGE: usize = 200;

/// The panel.
pub(super) fn panel(room: Room) -> El {
    let shown = RwSignal::new(None::<String>);
    of_class("section", "card timeline")
        .attr("aria-labelledby", "cp-timeline")
        // Another patient, another timeline: nothing stays chosen.
        .effect(move |_| shown.set(room.timeline.with(|rows| rows.as_ref().and_then(|rows| at_first(rows)))))
        .add(
            of_class("div", "card-head")
                .add(el("h2").attr("id", "cp-timeline").add(m::TIMELINE_TITLE))
                .add(live(move || room.timeline.get().and_then(|rows| stay_picker(&rows, shown)))),
        )
        .add(live(move || match room.timeline.get() {
            None => hint(m::TIMELINE_WAIT),
            Some(rows) if rows.is_empty() => hint(m::TIMELINE_EMPTY),
            Some(rows) => body(rows, shown),
        }))
        .add(live(move || room.timeline_cut.get().map(|cut| hint(&m::truncated(&cut.what, cut.limit, cut.seen)))))
}

fn hint(text: &str) -> El {
    of_class("p", "hint").add(text)
}

fn is_stay(row: &TimelineRow) -> bool {
    row.lane == "encounter" && row.bounds.is_some()
}

/// Stays that lie in no other, in time order.
fn outermost(rows: &[TimelineRow]) -> Vec<&TimelineRow> {
    let mut found: Vec<&TimelineRow> = Vec::new();
    for row in rows.iter().filter(|r| is_stay(r)) {
        let inside =
            |a: &TimelineRow, b: &TimelineRow| a.bounds.zip(b.bounds).is_some_and(|(a, b)| a.0 >= b.0 && a.1 <= b.1);
        if !found.iter().any(|other| inside(row, other)) {
            found.retain(|other| !inside(other, row));
            found.push(row);
        }
    }
    found
}

/// What is shown first: the last real stay where the whole record would squeeze it to nothing.
fn at_first(rows: &[TimelineRow]) -> Option<String> {
    let whole = Axis::around(rows.iter().filter_map(|r| r.bounds))?;
    let last = outermost(rows).into_iter().rfind(|r| r.bounds.is_some_and(|(from, to)| to - from > 6 * HOUR))?;
    let (from, to) = last.bounds?;
    ((whole.to - whole.from) / 12 > to - from).then(|| last.id.clone())
}

fn stay_picker(rows: &[TimelineRow], shown: RwSignal<Option<String>>) -> Option<El> {
    let stays: Vec<(String, String)> = outermost(rows)
        .into_iter()
        .map(|r| {
            let mut label = shorten(&r.label, 40);
            if let Some(time) = &r.time {
                label.push_str(", ");
                label.push_str(time);
            }
            (r.id.clone(), label)
        })
        .collect();
    if stays.is_empty() || rows.len() < 2 {
        return None;
    }
    let mut select = el("select")
        .on("change", move |event| shown.set(Some(event_target_value(&event)).filter(|id| !id.is_empty())))
        .add(choice("", m::WHOLE_RECORD, false));
    for (id, label) in &stays {
        select = select.add(choice(id, label, false));
    }
    let select = select.live_property("value", move || shown.get().unwrap_or_default().into());
    Some(of_class("label", "inline").add(el("span").add(m::SHOW)).add(select))
}

fn body(rows: Arc<Vec<TimelineRow>>, shown: RwSignal<Option<String>>) -> El {
    let drawn = Arc::clone(&rows);
    let picture = live(move || {
        let id = shown.get();
        let around = id.and_then(|id| drawn.iter().find(|r| r.id == id)).and_then(|r| r.bounds);
        let axis = match around {
            Some(bounds) => Axis::around(std::iter::once(bounds)),
            None => Axis::around(drawn.iter().filter_map(|r| r.bounds)),
        };
        axis.map_or_else(|| hint(m::TIMELINE_UNDATED), |axis| graphic(&drawn, axis))
    });
    el("div").add(picture).add(table(rows))
}

fn describe(row: &TimelineRow, count: usize, kind: &str) -> String {
    let mut out = m::lane(kind).to_owned();
    out.push_str(": ");
    if count > 1 {
        out.push_str(&m::counted(count));
    } else {
        out.push_str(&row.label);
        if let Some(value) = &row.value {
            out.push(' ');
            out.push_str(value);
        }
        if let Some(word) = m::standing_note(&row.standing) {
            out.push_str(", ");
            out.push_str(word);
        }
    }
    if let Some(time) = &row.time {
        out.push_str(", ");
        if count > 1 {
            out.push_str(m::FROM);
            out.push(' ');
        }
        out.push_str(time);
    }
    out
}

fn graphic(rows: &[TimelineRow], axis: Axis) -> El {
    let Lanes { bands, band_rows, lanes, undated } = lay_out(rows, axis);
    let ticks = axis.ticks(8);
    let top = band_rows * BAND;
    let height = top + lanes.len() * LANE + AXIS;

    // What the arrow keys walk through: all marks in time order.
    let mut stops: Vec<(usize, usize)> =
        lanes.iter().enumerate().flat_map(|(l, lane)| (0..lane.marks.len()).map(move |k| (l, k))).collect();
    let in_time = order(stops.iter().map(|&(l, k)| ((lanes[l].marks[k].at * 1e6) as i64, l as i64)));
    stops = in_time.into_iter().map(|i| stops[i]).collect();
    let words: Vec<String> = stops
        .iter()
        .map(|&(l, k)| {
            let mark = &lanes[l].marks[k];
            describe(&rows[mark.index], mark.count, &lanes[l].kind)
        })
        .collect();
    let last = stops.len().saturating_sub(1);
    let any = !stops.is_empty();
    let at = RwSignal::new(None::<usize>);
    let step = move |event: KeyboardEvent| {
        let now = at.get_untracked();
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => now.map_or(0, |n| (n + 1).min(last)),
            "ArrowLeft" | "ArrowUp" => now.map_or(last, |n| n.saturating_sub(1)),
            "Home" => 0,
            "End" => last,
            "Escape" => {
                at.set(None);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        if any {
            at.set(Some(next));
        }
    };

    let mut ground = svg("g").attr("aria-hidden", "true");
    for band in &bands {
        ground = ground.add(band_view(band, &rows[band.index], height - AXIS));
    }
    for tick in &ticks {
        ground = ground.add(tick_line(tick, height - AXIS)).add(tick_label(tick, height - 6));
    }
    let mut names = of_class("ul", "lane-names").attr("aria-hidden", "true");
    for lane in &lanes {
        let count: usize = lane.marks.iter().map(|mark| mark.count).sum();
        names = names.add(
            el("li")
                .add(el("span").add(m::lane(&lane.kind)))
                .add(" ")
                .add(of_class("span", "count").add(thousands(count))),
        );
    }
    let (from, to) = axis.words();
    let mut drawing = svg("svg")
        .attr("class", "lanes-svg")
        .number("height", height)
        .attr("role", if any { "listbox" } else { "img" })
        .attr("tabindex", "0")
        .attr("aria-label", &m::timeline_label(&from, &to))
        .live_attr("aria-activedescendant", move || at.get().map(mark_id))
        .on("keydown", move |event| {
            if let Ok(event) = event.dyn_into() {
                step(event);
            }
        })
        .add(ground);
    let mut drawn: Vec<Element> = Vec::with_capacity(stops.len());
    for (n, ((l, k), words)) in stops.into_iter().zip(&words).enumerate() {
        let lane = &lanes[l];
        let mark = mark_view(n, lane, &lane.marks[k], &rows[lane.marks[k].index], top + l * LANE, words);
        let mark = mark.on("pointerenter", move |_| at.set(Some(n))).on("click", move |_| at.set(Some(n)));
        drawn.push(mark.node().clone());
        drawing = drawing.add(mark);
    }
    // One effect for all marks: only the one that was chosen and the one that is are touched.
    let before = Cell::new(None::<usize>);
    let drawing = drawing.effect(move |_| {
        let now = at.get();
        for (n, yes) in [(before.replace(now), false), (now, true)] {
            if let Some(mark) = n.and_then(|n| drawn.get(n)) {
                let _ = mark.set_attribute("aria-selected", if yes { "true" } else { "false" });
                let _ = mark.class_list().toggle_with_force("chosen", yes);
            }
        }
    });
    let says = of_class("p", "hint lane-says")
        .attr("aria-hidden", "true")
        .live_text(move || at.get().and_then(|n| words.get(n).cloned()).unwrap_or_else(|| m::TIMELINE_HINT.into()));
    el("div")
        .add(of_class("div", "lanes").var("--bands", &[&top.to_string(), "px"].concat()).add(names).add(drawing))
        .add(says)
        .add((undated > 0).then(|| hint(&m::undated(undated))))
}

fn mark_id(n: usize) -> String {
    ["cp-mark-", &n.to_string()].concat()
}

fn band_view(band: &Band, row: &TimelineRow, height: usize) -> Vec<El> {
    let (x, width) = (percent(band.at), percent(band.width.max(0.15)));
    let y = band.row * BAND;
    let placed =
        |tag: &str, height: usize| svg(tag).attr("x", &x).number("y", y).attr("width", &width).number("height", height);
    vec![
        placed("rect", height.saturating_sub(y)).attr("class", "band-column"),
        // The label is clipped by its own viewport.
        placed("svg", BAND - 3)
            .add(svg("rect").attr("class", "band").attr("width", "100%").attr("height", "100%").attr("rx", "2"))
            .add(svg("text").attr("class", "band-name").attr("x", "5").attr("y", "12.5").add(&row.label)),
    ]
}

fn mark_view(n: usize, lane: &Lane, mark: &Mark, row: &TimelineRow, y: usize, words: &str) -> El {
    let x = percent(mark.at);
    let shape = if lane.counted {
        let room = LANE - 4;
        let tall = (mark.count * room).div_ceil(lane.most.max(1)).clamp(2, room);
        svg("rect")
            .attr("class", "bin")
            .attr("x", &x)
            .number("y", y + LANE - 2 - tall)
            .attr("width", &percent(mark.width * 0.8))
            .number("height", tall)
    } else if mark.width > 0.8 {
        svg("rect")
            .attr("class", "extent")
            .attr("x", &x)
            .number("y", y + 6)
            .attr("width", &percent(mark.width))
            .attr("height", "7")
            .attr("rx", "3.5")
    } else {
        svg("circle")
            .attr("class", "dot")
            .attr("cx", &percent(mark.at + mark.width / 2.0))
            .number("cy", y + 9)
            .attr("r", "4")
    };
    let class = match row.standing.as_str() {
        "negative" if mark.count == 1 => "event negative",
        "uncertain" if mark.count == 1 => "event uncertain",
        "void" if mark.count == 1 => "event void",
        _ => "event",
    };
    svg("g")
        .attr("id", &mark_id(n))
        .attr("class", class)
        .attr("role", "option")
        .attr("aria-label", words)
        .attr("aria-selected", "false")
        .add(shape)
}

fn table(rows: Arc<Vec<TimelineRow>>) -> El {
    let open = RwSignal::new(false);
    let most = RwSignal::new(PAGE);
    let lane = RwSignal::new(String::new());
    let mut kinds: Vec<&str> = Vec::new();
    for row in rows.iter() {
        if !kinds.contains(&row.lane.as_str()) {
            kinds.push(&row.lane);
        }
    }
    let mut select = el("select")
        .on("change", move |event| {
            lane.set(event_target_value(&event));
            most.set(PAGE);
        })
        .add(choice("", m::ALL_KINDS, true));
    for kind in kinds {
        select = select.add(choice(kind, m::lane(kind), false));
    }
    details(&m::events_table(rows.len()))
        .on("toggle", move |event| {
            let details = event.target().and_then(|t| t.dyn_into::<Element>().ok());
            open.set(details.is_some_and(|d| d.has_attribute("open")));
        })
        .add(of_class("label", "inline").add(el("span").add(m::ONLY_KIND)).add(select))
        .add(live(move || open.get().then(|| lines(&rows, &lane.get(), most))))
}

fn lines(rows: &[TimelineRow], lane: &str, most: RwSignal<usize>) -> Vec<El> {
    let mut more = 0;
    let mut lines: Vec<El> = Vec::new();
    for row in rows.iter().filter(|r| lane.is_empty() || r.lane == lane) {
        if lines.len() >= most.get() {
            more += 1;
            continue;
        }
        lines.push(
            el("tr")
                .add(of_class("td", "nowrap").add(row.time.as_deref().unwrap_or(m::NO_TIME)))
                .add(el("td").add(m::lane(&row.lane)))
                .add(el("th").attr("scope", "row").add(&row.label))
                .add(el("td").add(row.value.as_ref()))
                .add(el("td").add(m::standing(&row.standing))),
        );
    }
    let columns = [m::COL_TIME, m::COL_KIND, m::COL_EVENT, m::COL_VALUE, m::COL_STANDING];
    let mut out = vec![scrolling_table("scroll tall", m::EVENTS_TABLE_NAME, &columns, lines)];
    if more > 0 {
        out.push(
            of_class("button", "quiet")
                .on("click", move |_| most.update(|m| *m += PAGE))
                .add(m::show_more(more.min(PAGE))),
        );
    }
    out
}
