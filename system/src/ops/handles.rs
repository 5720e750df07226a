//! Open files.

use interpreter::native::NativeClass;
use interpreter::term::Term;
use log_format::InputClass;

use crate::handles::{self, FileAccess, HandleRequest};
use crate::ops::{OpResult, Operation, badarg, text};
use crate::step::Step;
use crate::terms;

pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("erlang", "$open_file", 3, NativeClass::Input, open_file),
    Operation::new("erlang", "$on_file", 5, NativeClass::Input, on_file),
];

/// `'$open_file'(Path, Access, Key)`: `Access` is a list of words.
fn open_file(step: &mut Step<'_>) -> OpResult {
    let [path, access, key] = step.args();
    let heap = &step.process.machine.heap;
    let path = text(heap, path).ok_or_else(badarg)?;
    let words: Option<Vec<_>> = heap
        .list(access)
        .and_then(|words| words.iter().map(|word| word.as_atom()).collect());
    let words = words.ok_or_else(badarg)?;
    let access = FileAccess::of(words.iter().map(|word| word.as_str())).ok_or_else(badarg)?;
    let key = terms::encode(heap, key);
    step.world.may_have_objects |= access.write && path.ends_with(super::os::OBJECT);
    step.input(InputClass::File, |world, heap| {
        let result = world.outside.open_file(&key, &path, access);
        handles::opened(heap, result)
    })
}

/// `'$on_file'(Operation, Path, Where, Key, Bytes)`: `Where` is a list of numbers.
fn on_file(step: &mut Step<'_>) -> OpResult {
    let [operation, path, places, key, bytes] = step.args();
    let heap = &step.process.machine.heap;
    let operation = operation.as_atom().ok_or_else(badarg)?;
    let path = text(heap, path).ok_or_else(badarg)?;
    let places: Option<Vec<i64>> = heap
        .list(places)
        .and_then(|places| places.iter().map(|place: &Term| place.as_small()).collect());
    let places = places.ok_or_else(badarg)?;
    let key = terms::encode(heap, key);
    let bytes = heap.bytes(bytes).map(std::borrow::Cow::into_owned);
    let request = HandleRequest::of(operation.as_str(), &places, bytes.as_deref()).ok_or_else(badarg)?;
    let by = step.process.pid.number();
    step.input(InputClass::File, |world, heap| {
        // Who opens a file notes that it was made; the process of the file does all else.
        if request != HandleRequest::Made {
            world.outside.file_is_used(&key, by);
        }
        let result = world.outside.on_file(&key, &path, request);
        handles::answer(heap, result)
    })
}
