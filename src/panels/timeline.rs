//! The timeline: stays as bands, a lane for each kind of event; a table of the same; the arrow keys walk through it.

use std::sync::Arc;

use chartproof_engine::wire::TimelineRow;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use super::chain::{tick_label, tick_line};
use super::scrolling_table;
use crate::dom::{El, el, of_class, svg};
use crate::layout::axis::Axis;
use crate::layout::civil::HOUR;
use crate::layout::lanes::{Band, Lane, Lanes, Mark, lay_out};
use crate::state::Room;
use crate::text::{percent, shorten, thousands};
use crate::messages as m;

const BAND: usize = 20;
const LANE: usize = 19;
const AXIS: usize = 22;
/// Rows of the table that are shown at once.
const PAGE: usize = 200;

/// The panel.
pub(super) fn panel(room: Room) -> AnyView {
    let shown = RwSignal::new(None::<String>);
    // Another patient, another timeline: nothing stays chosen.
    Effect::new(move |_| {
        shown.set(room.timeline.with(|rows| rows.as_ref().and_then(|rows| at_first(rows))));
    });
    view! {
        <section class="card timeline" aria-labelledby="cp-timeline">
            <div class="card-head">
                <h2 id="cp-timeline">{m::TIMELINE_TITLE}</h2>
                {move || room.timeline.get().and_then(|rows| stay_picker(&rows, shown))}
            </div>
            {move || match room.timeline.get() {
                None => view! { <p class="hint">{m::TIMELINE_WAIT}</p> }.into_any(),
                Some(rows) => body(&rows, shown),
            }}
            {move || room.timeline_cut.get().map(|cut| view! { <p class="hint">{m::truncated(&cut.what, cut.limit, cut.seen)}</p> })}
        </section>
    }
    .into_any()
}

fn is_stay(row: &TimelineRow) -> bool {
    row.lane == "encounter" && row.bounds.is_some()
}

/// Stays that lie in no other, in time order.
fn outermost(rows: &[TimelineRow]) -> Vec<&TimelineRow> {
    let mut found: Vec<&TimelineRow> = Vec::new();
    for row in rows.iter().filter(|r| is_stay(r)) {
        let inside = |a: &TimelineRow, b: &TimelineRow| {
            a.bounds.zip(b.bounds).is_some_and(|(a, b)| a.0 >= b.0 && a.1 <= b.1)
        };
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

fn stay_picker(rows: &[TimelineRow], shown: RwSignal<Option<String>>) -> Option<AnyView> {
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
    let options: Vec<AnyView> = stays
        .into_iter()
        .map(|(id, label)| {
            let this = id.clone();
            view! { <option value=id prop:selected=move || shown.get().as_ref() == Some(&this)>{label}</option> }.into_any()
        })
        .collect();
    Some(
        view! {
            <label class="inline">
                <span>{m::SHOW}</span>
                <select
                    on:change=move |event| shown.set(Some(event_target_value(&event)).filter(|id| !id.is_empty()))
                >
                    <option value="">{m::WHOLE_RECORD}</option>
                    {options}
                </select>
            </label>
        }
        .into_any(),
    )
}

fn body(rows: &Arc<Vec<TimelineRow>>, shown: RwSignal<Option<String>>) -> AnyView {
    if rows.is_empty() {
        return view! { <p class="hint">{m::TIMELINE_EMPTY}</p> }.into_any();
    }
    let drawn = Arc::clone(rows);
    let table_rows = Arc::clone(rows);
    view! {
        {move || {
            let id = shown.get();
            let around = id.and_then(|id| drawn.iter().find(|r| r.id == id)).and_then(|r| r.bounds);
            let axis = match around {
                Some(bounds) => Axis::around(std::iter::once(bounds)),
                None => Axis::around(drawn.iter().filter_map(|r| r.bounds)),
            };
            match axis {
                Some(axis) => graphic(&drawn, axis),
                None => view! { <p class="hint">{m::TIMELINE_UNDATED}</p> }.into_any(),
            }
        }}
        {table(table_rows)}
    }
    .into_any()
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

fn graphic(rows: &Arc<Vec<TimelineRow>>, axis: Axis) -> AnyView {
    let Lanes { bands, band_rows, lanes, undated } = lay_out(rows, axis);
    let ticks = axis.ticks(8);
    let top = band_rows * BAND;
    let height = top + lanes.len() * LANE + AXIS;

    // What the arrow keys walk through: all marks in time order.
    let mut stops: Vec<(f64, usize, usize)> = lanes
        .iter()
        .enumerate()
        .flat_map(|(l, lane)| lane.marks.iter().enumerate().map(move |(k, mark)| (mark.at, l, k)))
        .collect();
    stops.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let words: Vec<String> = stops
        .iter()
        .map(|&(_, l, k)| {
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
        .live_attr("aria-activedescendant", move || at.get().map(|n| mark_id(n).into()))
        .on("keydown", move |event| {
            if let Ok(event) = event.dyn_into() {
                step(event);
            }
        })
        .add(ground);
    let mut drawn: Vec<Element> = Vec::with_capacity(stops.len());
    for (n, ((_, l, k), words)) in stops.into_iter().zip(&words).enumerate() {
        let lane = &lanes[l];
        let mark = mark_view(n, lane, &lane.marks[k], &rows[lane.marks[k].index], top + l * LANE, words);
        let mark = mark.on("pointerenter", move |_| at.set(Some(n))).on("click", move |_| at.set(Some(n)));
        drawn.push(mark.node().clone());
        drawing = drawing.add(mark);
    }
    // One effect for all marks: only the one that was chosen and the one that is are touched.
    let chosen = RenderEffect::new(move |before: Option<Option<usize>>| {
        let now = at.get();
        for (n, yes) in [(before.flatten(), false), (now, true)] {
            if let Some(mark) = n.and_then(|n| drawn.get(n)) {
                let _ = mark.set_attribute("aria-selected", if yes { "true" } else { "false" });
                let _ = mark.class_list().toggle_with_force("chosen", yes);
            }
        }
        now
    });
    let lanes_view = of_class("div", "lanes")
        .var("--bands", &[&top.to_string(), "px"].concat())
        .keep(chosen)
        .add(names)
        .add(drawing);
    view! {
        {lanes_view}
        <p class="hint lane-says" aria-hidden="true">
            {move || at.get().and_then(|n| words.get(n).cloned()).unwrap_or_else(|| m::TIMELINE_HINT.into())}
        </p>
        {(undated > 0).then(|| of_class("p", "hint").add(m::undated(undated)))}
    }
    .into_any()
}

fn mark_id(n: usize) -> String {
    ["cp-mark-", &n.to_string()].concat()
}

fn band_view(band: &Band, row: &TimelineRow, height: usize) -> Vec<El> {
    let (x, width) = (percent(band.at), percent(band.width.max(0.15)));
    let y = band.row * BAND;
    let placed = |tag: &str, height: usize| {
        svg(tag).attr("x", &x).number("y", y).attr("width", &width).number("height", height)
    };
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

fn table(rows: Arc<Vec<TimelineRow>>) -> AnyView {
    let open = RwSignal::new(false);
    let most = RwSignal::new(PAGE);
    let lane = RwSignal::new(String::new());
    let mut kinds: Vec<String> = Vec::new();
    for row in rows.iter() {
        if !kinds.contains(&row.lane) {
            kinds.push(row.lane.clone());
        }
    }
    let options: Vec<AnyView> = kinds
        .into_iter()
        .map(|kind| view! { <option value=kind.clone()>{m::lane(&kind)}</option> }.into_any())
        .collect();
    let total = rows.len();
    let listed = move || {
        let (most, lane) = (most.get(), lane.get());
        let chosen: Vec<&TimelineRow> = rows.iter().filter(|r| lane.is_empty() || r.lane == lane).collect();
        let more = chosen.len().saturating_sub(most);
        let lines: Vec<El> = chosen
            .into_iter()
            .take(most)
            .map(|row| {
                el("tr")
                    .add(of_class("td", "nowrap").add(row.time.as_deref().unwrap_or(m::NO_TIME)))
                    .add(el("td").add(m::lane(&row.lane)))
                    .add(el("th").attr("scope", "row").add(&row.label))
                    .add(el("td").add(row.value.as_ref()))
                    .add(el("td").add(m::standing(&row.standing)))
            })
            .collect();
        (lines, more)
    };
    view! {
        <details class="small" on:toggle=move |_| open.update(|o| *o = !*o)>
            <summary>{m::events_table(total)}</summary>
            {move || open.get().then(|| {
                let (lines, more) = listed();
                let columns = [m::COL_TIME, m::COL_KIND, m::COL_EVENT, m::COL_VALUE, m::COL_STANDING];
                el("div").add(scrolling_table("scroll tall", m::EVENTS_TABLE_NAME, &columns, lines)).add((more > 0).then(|| {
                    of_class("button", "quiet")
                        .on("click", move |_| most.update(|m| *m += PAGE))
                        .add(m::show_more(more.min(PAGE)))
                }))
            })}
            <label class="inline">
                <span>{m::ONLY_KIND}</span>
                <select on:change=move |event| { lane.set(event_target_value(&event)); most.set(PAGE); }>
                    <option value="">{m::ALL_KINDS}</option>
                    {options}
                </select>
            </label>
        </details>
    }
    .into_any()
}
