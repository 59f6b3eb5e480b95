//! HTML written as text: what shows an answer and reacts to nothing itself.
//!
//! A view is compiled for every place it stands in; a text is not. So the answer, which has many
//! tables, is written, and only the form around it consists of views.

use std::fmt::{self, Write as _};

use crate::glossary::Entry;

/// A piece of HTML. Whatever is put in is escaped; only names of tags and attributes aren't, and
/// those are fixed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Markup(String);

impl Markup {
    /// Opens a tag.
    pub(crate) fn open(
        &mut self,
        tag: &'static str,
        attributes: &[(&'static str, &str)],
    ) -> &mut Self {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
        self
    }

    /// Closes a tag.
    pub(crate) fn close(&mut self, tag: &'static str) -> &mut Self {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
        self
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        // Writing to a string can't fail.
        let _ = write!(self.0, "{}", Escaped(text));
        self
    }

    /// A text whose values stand in backticks, with these set as code.
    pub(crate) fn marked(&mut self, text: &str) -> &mut Self {
        for (index, part) in text.split('`').enumerate() {
            if index % 2 == 0 {
                self.text(part);
            } else {
                self.element("code", "", part);
            }
        }
        self
    }

    /// A tag of a class, with a text in it; of none if the class is empty.
    pub(crate) fn element(
        &mut self,
        tag: &'static str,
        class: &'static str,
        text: &str,
    ) -> &mut Self {
        let class = ("class", class);
        let attributes: &[_] = if class.1.is_empty() { &[] } else { &[class] };
        self.open(tag, attributes).text(text).close(tag)
    }

    /// A link.
    pub(crate) fn link(&mut self, to: &str, text: &str) -> &mut Self {
        self.open("a", &[("href", to)]).text(text).close("a")
    }

    /// A word whose meaning shows on hover, focus or tap: as [`crate::glossary::Defined`].
    pub(crate) fn term(&mut self, entry: Entry, place: &str, text: &str) -> &mut Self {
        let id = format!("meaning-{place}-{}", entry.id);
        self.open(
            "button",
            &[
                ("type", "button"),
                ("class", "term"),
                ("aria-describedby", &id),
            ],
        )
        .text(text)
        .open(
            "span",
            &[("class", "tip"), ("role", "tooltip"), ("id", &id)],
        )
        .text(entry.meaning)
        .close("span")
        .close("button")
    }

    /// A table on a screen of any width; on a phone each row is a card that names its values.
    /// The first column names the row, all others hold what is aligned right.
    pub(crate) fn table(
        &mut self,
        caption: Option<&str>,
        columns: &[Column<'_>],
        rows: &[Vec<String>],
    ) -> &mut Self {
        self.open("div", &[("class", "scroll")])
            .open("table", &[("class", "cards")]);
        if let Some(caption) = caption {
            self.element("caption", "", caption);
        }
        self.open("thead", &[]).open("tr", &[]);
        for (index, column) in columns.iter().enumerate() {
            let class = if index == 0 { "" } else { "number" };
            self.open("th", &[("scope", "col"), ("class", class)]);
            match column.meaning {
                Some((entry, place)) => self.term(entry, place, column.name),
                None => self.text(column.name),
            };
            self.close("th");
        }
        self.close("tr").close("thead").open("tbody", &[]);
        for row in rows {
            self.open("tr", &[]);
            for (index, cell) in row.iter().enumerate() {
                if index == 0 {
                    self.open("th", &[("scope", "row")]).text(cell).close("th");
                } else {
                    let name = columns.get(index).map_or("", |column| column.name);
                    self.open("td", &[("class", "number"), ("data-label", name)])
                        .text(cell)
                        .close("td");
                }
            }
            self.close("tr");
        }
        self.close("tbody").close("table").close("div")
    }

    /// What is HTML already.
    pub(crate) fn raw(&mut self, html: &str) -> &mut Self {
        self.0.push_str(html);
        self
    }

    /// What was written.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column<'a> {
    /// Its heading.
    name: &'a str,
    /// The word behind it, and where the table stands.
    meaning: Option<(Entry, &'static str)>,
}

impl<'a> Column<'a> {
    /// A column whose heading everybody knows.
    pub(crate) const fn plain(name: &'a str) -> Self {
        Self {
            name,
            meaning: None,
        }
    }

    /// A column whose heading is a word of the field.
    pub(crate) const fn of(entry: Entry, place: &'static str) -> Self {
        Self {
            name: entry.word,
            meaning: Some((entry, place)),
        }
    }
}

/// A text that is safe between tags and in an attribute.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                letter => out.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_put_in_stays_text() {
        let mut markup = Markup::default();
        markup
            .open("a", &[("href", "\"><script>")])
            .marked("1 < `<b>`")
            .close("a");
        assert_eq!(
            markup.take(),
            "<a href=\"&quot;&gt;&lt;script&gt;\">1 &lt; <code>&lt;b&gt;</code></a>"
        );
    }

    #[test]
    fn a_table_names_each_value_for_a_phone() {
        let columns = [Column::plain("Place"), Column::plain("Total")];
        let mut markup = Markup::default();
        markup.table(
            None,
            &columns,
            &[vec!["host".to_owned(), "1 GiB".to_owned()]],
        );
        assert!(markup.take().contains(
            "<th scope=\"row\">host</th><td class=\"number\" data-label=\"Total\">1 GiB</td>"
        ));
    }
}
