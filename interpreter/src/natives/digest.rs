//! Message digests: SHA-1 and SHA-2 (FIPS 180-4), SHA-3 (FIPS 202); chains of HMAC for PBKDF2 (RFC 8018). The module `crypto` is made of these and of
//! `erlang:md5/1`.

use hmac::{Hmac, KeyInit, Mac};
use sha1::{Digest, Sha1};
use sha2::{Sha224, Sha256, Sha384, Sha512};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};

use crate::native::{Context, Native, Raise};
use crate::term::Term;

use super::convert::{Flatten, flatten};

/// The table of this area.
pub const NATIVES: &[Native] = &[
    Native::pure("crypto", "$digest", 2, digest),
    Native::pure("crypto", "$hmacs", 5, hmacs),
];

/// `'$digest'(sha | sha224 | sha256 | sha384 | sha512 | sha3_224 | …, Data)`.
fn digest(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let kind = args[0].as_atom().ok_or(Raise::badarg())?;
    let (data, _) = flatten(cx.heap, args[1], Flatten::Bytes).ok_or(Raise::badarg())?;
    cx.local.charge += (data.len() / 64) as u32;
    let bytes = match kind.as_str() {
        "sha" => Sha1::digest(&data).to_vec(),
        "sha224" => Sha224::digest(&data).to_vec(),
        "sha256" => Sha256::digest(&data).to_vec(),
        "sha384" => Sha384::digest(&data).to_vec(),
        "sha512" => Sha512::digest(&data).to_vec(),
        "sha3_224" => Sha3_224::digest(&data).to_vec(),
        "sha3_256" => Sha3_256::digest(&data).to_vec(),
        "sha3_384" => Sha3_384::digest(&data).to_vec(),
        "sha3_512" => Sha3_512::digest(&data).to_vec(),
        _ => return Err(Raise::badarg()),
    };
    Ok(cx.heap.make_binary(&bytes))
}

/// `'$hmacs'(sha | sha224 | …, Key, Last, Sum, Times)`: `{Last, Sum}`. Each time, the last digest becomes its own HMAC, which is combined with the sum.
fn hmacs(cx: &mut Context<'_>, args: &[Term]) -> Result<Term, Raise> {
    let kind = args[0].as_atom().ok_or_else(Raise::badarg)?;
    let bytes = |term: Term| {
        cx.heap
            .bytes(term)
            .map(|bytes| bytes.into_owned())
            .ok_or_else(Raise::badarg)
    };
    let [key, mut last, mut sum] = [bytes(args[1])?, bytes(args[2])?, bytes(args[3])?];
    let times = args[4]
        .as_small()
        .and_then(|n| u16::try_from(n).ok())
        .ok_or_else(Raise::badarg)?;
    cx.local.charge += u32::from(times);
    match kind.as_str() {
        "sha" => chain::<Hmac<Sha1>>(&key, &mut last, &mut sum, times),
        "sha224" => chain::<Hmac<Sha224>>(&key, &mut last, &mut sum, times),
        "sha256" => chain::<Hmac<Sha256>>(&key, &mut last, &mut sum, times),
        "sha384" => chain::<Hmac<Sha384>>(&key, &mut last, &mut sum, times),
        "sha512" => chain::<Hmac<Sha512>>(&key, &mut last, &mut sum, times),
        _ => return Err(Raise::badarg()),
    }?;
    let parts = [cx.heap.make_binary(&last), cx.heap.make_binary(&sum)];
    Ok(cx.heap.make_tuple(&parts))
}

fn chain<M: Mac + KeyInit + Clone>(key: &[u8], last: &mut Vec<u8>, sum: &mut [u8], times: u16) -> Result<(), Raise> {
    let keyed = <M as KeyInit>::new_from_slice(key).map_err(|_| Raise::badarg())?;
    for _ in 0..times {
        let mut mac = keyed.clone();
        mac.update(last);
        *last = mac.finalize().into_bytes().to_vec();
        for (to, from) in sum.iter_mut().zip(last.iter()) {
            *to ^= from;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natives::testing::{Machine, atom};

    /// The examples of FIPS 180-4: "abc", and a message that is padded into a second block.
    #[test]
    fn digests_are_those_of_the_standard() {
        let digest = |kind: &str, data: &[u8]| -> String {
            let mut m = Machine::new();
            let data = m.heap.make_binary(data);
            let made = m.call(digest, &[atom(kind), data]).unwrap();
            let bytes = m.heap.bytes(made).unwrap();
            bytes.iter().map(|b| format!("{b:02x}")).collect()
        };
        let long = [b'a'; 119];
        assert_eq!(digest("sha", b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(digest("sha", &long), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
        assert_eq!(
            digest("sha224", b"abc"),
            "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"
        );
        assert_eq!(
            digest("sha224", &long),
            "e000e6709d26667b631faa7fc1bd404eb4774003c5fb4f51a0184875"
        );
        assert_eq!(
            digest("sha256", b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(
            digest("sha256", &long),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
        );
        assert_eq!(
            digest("sha384", b"abc"),
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        );
        assert_eq!(
            digest("sha384", &long),
            "c2fbb1911d6889e3db556b482236ab82f3c736f00a22c088641a09fdbbca27e3f1e3b6235bad20aee1ca083c76ac590c"
        );
        assert_eq!(
            digest("sha512", b"abc"),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        );
        assert_eq!(
            digest("sha512", &long),
            "130396a75cb483f2eee8c56d8a668bb3d2641f5243212c0bee2bd33da096ad9eb8179fe18f9eaacf76e09fae9de4c3f14ba13341e345be05bf76c182cc3468cb"
        );
    }
}
