//! The page: its three parts, joined, with the data and a policy that allows nothing but them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::script::script;

const HTML: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/page.css");

/// How every page begins.
pub const START: &str = "<!doctype html>\n<!-- replay report";

/// Joins the page. `plain`: lines for a browser without scripts; `head`: JSON; `bulk`: any bytes.
pub fn page(plain: &[String], head: &str, bulk: &[u8]) -> String {
    let script = script();
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(STYLE)
    );
    let parts = [
        ("@POLICY@", policy.as_str()),
        ("@STYLE@", STYLE),
        ("@PLAIN@", &plain_html(plain)),
        ("@HEAD@", &inert(head)),
        ("@BULK@", &STANDARD.encode(bulk)),
        ("@SCRIPT@", &script),
    ];
    joined(HTML, &parts)
}

const UNIVERSES: &str = include_str!("../page/universes.html");
const UNIVERSES_STYLE: &str = include_str!("../page/universes.css");

/// A page without scripts. `body`: HTML.
pub fn plain_page(body: &str) -> String {
    let style = format!("{STYLE}{UNIVERSES_STYLE}");
    let policy = format!(
        "default-src 'none'; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(&style)
    );
    let parts = [("@POLICY@", policy.as_str()), ("@STYLE@", &style), ("@BODY@", body)];
    joined(UNIVERSES, &parts)
}

/// Puts parts in for marks. Each mark stands once, in this order, so nothing that is put in is searched for marks.
fn joined(html: &str, parts: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(html.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = html;
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.push_str(before);
        out.push_str(text);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Paragraphs of text.
fn plain_html(lines: &[String]) -> String {
    let escaped = lines.iter().map(|line| {
        let line = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        format!("<p>{line}</p>")
    });
    escaped.collect()
}

/// The source expression of a script or style in the policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// JSON that cannot end the element in which it stands.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_the_page_fit_together() {
        assert!(HTML.starts_with(START));
        for mark in ["@POLICY@", "@STYLE@", "@PLAIN@", "@HEAD@", "@BULK@", "@SCRIPT@"] {
            assert_eq!(HTML.matches(mark).count(), 1, "{mark}");
        }
        // Nothing may end the elements in which they stand.
        assert!(!STYLE.contains("</") && !script().contains("</script") && !script().contains("<!--"));
        // What is fixed is a small part of what a page may take.
        assert!(HTML.len() + STYLE.len() + script().len() < 100_000);
    }

    #[test]
    fn data_cannot_leave_its_element() {
        let page = page(
            &["<b>&amp;".to_owned()],
            r#"{"a":"</script><img src=x>&amp;@SCRIPT@"}"#,
            b"\x00\xff",
        );
        assert!(page.contains(r#"{"a":"\u003c/script\u003e\u003cimg src=x\u003e\u0026amp;@SCRIPT@"}"#));
        assert!(!page.contains("<img src=x") && page.contains("<p>&lt;b&gt;&amp;amp;</p>"));
        assert!(page.contains("AP8="));
    }

    #[test]
    fn the_policy_names_exactly_the_script_and_the_style() {
        let page = page(&[], "{}", b"");
        let between = |from: &str, to: &str| {
            let (_, rest) = page.split_once(from).expect("the page has it");
            rest.split_once(to).expect("and its end").0.to_owned()
        };
        let policy = between("http-equiv=\"Content-Security-Policy\" content=\"", "\"");
        assert!(policy.contains(&hash(&between("<style>", "</style>"))), "{policy}");
        assert!(policy.contains(&hash(&between("<script>", "</script>"))), "{policy}");
        assert!(!policy.contains("unsafe"));
        // No attribute may hold code or style: the policy would refuse it.
        assert!(!HTML.contains(" style=") && !HTML.contains(" onclick="));
    }
}
