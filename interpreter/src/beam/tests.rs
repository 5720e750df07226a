//! Files of OTP's compiler, and what is left of them when they are damaged.

use proptest::prelude::*;

use super::functions::functions;
use super::*;

const SHAPE: &[u8] = include_bytes!("../../../fixtures/beams/shape.beam");
const BARE: &[u8] = include_bytes!("../../../fixtures/beams/bare.beam");
const LETTERS: &[u8] = include_bytes!("../../../fixtures/beams/Elixir.Letters.beam");

/// A file with one chunk.
fn file(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut body = b"BEAM".to_vec();
    body.extend(name);
    body.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
    body.extend(content);
    let mut all = b"FOR1".to_vec();
    all.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
    all.extend(body);
    all
}

fn packed(plain: &[u8]) -> Vec<u8> {
    let mut content = vec![VERSION, 80, 0, 0, 0, 1];
    let mut encoder = flate2::write::ZlibEncoder::new(&mut content, flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, plain).unwrap();
    encoder.finish().unwrap();
    content
}

#[test]
fn functions_of_a_file_are_known_by_name_and_arity() {
    let all = functions(SHAPE).unwrap();
    assert!(all.contains(&("module_info".to_owned(), 1)), "{all:?}");
    assert!(functions(&SHAPE[..20]).is_err());
    assert!(functions(LETTERS).unwrap().contains(&("__info__".to_owned(), 1)));
}

#[test]
fn atoms_of_otp_28_are_read() {
    let of_28 = [
        (-2_i32).to_be_bytes().as_slice(),
        &[0x10, b'm', 0b0000_1000, 20],
        &[b'x'; 20],
    ]
    .concat();
    let [one, entry] = [[0_u8, 0, 0, 1], [0, 0, 0, 2]];
    let exports = [one, entry, [0, 0, 0, 3], one].concat();
    let mut body = b"BEAM".to_vec();
    for (name, content) in [(b"AtU8", of_28), (b"ExpT", exports)] {
        body.extend(name);
        body.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        body.extend(&content);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    let mut all = b"FOR1".to_vec();
    all.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
    all.extend(body);
    assert_eq!(functions(&all).unwrap(), [("x".repeat(20), 3)]);
}

#[test]
fn forms_are_read_with_what_the_options_add_to_their_meaning() {
    let object = read(SHAPE).unwrap();
    assert_eq!(object.module, "shape");
    assert_eq!(object.file.as_deref(), Some("src/shape.erl"));
    let parsed = syntax::parse_forms(&object.forms).unwrap();
    let attributes: Vec<&str> = parsed.module.attributes.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(attributes.iter().filter(|name| **name == "compile").count(), 2);
    assert_eq!(attributes.iter().filter(|name| **name == "vsn").count(), 1);
}

#[test]
fn of_elixir_the_definitions_are_read() {
    let object = read(LETTERS).unwrap();
    assert_eq!(object.module, "Elixir.Letters");
    assert!(object.file.unwrap().ends_with("/letters.ex"));
    assert!(object.is_elixir && syntax::parse_forms(&object.forms).is_ok());
    let other = |definitions: &[u8]| elixir(definitions).unwrap_err();
    assert_eq!(other(&[SMALL_TUPLE, 3, NIL, NIL, NIL]), BeamError::OtherElixir);
    assert_eq!(
        other(&[SMALL_TUPLE, 3, NIL, MAP, 255, 255, 255, 255, NIL]),
        BeamError::OtherElixir
    );
}

#[test]
fn files_without_forms_are_refused_with_words() {
    let why = |bytes: &[u8]| read(bytes).unwrap_err();
    assert_eq!(why(BARE), BeamError::WithoutDebugInfo);
    assert!(why(BARE).to_string().contains("compile it with the option debug_info"));
    assert_eq!(why(b"FOR1"), BeamError::NotBeam);
    assert_eq!(why(&SHAPE[..SHAPE.len() - 1]), BeamError::Cut);
    assert_eq!(why(&file(b"Code", b"")), BeamError::WithoutDebugInfo);
    assert_eq!(why(&file(b"Dbgi", &[0, 1])), BeamError::Encrypted);
    // {debug_info_v1, elixir_erl, none}
    let mut without = vec![VERSION, SMALL_TUPLE, 3];
    for word in ["debug_info_v1", "elixir_erl", "none"] {
        without.extend([119, u8::try_from(word.len()).unwrap()]);
        without.extend(word.as_bytes());
    }
    assert_eq!(why(&file(b"Dbgi", &without)), BeamError::WithoutDebugInfo);
    assert_eq!(why(&file(b"Dbgi", &[VERSION, SMALL_TUPLE, 3])), BeamError::Damaged);
    // Lists and texts that say that they are longer than the file.
    assert_eq!(
        why(&file(b"Dbgi", &[VERSION, LIST, 255, 255, 255, 255, NIL])),
        BeamError::Damaged
    );
    assert_eq!(
        why(&file(b"Dbgi", &[VERSION, 109, 255, 255, 255, 255])),
        BeamError::Damaged
    );
}

#[test]
fn what_is_unpacked_is_bounded() {
    let zeros = vec![0; MOST + 1];
    let found = read(&file(b"Dbgi", &packed(&zeros)));
    assert!(found == Err(BeamError::TooLarge));
}

#[test]
fn a_deep_term_needs_no_stack() {
    let mut deep = vec![VERSION];
    deep.extend([SMALL_TUPLE, 1].repeat(1_000_000));
    deep.push(NIL);
    assert_eq!(read(&file(b"Dbgi", &deep)).unwrap_err(), BeamError::Damaged);
}

proptest! {
    /// The parser of forms reads the rest, so it is asked, too.
    #[test]
    fn damaged_files_are_told(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), cut in any::<prop::sample::Index>()) {
        for whole in [SHAPE, LETTERS] {
            let mut inside = unpacked(whole);
            for (at, byte) in &changes {
                let at = at.index(inside.len());
                inside[at] = *byte;
            }
            for bytes in [file(b"Dbgi", &inside), file(b"Dbgi", &inside[..cut.index(inside.len())])] {
                if let Ok(object) = read(&bytes) {
                    let _ = syntax::parse_forms(&object.forms);
                }
            }
            let mut outside = whole.to_vec();
            outside[cut.index(whole.len())] ^= 0x41;
            let _ = read(&outside);
        }
    }
}

/// The debug information of a file.
fn unpacked(whole: &[u8]) -> Vec<u8> {
    let chunks = Chunks::of(whole).unwrap();
    let mut plain = vec![VERSION];
    plain.extend(unpack(flate2::bufread::ZlibDecoder::new(&chunks.get(b"Dbgi").unwrap()[6..])).unwrap());
    plain
}
