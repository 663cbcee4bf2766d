//! The timeline: stays as bands, a lane for each kind of event; a table of the same; the arrow keys walk through it.

use std::sync::Arc;

use chartproof_engine::wire::TimelineRow;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

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

    let grid: Vec<AnyView> = ticks
        .into_iter()
        .map(|tick| {
            let x = percent(tick.at);
            view! {
                <line class="grid" x1=x.clone() x2=x.clone() y1="0" y2=height - AXIS></line>
                <text class="tick" x=x.clone() y=height - 6 text-anchor="middle">{tick.label}</text>
            }
            .into_any()
        })
        .collect();
    let band_marks: Vec<AnyView> = bands.iter().map(|band| band_view(band, &rows[band.index], height - AXIS)).collect();
    let labels: Vec<AnyView> = lanes
        .iter()
        .map(|lane| {
            let count: usize = lane.marks.iter().map(|mark| mark.count).sum();
            view! { <li><span>{m::lane(&lane.kind)}</span> <span class="count">{thousands(count)}</span></li> }.into_any()
        })
        .collect();
    let mut marks: Vec<AnyView> = Vec::with_capacity(stops.len());
    for (n, ((_, l, k), words)) in stops.into_iter().zip(words.iter().cloned()).enumerate() {
        let lane = &lanes[l];
        let mark = &lane.marks[k];
        marks.push(mark_view(n, lane, mark, &rows[mark.index], top + l * LANE, words, at));
    }
    let (from, to) = axis.words();
    let said = words;
    view! {
        <div class="lanes" style:--bands=top.to_string() + "px">
            <ul class="lane-names" aria-hidden="true">{labels}</ul>
            <svg
                class="lanes-svg"
                height=height
                role=if any { "listbox" } else { "img" }
                tabindex="0"
                aria-label=m::timeline_label(&from, &to)
                aria-activedescendant=move || at.get().map(|n| format!("cp-mark-{n}"))
                on:keydown=step
            >
                <g aria-hidden="true">{band_marks}{grid}</g>
                {marks}
            </svg>
        </div>
        <p class="hint lane-says" aria-hidden="true">
            {move || at.get().and_then(|n| said.get(n).cloned()).unwrap_or_else(|| m::TIMELINE_HINT.into())}
        </p>
        {(undated > 0).then(|| view! { <p class="hint">{m::undated(undated)}</p> })}
    }
    .into_any()
}

fn band_view(band: &Band, row: &TimelineRow, height: usize) -> AnyView {
    let (x, width) = (percent(band.at), percent(band.width.max(0.15)));
    let y = band.row * BAND;
    // The label is clipped by its own viewport.
    view! {
        <rect class="band-column" x=x.clone() y=y width=width.clone() height=height.saturating_sub(y)></rect>
        <svg x=x.clone() y=y width=width.clone() height=BAND - 3>
            <rect class="band" width="100%" height="100%" rx=2></rect>
            <text class="band-name" x="5" y="12.5">{row.label.clone()}</text>
        </svg>
    }
    .into_any()
}

fn mark_view(
    n: usize,
    lane: &Lane,
    mark: &Mark,
    row: &TimelineRow,
    y: usize,
    words: String,
    at: RwSignal<Option<usize>>,
) -> AnyView {
    let x = percent(mark.at);
    let shape = if lane.counted {
        let room = LANE - 4;
        let tall = (mark.count * room).div_ceil(lane.most.max(1)).clamp(2, room);
        view! {
            <rect class="bin" x=x.clone() y=y + LANE - 2 - tall width=percent(mark.width * 0.8) height=tall></rect>
        }
        .into_any()
    } else if mark.width > 0.8 {
        view! {
            <rect class="extent" x=x.clone() y=y + 6 width=percent(mark.width) height="7" rx="3.5"></rect>
        }
        .into_any()
    } else {
        view! { <circle class="dot" cx=percent(mark.at + mark.width / 2.0) cy=y + 9 r="4"></circle> }.into_any()
    };
    let single = mark.count == 1;
    let (negative, uncertain, void) = (
        single && row.standing == "negative",
        single && row.standing == "uncertain",
        single && row.standing == "void",
    );
    view! {
        <g
            id=format!("cp-mark-{n}")
            class="event"
            class:negative=negative
            class:uncertain=uncertain
            class:void=void
            class:chosen=move || at.get() == Some(n)
            role="option"
            aria-label=words
            aria-selected=move || if at.get() == Some(n) { "true" } else { "false" }
            on:pointerenter=move |_| at.set(Some(n))
            on:click=move |_| at.set(Some(n))
        >
            {shape}
        </g>
    }
    .into_any()
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
        let lines: Vec<AnyView> = chosen
            .into_iter()
            .take(most)
            .map(|row| {
                view! {
                    <tr>
                        <td class="nowrap">{row.time.clone().unwrap_or_else(|| m::NO_TIME.into())}</td>
                        <td>{m::lane(&row.lane)}</td>
                        <th scope="row">{row.label.clone()}</th>
                        <td>{row.value.clone()}</td>
                        <td>{m::standing(&row.standing)}</td>
                    </tr>
                }
                .into_any()
            })
            .collect();
        (lines, more)
    };
    view! {
        <details class="small" on:toggle=move |_| open.update(|o| *o = !*o)>
            <summary>{m::events_table(total)}</summary>
            {move || open.get().then(|| {
                let (lines, more) = listed();
                view! {
                    <div class="scroll tall" tabindex="0" role="group" aria-label=m::EVENTS_TABLE_NAME>
                        <table class="plain-table">
                            <thead>
                                <tr>
                                    <th scope="col">{m::COL_TIME}</th>
                                    <th scope="col">{m::COL_KIND}</th>
                                    <th scope="col">{m::COL_EVENT}</th>
                                    <th scope="col">{m::COL_VALUE}</th>
                                    <th scope="col">{m::COL_STANDING}</th>
                                </tr>
                            </thead>
                            <tbody>{lines}</tbody>
                        </table>
                    </div>
                    {(more > 0).then(|| view! {
                        <button class="quiet" on:click=move |_| most.update(|m| *m += PAGE)>{m::show_more(more.min(PAGE))}</button>
                    })}
                }
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
