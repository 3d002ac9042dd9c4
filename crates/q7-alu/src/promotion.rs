//! Type promotion of the kernel language: which dtype an operation on two dtypes has. No effect on the device.
//!
//! Source: `tpb-dtypes-and-patterns/spec-dtype-promotion-lattice.md`, `extra-promotion-ladder.csv`.

use std::fmt;
use std::str::FromStr;

use Kind::{Float, Signed, Unsigned};

/// What a host dtype counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
}

macro_rules! host_dtypes {
    ($($variant:ident $name:literal $kind:ident $bytes:literal;)*) => {
        /// A dtype of the kernel language: those of numpy, and the compiler's own floats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum HostDtype {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl HostDtype {
            /// All of them.
            pub const ALL: [HostDtype; [$($bytes,)*].len()] = [$(HostDtype::$variant,)*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $(HostDtype::$variant => $name,)* }
            }

            /// Bytes of an element (of the container for those below a byte).
            pub const fn bytes(self) -> u32 {
                match self { $(HostDtype::$variant => $bytes,)* }
            }

            const fn kind(self) -> Kind {
                match self { $(HostDtype::$variant => $kind,)* }
            }
        }
    };
}

host_dtypes! {
    Uint8         "uint8"           Unsigned 1;
    Uint16        "uint16"          Unsigned 2;
    Uint32        "uint32"          Unsigned 4;
    Uint64        "uint64"          Unsigned 8;
    Int8          "int8"            Signed   1;
    Int16         "int16"           Signed   2;
    Int32         "int32"           Signed   4;
    Int64         "int64"           Signed   8;
    Float64       "float64"         Float    8;
    Float32r      "float32r"        Float    4;
    Float32       "float32"         Float    4;
    Bfloat16      "bfloat16"        Float    2;
    Float16       "float16"         Float    2;
    Float8E4m3    "float8_e4m3"     Float    1;
    Float8E4m3fn  "float8_e4m3fn"   Float    1;
    Float8E5m2    "float8_e5m2"     Float    1;
    Float8E8m0fnu "float8_e8m0fnu"  Float    1;
    Float4E2m1fn  "float4_e2m1fn"   Float    1;
}

/// The floats that promotion can give; of two of equal size the earlier wins.
const LADDER: [HostDtype; 8] = [
    HostDtype::Float64,
    HostDtype::Float32r,
    HostDtype::Float32,
    HostDtype::Bfloat16,
    HostDtype::Float16,
    HostDtype::Float8E4m3,
    HostDtype::Float8E4m3fn,
    HostDtype::Float8E5m2,
];

/// Two dtypes that have no common one: the kernel has to cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no promotion of `{0}` and `{1}`: cast explicitly")]
pub struct NoPromotion(pub HostDtype, pub HostDtype);

/// The dtype of an operation on `a` and `b`. The order of the operands does not matter.
///
/// Two floats: the wider, of equally wide ones the one that stands first on the ladder; FP4 and E8M0 are not on it.
/// A float and an integer: the float. Two integers: the wider of one sign; for mixed signs see L24.
pub fn promote(a: HostDtype, b: HostDtype) -> Result<HostDtype, NoPromotion> {
    match (a.kind(), b.kind()) {
        (Float, Float) => {
            let widest = a.bytes().max(b.bytes());
            let off_ladder = [a, b].iter().any(|dtype| !LADDER.contains(dtype));
            let wins = |dtype: &HostDtype| dtype.bytes() == widest && (*dtype == a || *dtype == b);
            let found = if off_ladder { None } else { LADDER.into_iter().find(wins) };
            found.ok_or(NoPromotion(a, b))
        }
        (Float, _) => Ok(a),
        (_, Float) => Ok(b),
        (Signed, Unsigned) => Ok(mixed(a, b)),
        (Unsigned, Signed) => Ok(mixed(b, a)),
        _ => Ok(if a.bytes() >= b.bytes() { a } else { b }),
    }
}

/// The narrowest integer of the ladder that holds both, else float32 (L24). The unsigned ones of the ladder never do.
fn mixed(signed: HostDtype, unsigned: HostDtype) -> HostDtype {
    match signed.bytes().max(2 * unsigned.bytes()) {
        2 => HostDtype::Int16,
        4 => HostDtype::Int32,
        _ => HostDtype::Float32,
    }
}

impl fmt::Display for HostDtype {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// The text names no host dtype.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown host dtype `{0}`")]
pub struct UnknownHostDtype(pub String);

impl FromStr for HostDtype {
    type Err = UnknownHostDtype;

    fn from_str(text: &str) -> Result<Self, UnknownHostDtype> {
        HostDtype::ALL
            .into_iter()
            .find(|dtype| dtype.name() == text)
            .ok_or_else(|| UnknownHostDtype(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules of the page, worked by hand.
    #[test]
    fn cells() {
        for (a, b, wanted) in [
            ("float16", "int64", "float16"),
            ("float32r", "float32", "float32r"),
            ("float32", "bfloat16", "float32"),
            ("bfloat16", "float16", "bfloat16"),
            ("float8_e5m2", "float8_e4m3", "float8_e4m3"),
            ("float64", "float32r", "float64"),
            ("int8", "int32", "int32"),
            ("uint8", "uint64", "uint64"),
            ("uint8", "int8", "int16"),
            ("uint16", "int16", "int32"),
            ("uint8", "int32", "int32"),
            ("uint64", "int64", "float32"),
            ("uint32", "int64", "float32"),
            ("uint8", "int64", "float32"),
            ("uint32", "int8", "float32"),
        ] {
            let [a, b, wanted] = [a, b, wanted].map(|name| name.parse::<HostDtype>().unwrap());
            assert_eq!(promote(a, b), Ok(wanted), "{a} {b}");
        }
        for off_ladder in [HostDtype::Float4E2m1fn, HostDtype::Float8E8m0fnu] {
            let refused = promote(off_ladder, HostDtype::Float32);
            assert_eq!(refused, Err(NoPromotion(off_ladder, HostDtype::Float32)));
            assert_eq!(promote(off_ladder, HostDtype::Int8), Ok(off_ladder));
        }
    }

    #[test]
    fn promotion_commutes_and_keeps_equals() {
        for a in HostDtype::ALL {
            for b in HostDtype::ALL {
                assert_eq!(promote(a, b).ok(), promote(b, a).ok(), "{a} {b}");
            }
            if LADDER.contains(&a) || a.kind() != Float {
                assert_eq!(promote(a, a), Ok(a));
            }
        }
    }
}
