//! The compiler's element types: 20 ordinals, containers, wire tags and addresses.
//!
//! Source: `seed-tables/bir-dtypes.csv`; `tpb-dtypes-and-patterns/extra-bir-dtypes.csv`, `extra-luts.csv`,
//! `extra-addr4-align.csv`, `spec-dtype-catalog.md`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::dtype::Dtype;
use crate::generation::Generation;

macro_rules! bir_dtypes {
    ($($ordinal:literal $variant:ident $name:literal $tag:ident $bytes:literal $lanes:literal $others:literal;)*) => {
        /// An element type of the compiler. The discriminant is its ordinal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum BirDtype {
            $(#[doc = concat!("`", $name, "`")] $variant = $ordinal,)*
        }

        impl BirDtype {
            /// All 20 by ordinal.
            pub const ALL: [BirDtype; 20] = [$(BirDtype::$variant,)*];

            /// Name in the compiler.
            pub const fn name(self) -> &'static str {
                match self { $(BirDtype::$variant => $name,)* }
            }

            /// The dtype of one element (for x4 types, of one of the four).
            pub const fn element(self) -> Dtype {
                match self { $(BirDtype::$variant => Dtype::$tag,)* }
            }

            /// Bytes of a container: the stride unit of addresses.
            pub const fn container_bytes(self) -> u64 {
                match self { $(BirDtype::$variant => $bytes,)* }
            }

            /// Elements in a container: 4 for x4 types, else 1.
            pub const fn elements_per_container(self) -> u64 {
                match self { $(BirDtype::$variant => $lanes,)* }
            }

            const fn other_names(self) -> &'static str {
                match self { $(BirDtype::$variant => $others,)* }
            }
        }
    };
}

bir_dtypes! {
    0  Uint8           "uint8"            Uint8    1 1 "";
    1  Int8            "int8"             Int8     1 1 "";
    2  Float4E2m1fnX4  "float4_e2m1fn_x4" Fp4Exp2  2 4 "";
    3  Float8e3        "float8e3"         Fp8Exp3  1 1 "float8_e3m4";
    4  Float8e4        "float8e4"         Fp8Exp4  1 1 "float8_e4m3";
    5  Float8E4m3fn    "float8_e4m3fn"    Fp8Exp4  1 1 "";
    6  Float8E8m0fnu   "float8_e8m0fnu"   Uint8    1 1 "";
    7  Float8e5        "float8e5"         Fp8Exp5  1 1 "float8_e5m2";
    8  Float8E4m3fnX4  "float8_e4m3fn_x4" Fp8Exp4  4 4 "";
    9  Float8E5m2X4    "float8_e5m2_x4"   Fp8Exp5  4 4 "";
    10 Uint16          "uint16"           Uint16   2 1 "";
    11 Int16           "int16"            Int16    2 1 "";
    12 Bfloat16        "bfloat16"         Bfloat16 2 1 "";
    13 Float16         "float16"          Fp16     2 1 "";
    14 Uint32          "uint32"           Uint32   4 1 "";
    15 Int32           "int32"            Int32    4 1 "";
    16 Float32         "float32"          Fp32     4 1 "";
    17 Float32r        "float32r"         Fp32r    4 1 "";
    18 Uint64          "uint64"           Uint64   8 1 "";
    19 Int64           "int64"            Int64    8 1 "";
}

impl BirDtype {
    /// The ordinal.
    pub const fn ordinal(self) -> u8 {
        self as u8
    }

    /// The type of an ordinal; 20 and above name none.
    pub fn from_ordinal(ordinal: u8) -> Option<BirDtype> {
        BirDtype::ALL.get(usize::from(ordinal)).copied()
    }

    /// The tag that the encoder writes. Many to one: E4M3fn, its x4 form and the older `float8e4` share a tag, and
    /// E8M0 travels as UINT8. Before core version 4 the FP4 container is declared as UINT16.
    pub fn wire_tag(self, generation: Generation) -> Dtype {
        match self {
            BirDtype::Float4E2m1fnX4 if generation.core_version() < 4 => Dtype::Uint16,
            other => other.element(),
        }
    }

    /// Four elements in a container.
    pub const fn is_x4(self) -> bool {
        self.elements_per_container() == 4
    }

    /// Logical elements in so many containers; `None` beyond 64 bits.
    pub const fn elements(self, containers: u64) -> Option<u64> {
        containers.checked_mul(self.elements_per_container())
    }

    /// The compiler type of one element of an x4 type; FP4 alone has none.
    pub const fn x1(self) -> Option<BirDtype> {
        match self {
            BirDtype::Float4E2m1fnX4 => None,
            BirDtype::Float8E4m3fnX4 => Some(BirDtype::Float8E4m3fn),
            BirDtype::Float8E5m2X4 => Some(BirDtype::Float8e5),
            other => Some(other),
        }
    }

    /// Alignment of a start address in bytes; `None` where no address is accepted.
    pub fn alignment(self, generation: Generation) -> Option<u64> {
        match self {
            BirDtype::Float4E2m1fnX4 if generation.core_version() < 4 => None,
            other => start_alignment(other.wire_tag(generation), generation),
        }
    }

    /// May a tensor start at `address`? FP4 x4 never, before core version 4.
    pub fn is_aligned(self, address: u64, generation: Generation) -> bool {
        self.alignment(generation).is_some_and(|bytes| address.is_multiple_of(bytes))
    }

    /// Address of the last of `containers` consecutive containers: `(n - 1) * stride + base`. `None` for none.
    pub fn last_address(self, base: u64, containers: u64) -> Option<u64> {
        containers.checked_sub(1)?.checked_mul(self.container_bytes())?.checked_add(base)
    }
}

/// Alignment of a start address by wire tag; `None` for tags that the address validator rejects.
///
/// The table lists the 15 basic dtypes and, from core version 4 on, FP4; everything else is rejected.
pub fn start_alignment(dtype: Dtype, generation: Generation) -> Option<u64> {
    match dtype {
        Dtype::Fp4Exp2 => (generation.core_version() >= 4).then_some(1),
        Dtype::Invalid => None,
        basic if basic.fits_nibble() => Some(basic.bytes() as u64),
        _ => None,
    }
}

impl fmt::Display for BirDtype {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl Serialize for BirDtype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The text names no compiler dtype.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown compiler dtype `{0}`")]
pub struct UnknownBirDtype(pub String);

impl FromStr for BirDtype {
    type Err = UnknownBirDtype;

    /// Reads a name exactly. The short names `float8e3`, `float8e4`, `float8e5` are the older ones and are the
    /// compiler's own; their long spellings are read too.
    fn from_str(text: &str) -> Result<Self, UnknownBirDtype> {
        let named =
            |dtype: &BirDtype| !text.is_empty() && (dtype.name() == text || dtype.other_names() == text);
        BirDtype::ALL.into_iter().find(named).ok_or_else(|| UnknownBirDtype(text.to_owned()))
    }
}
