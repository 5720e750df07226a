//! The bulk of the data: numbers as columns, texts once each, packed. A page of a million actions would otherwise take a second to read.

use miniz_oxide::deflate::compress_to_vec;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

/// How hard the packer tries: higher costs more time than it saves bytes.
const LEVEL: u8 = 6;

/// A container of columns and of values of JSON.
#[derive(Default)]
pub struct Columns {
    directory: Vec<Value>,
    bytes: Vec<u8>,
}

impl Columns {
    /// Adds a column of numbers, in the fewest bytes that hold the largest; -1 is the largest.
    pub fn add(&mut self, name: &str, values: &[i32]) {
        // All numbers are -1 or more: as 0 and more, they need no sign.
        let width = match values.iter().copied().max().unwrap_or(-1) {
            ..=254 => 1,
            255..=65_534 => 2,
            _ => 4,
        };
        self.entry(name, &format!("u{width}"), width * values.len());
        // The bytes of equal weight together: they are alike, and pack well.
        for byte in 0..width {
            self.bytes.extend(
                values
                    .iter()
                    .map(|value| (value.wrapping_add(1) as u32).to_le_bytes()[byte]),
            );
        }
    }

    /// Adds a value of JSON.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn json(&mut self, name: &str, value: &impl Serialize) -> serde_json::Result<()> {
        let text = serde_json::to_vec(value)?;
        self.entry(name, "json", text.len());
        self.bytes.extend(text);
        Ok(())
    }

    fn entry(&mut self, name: &str, kind: &str, length: usize) {
        self.directory.push(json!([name, kind, self.bytes.len(), length]));
    }

    /// The packed container: the length of the directory, the directory, the bytes.
    pub fn pack(self) -> Vec<u8> {
        let directory = Value::from(self.directory).to_string();
        let mut all = (directory.len() as u32).to_le_bytes().to_vec();
        all.extend(directory.as_bytes());
        all.extend(self.bytes);
        compress_to_vec(&all, LEVEL)
    }
}

/// Texts, each once, named by number.
#[derive(Default)]
pub struct Texts {
    known: FxHashMap<String, i32>,
    all: Vec<String>,
    bytes: usize,
}

impl Texts {
    /// How many bytes they are together.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of a text.
    pub fn number(&mut self, text: &str) -> i32 {
        if let Some(number) = self.known.get(text) {
            return *number;
        }
        let number = i32::try_from(self.all.len()).unwrap_or(i32::MAX);
        self.known.insert(text.to_owned(), number);
        self.all.push(text.to_owned());
        self.bytes += text.len();
        number
    }

    /// The number of a text that may be missing: -1.
    pub fn maybe(&mut self, text: Option<&str>) -> i32 {
        text.map_or(-1, |text| self.number(text))
    }

    /// All of them, by number.
    pub fn all(&self) -> &[String] {
        &self.all
    }
}

/// Lists of uses of shared things, each once, named by number.
#[derive(Default)]
pub struct UseLists {
    known: FxHashMap<Vec<ListedUse>, i32>,
    all: Vec<Vec<ListedUse>>,
}

/// A use of something shared: its text, and a brief one without who left it so; none if another use of its action says as much.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListedUse {
    /// The number of the text.
    pub text: i32,
    /// The number of the brief text, or -1.
    pub brief: i32,
}

impl UseLists {
    /// The number of a list; -1 for an empty one.
    pub fn number(&mut self, list: Vec<ListedUse>) -> i32 {
        if list.is_empty() {
            return -1;
        }
        if let Some(number) = self.known.get(&list) {
            return *number;
        }
        let number = self.all.len() as i32;
        self.all.push(list.clone());
        self.known.insert(list, number);
        number
    }

    /// Where each list begins, and where the last one ends; the texts and the brief texts of all.
    pub fn columns(&self) -> (Vec<i32>, Vec<i32>, Vec<i32>) {
        let mut starts = vec![0];
        let (mut texts, mut briefs) = (Vec::new(), Vec::new());
        for list in &self.all {
            texts.extend(list.iter().map(|one| one.text));
            briefs.extend(list.iter().map(|one| one.brief));
            starts.push(texts.len() as i32);
        }
        (starts, texts, briefs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_take_the_fewest_bytes() {
        let mut columns = Columns::default();
        columns.add("small", &[-1, 0, 254]);
        columns.add("middle", &[255, 1]);
        columns.add("large", &[70_000, -1]);
        assert_eq!(columns.bytes, [0, 1, 255, 0, 2, 1, 0, 113, 0, 17, 0, 1, 0, 0, 0]);
        let packed = columns.pack();
        let all = miniz_oxide::inflate::decompress_to_vec(&packed).expect("it can be unpacked");
        let length = u32::from_le_bytes([all[0], all[1], all[2], all[3]]) as usize;
        let directory: Value = serde_json::from_slice(&all[4..4 + length]).expect("it is JSON");
        assert_eq!(directory[1], json!(["middle", "u2", 3, 4]));
    }

    #[test]
    fn texts_are_kept_once() {
        let mut texts = Texts::default();
        assert_eq!((texts.number("a"), texts.number("b"), texts.number("a")), (0, 1, 0));
        assert_eq!(texts.maybe(None), -1);
        assert_eq!(texts.all(), ["a", "b"]);
        assert_eq!(texts.bytes(), 2);
    }

    #[test]
    fn a_list_of_uses_is_there_once() {
        let one = |text, brief| ListedUse { text, brief };
        let mut lists = UseLists::default();
        assert_eq!(lists.number(Vec::new()), -1);
        assert_eq!(lists.number(vec![one(3, 4), one(5, -1)]), 0);
        assert_eq!(lists.number(vec![one(3, 4)]), 1);
        assert_eq!(lists.number(vec![one(3, 4), one(5, -1)]), 0);
        assert_eq!(lists.columns(), (vec![0, 2, 3], vec![3, 5, 3], vec![4, -1, 4]));
    }
}
