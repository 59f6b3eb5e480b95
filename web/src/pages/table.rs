//! Tables that are sorted and filtered by the address.

use leptos::prelude::*;

use super::{address, parameter};

/// A column of a sortable table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// Its name in the address.
    key: &'static str,
    /// Its heading.
    name: &'static str,
    /// Whether numbers stand in it: aligned right, and largest first.
    number: bool,
}

impl Column {
    /// A column of texts.
    pub(super) const fn text(key: &'static str, name: &'static str) -> Self {
        Self {
            key,
            name,
            number: false,
        }
    }

    /// A column of numbers.
    pub(super) const fn number(key: &'static str, name: &'static str) -> Self {
        Self {
            key,
            name,
            number: true,
        }
    }
}

/// How a table is sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Order {
    key: &'static str,
    /// Largest, newest or last in the alphabet first.
    pub(super) descending: bool,
}

impl Order {
    /// What the address asks for (`sort=bandwidth`, `sort=-name`), else the usual.
    pub(super) fn asked(columns: &[Column], usual: &str) -> Self {
        let asked = Some(parameter("sort"))
            .filter(|key| !key.is_empty())
            .unwrap_or_else(|| usual.to_owned());
        let (key, turned) = asked
            .strip_prefix('-')
            .map_or((asked.as_str(), false), |key| (key, true));
        let column = columns
            .iter()
            .find(|column| column.key == key)
            .or(columns.first());
        Self {
            key: column.map_or("", |column| column.key),
            descending: column.is_some_and(|column| column.number) != turned,
        }
    }

    /// The column it is sorted by.
    pub(super) const fn key(&self) -> &'static str {
        self.key
    }

    /// The same rows in this order, by a value of each.
    pub(super) fn sort<T, K: PartialOrd>(&self, rows: &mut [T], value: impl Fn(&T) -> K) {
        rows.sort_by(|one, other| {
            let order = value(one)
                .partial_cmp(&value(other))
                .unwrap_or(std::cmp::Ordering::Equal);
            if self.descending {
                order.reverse()
            } else {
                order
            }
        });
    }
}

/// The head of a table: each heading is a link that sorts by it, or turns the order around.
pub(super) fn head(columns: &'static [Column], order: &Order) -> AnyView {
    let cells = columns
        .iter()
        .map(|column| heading(column, order))
        .collect_view();
    view! { <thead><tr>{cells}</tr></thead> }.into_any()
}

/// One heading of a table, a link that sorts by it.
pub(super) fn heading(column: &Column, order: &Order) -> AnyView {
    let here = column.key == order.key;
    let turned = here && order.descending == column.number;
    let sort = if turned {
        format!("-{}", column.key)
    } else {
        column.key.to_owned()
    };
    let sorted = here.then_some(if order.descending {
        "descending"
    } else {
        "ascending"
    });
    let arrow = here.then_some(if order.descending { " ↓" } else { " ↑" });
    view! {
        <th scope="col" class:number=column.number aria-sort=sorted>
            <a href=with("sort", &sort)>
                {column.name}
                {arrow.map(|arrow| view! { <span aria-hidden="true">{arrow}</span> })}
            </a>
        </th>
    }
    .into_any()
}

/// This address with one parameter set to a value.
fn with(name: &str, value: &str) -> String {
    let (path, query) = address();
    let others = form_urlencoded::parse(query.as_bytes())
        .filter(|(known, text)| known != name && !text.is_empty());
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(others)
        .append_pair(name, value)
        .finish();
    format!("{path}?{query}")
}

/// A choice of a filter form; the first leaves it open.
pub(super) fn choice<'a>(
    name: &'static str,
    label: &'static str,
    any: &'static str,
    options: impl IntoIterator<Item = &'a str>,
) -> AnyView {
    let chosen = parameter(name);
    let options = options
        .into_iter()
        .map(|option| view! { <option value=option.to_owned() selected=option == chosen>{option.to_owned()}</option> })
        .collect_view();
    view! {
        <div>
            <label class="labelled" for=name>{label}</label>
            <select id=name name=name>
                <option value="">{any}</option>
                {options}
            </select>
        </div>
    }
    .into_any()
}

/// The search field of a filter form.
pub(super) fn search(label: &'static str, example: &'static str) -> AnyView {
    view! {
        <div class="wide">
            <label class="labelled" for="q">{label}</label>
            <input id="q" name="q" type="search" value=parameter("q") placeholder=example/>
        </div>
    }
    .into_any()
}

/// The order of a table in its form: kept while the form is sent, and a choice on a phone, where
/// the headings that sort aren't shown.
pub(super) fn sort_by(columns: &'static [Column]) -> AnyView {
    let chosen = parameter("sort");
    let options = columns
        .iter()
        .flat_map(|column| {
            let (usual, turned) = if column.number {
                ("largest first", "smallest first")
            } else {
                ("A to Z", "Z to A")
            };
            [
                (column.key.to_owned(), usual),
                (format!("-{}", column.key), turned),
            ]
            .map(|(key, order)| (key, format!("{}, {order}", column.name)))
        })
        .map(|(key, words)| {
            let selected = key == chosen;
            view! { <option value=key selected=selected>{words}</option> }
        })
        .collect_view();
    view! {
        <div class="narrow">
            <label class="labelled" for="sort">"Sort by"</label>
            <select id="sort" name="sort">
                <option value="">"usual order"</option>
                {options}
            </select>
        </div>
    }
    .into_any()
}
