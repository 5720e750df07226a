//! What was made of files that seldom change, in the user's folder for caches: forms of modules of Elixir, which its own `elixir_erl` makes in the
//! interpreter. A file there is used only if it is whole; it may be deleted at any time.

use std::env;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// Names the folder; if empty, nothing is kept.
const VARIABLE: &str = "TRACER_CACHE";
/// Limit: bytes of what is kept of one file, unpacked.
const MOST: u64 = 64 << 20;
/// The file with names of modules.
const MODULES: &str = "modules";
/// Limit: names in it.
const MOST_MODULES: usize = 2000;
/// A file with another first line is of another version of the tool.
const FIRST_LINE: &str = concat!("retell forms 1 of tracer ", env!("CARGO_PKG_VERSION"), "\n");

/// What was made of a file with this content.
pub fn get(content: &[u8]) -> Option<Vec<u8>> {
    let packed = fs::read(place(content)?).ok()?;
    let packed = packed.strip_prefix(FIRST_LINE.as_bytes())?;
    let mut made = Vec::new();
    let read = ZlibDecoder::new(packed).take(MOST + 1).read_to_end(&mut made).ok()?;
    (read as u64 <= MOST).then_some(made)
}

/// Keeps what was made of it. If that is not possible, it is made again next time.
pub fn put(content: &[u8], made: &[u8]) {
    let written = || -> std::io::Result<()> {
        let Some(place) = place(content) else { return Ok(()) };
        let folder = place.parent().unwrap_or(&place);
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(FIRST_LINE.as_bytes())?;
        let mut packed = ZlibEncoder::new(&mut file, Compression::fast());
        packed.write_all(made)?;
        packed.finish()?;
        file.persist(place)?;
        Ok(())
    };
    let _ = written();
}

/// Names of the modules that the last run of `mix test` has loaded of Elixir, the largest first.
pub fn modules() -> Vec<String> {
    let text = folder().and_then(|folder| fs::read_to_string(folder.join(MODULES)).ok());
    let names = text.as_deref().and_then(|text| text.strip_prefix(FIRST_LINE));
    names.map_or_else(Vec::new, |names| {
        names.lines().map(str::to_owned).take(MOST_MODULES).collect()
    })
}

/// Keeps these names for the next run.
pub fn note_modules(names: &[&str]) {
    let known = modules();
    if names.iter().all(|name| known.iter().any(|known| known == name)) {
        return;
    }
    let written = || -> std::io::Result<()> {
        let Some(folder) = folder() else { return Ok(()) };
        fs::create_dir_all(&folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(FIRST_LINE.as_bytes())?;
        file.write_all(names.join("\n").as_bytes())?;
        file.persist(folder.join(MODULES))?;
        Ok(())
    };
    // Without it, each module is compiled when it is called.
    let _ = written();
}

fn place(content: &[u8]) -> Option<PathBuf> {
    let [one, other] = key(content);
    Some(folder()?.join("forms").join(format!("{one:016x}{other:016x}")))
}

fn folder() -> Option<PathBuf> {
    Some(match env::var_os(VARIABLE) {
        Some(folder) if folder.is_empty() => return None,
        Some(folder) => PathBuf::from(folder),
        None => match env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()) {
            Some(folder) => PathBuf::from(folder).join("retell"),
            None => PathBuf::from(env::var_os("HOME").filter(|home| !home.is_empty())?).join(".cache/retell"),
        },
    })
}

/// Two hashes of all bytes. What is kept was made of the user's own files, so nobody looks for two with the same ones.
fn key(content: &[u8]) -> [u64; 2] {
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let length = content.len() as u64;
    let makers = [crate::elixir::MAKER, "retell_exunit"];
    let makers = makers.map(|module| interpreter::library::source(module).unwrap_or_default());
    let mut hashes = [length, !length ^ makers[0].len() as u64];
    let content = makers
        .iter()
        .flat_map(|text| text.as_bytes().chunks(8))
        .chain(content.chunks(8));
    for piece in content {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        let word = u64::from_le_bytes(word);
        hashes = [step(hashes[0], word), step(hashes[1], word.rotate_left(32))];
    }
    hashes.map(|hash| step(hash ^ hash >> 32, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_that_differ_a_little_have_other_keys() {
        let mut keys = std::collections::HashSet::new();
        for length in 0..64_usize {
            for at in 0..length {
                let mut content = vec![0; length];
                content[at] = 1;
                assert!(keys.insert(key(&content)), "{length} {at}");
            }
        }
    }
}
