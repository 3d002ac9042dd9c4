//! The element types: one byte each, the same code in every instruction field.
//!
//! Source: `tpb-alu-and-kernels/extra-dtypes.csv`, `spec-dtype-model.md`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::generation::Generation;
use crate::number::FloatFormat;
use crate::text::{code, similar, squeeze};

/// What kind of number an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// No number: INVALID.
    None,
    /// Two's complement integer.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// Floating point with a sign bit.
    Float,
    /// Floating point without a sign bit, used as a block scale.
    Scale,
    /// Compressed transport, no arithmetic.
    Compressed,
}

macro_rules! dtypes {
    ($($code:literal $variant:ident $name:literal $since:ident $bits:literal $kind:ident $other:literal;)*) => {
        /// An element type. The discriminant is the wire tag. 0x17 and 0x18 are not assigned.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Dtype {
            $(#[doc = concat!("`", $name, "`")] $variant = $code,)*
        }

        impl Dtype {
            /// All 30 element types by ascending tag, INVALID first.
            pub const ALL: [Dtype; 30] = [$(Dtype::$variant,)*];

            /// The element type of a wire tag.
            pub const fn from_tag(tag: u8) -> Option<Dtype> {
                match tag {
                    $($code => Some(Dtype::$variant),)*
                    _ => None,
                }
            }

            /// Name in the dtype enum.
            pub const fn name(self) -> &'static str {
                match self { $(Dtype::$variant => $name,)* }
            }

            /// First generation that has it.
            pub const fn since(self) -> Generation {
                match self { $(Dtype::$variant => Generation::$since,)* }
            }

            /// Bits per element, 0 for INVALID.
            pub const fn bits(self) -> u32 {
                match self { $(Dtype::$variant => $bits,)* }
            }

            /// Kind of number.
            pub const fn kind(self) -> Kind {
                match self { $(Dtype::$variant => Kind::$kind,)* }
            }

            /// Other spellings in use.
            pub fn other_names(self) -> impl Iterator<Item = &'static str> {
                match self { $(Dtype::$variant => $other,)* }.split_whitespace()
            }
        }
    };
}

dtypes! {
    0x00 Invalid  "INVALID"  Tonga    0  None       "";
    0x01 Uint64   "UINT64"   Sunda    64 Unsigned   "u64";
    0x02 Int8     "INT8"     Sunda    8  Signed     "i8";
    0x03 Uint8    "UINT8"    Tonga    8  Unsigned   "u8";
    0x04 Int16    "INT16"    Sunda    16 Signed     "i16";
    0x05 Uint16   "UINT16"   Tonga    16 Unsigned   "u16";
    0x06 Bfloat16 "BFLOAT16" Tonga    16 Float      "bf16";
    0x07 Fp16     "FP16"     Tonga    16 Float      "float16 f16 half";
    0x08 Int32    "INT32"    Tonga    32 Signed     "i32";
    0x09 Uint32   "UINT32"   Sunda    32 Unsigned   "u32";
    0x0A Fp32     "FP32"     Tonga    32 Float      "float32 f32 float";
    0x0B Fp32r    "FP32R"    Sunda    32 Float      "float32r fp22";
    0x0C Int64    "INT64"    Tonga    64 Signed     "i64";
    0x0D Fp8Exp3  "FP8_EXP3" Sunda    8  Float      "fp8e3 float8e3 e3m4 float8_e3m4";
    0x0E Fp8Exp4  "FP8_EXP4" Sunda    8  Float      "fp8e4 float8e4 e4m3 e4m3fn float8_e4m3 float8_e4m3fn";
    0x0F Fp8Exp5  "FP8_EXP5" Sunda    8  Float      "fp8e5 float8e5 e5m2 float8_e5m2";
    0x10 Fp4Exp2  "FP4_EXP2" Mariana  4  Float      "fp4 e2m1 float4_e2m1fn";
    0x11 Fp8Exp2  "FP8_EXP2" Maverick 8  Float      "fp8e2 e2m5";
    0x12 Int4     "INT4"     Maverick 4  Signed     "i4";
    0x13 Sfp8E8   "SFP8_E8"  Maverick 8  Scale      "e8m0 float8_e8m0fnu";
    0x14 Sfp8E7   "SFP8_E7"  Maverick 8  Scale      "e7m1";
    0x15 Sfp8E6   "SFP8_E6"  Maverick 8  Scale      "e6m2";
    0x16 Sfp8E5   "SFP8_E5"  Maverick 8  Scale      "e5m3";
    0x19 Cptc1    "CPTC1"    Mariana  1  Compressed "";
    0x1A Cptc2    "CPTC2"    Mariana  2  Compressed "";
    0x1B Cptc3    "CPTC3"    Mariana  3  Compressed "";
    0x1C Cptc4    "CPTC4"    Mariana  4  Compressed "";
    0x1D Cptc5    "CPTC5"    Mariana  5  Compressed "";
    0x1E Cptc6    "CPTC6"    Mariana  6  Compressed "";
    0x1F Cptc7    "CPTC7"    Mariana  7  Compressed "";
}

impl Dtype {
    /// The wire tag.
    pub const fn tag(self) -> u8 {
        self as u8
    }

    /// Does `generation` have this element type?
    pub fn exists_in(self, generation: Generation) -> bool {
        self.since() <= generation
    }

    /// The element types of one generation, by ascending tag. INVALID counts, as in the enum.
    pub fn of(generation: Generation) -> impl Iterator<Item = Dtype> {
        Dtype::ALL.into_iter().filter(move |dtype| dtype.exists_in(generation))
    }

    /// Fits the 4-bit tag field of a dtype pair: the 16 basic codes.
    pub const fn fits_nibble(self) -> bool {
        self.tag() <= 0x0F
    }

    /// Bytes of one element that stands alone (a 4-bit element takes a byte); 0 where there is no element.
    pub const fn bytes(self) -> usize {
        match self.kind() {
            Kind::None | Kind::Compressed => 0,
            _ => self.bits().div_ceil(8) as usize,
        }
    }

    /// The bits an element may have set.
    pub const fn mask(self) -> u64 {
        match self.bits() {
            0 => 0,
            bits => u64::MAX >> (64 - bits),
        }
    }

    /// Two's complement integer.
    pub const fn is_signed_int(self) -> bool {
        matches!(self.kind(), Kind::Signed)
    }

    /// Unsigned integer.
    pub const fn is_unsigned_int(self) -> bool {
        matches!(self.kind(), Kind::Unsigned)
    }

    /// Any integer, INT4 among them.
    pub const fn is_int(self) -> bool {
        self.is_signed_int() || self.is_unsigned_int()
    }

    /// Any floating-point number, block scales among them.
    pub const fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Float | Kind::Scale)
    }

    /// Has a value: neither INVALID nor a compressed transport form.
    pub const fn is_number(self) -> bool {
        self.is_int() || self.is_float()
    }

    /// Bits per element of a compressed form (`is_cptc`), else `None`.
    pub const fn cptc_bits(self) -> Option<u32> {
        is_cptc(self.tag())
    }

    /// The format of a floating-point element.
    pub const fn float_format(self) -> Option<&'static FloatFormat> {
        Some(match self {
            Dtype::Fp32 => &FloatFormat::FP32,
            Dtype::Fp32r => &FloatFormat::FP32R,
            Dtype::Bfloat16 => &FloatFormat::BF16,
            Dtype::Fp16 => &FloatFormat::FP16,
            Dtype::Fp8Exp2 => &FloatFormat::E2M5,
            Dtype::Fp8Exp3 => &FloatFormat::E3M4,
            Dtype::Fp8Exp4 => &FloatFormat::E4M3FN,
            Dtype::Fp8Exp5 => &FloatFormat::E5M2,
            Dtype::Fp4Exp2 => &FloatFormat::E2M1,
            Dtype::Sfp8E8 => &FloatFormat::E8M0,
            Dtype::Sfp8E7 => &FloatFormat::E7M1,
            Dtype::Sfp8E6 => &FloatFormat::E6M2,
            Dtype::Sfp8E5 => &FloatFormat::E5M3,
            _ => return None,
        })
    }
}

/// Is the tag a compressed form, and with how many bits per element?
///
/// 0x18 would be zero bits and is left out. Source: `tpb-alu-and-kernels/extra-dtype-gates.csv`.
pub const fn is_cptc(tag: u8) -> Option<u32> {
    if tag & 0xF8 == 0x18 && tag & 7 != 0 { Some((tag & 7) as u32) } else { None }
}

impl fmt::Display for Dtype {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl Serialize for Dtype {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The tag or text names no element type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown dtype `{0}`{near}", near = similar(.0, spellings()))]
pub struct UnknownDtype(pub String);

/// Every spelling, with the name in the enum.
fn spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = Dtype::ALL.into_iter().map(|dtype| (dtype.name(), dtype.name()));
    let others = |dtype: Dtype| dtype.other_names().map(move |name| (name, dtype.name()));
    own.chain(Dtype::ALL.into_iter().flat_map(others))
}

impl TryFrom<u8> for Dtype {
    type Error = UnknownDtype;

    fn try_from(tag: u8) -> Result<Self, UnknownDtype> {
        Dtype::from_tag(tag).ok_or_else(|| UnknownDtype(format!("{tag:#04x}")))
    }
}

impl FromStr for Dtype {
    type Err = UnknownDtype;

    /// Reads a name in any case, with or without underscores (`FP8_EXP4`, `e4m3`, `bf16`, `i32`), or the tag as `0x0e`.
    fn from_str(text: &str) -> Result<Self, UnknownDtype> {
        let unknown = || UnknownDtype(text.to_owned());
        if let Some(tag) = code(text) {
            return tag.and_then(Dtype::from_tag).ok_or_else(unknown);
        }
        let wanted = squeeze(text);
        let named = |dtype: &Dtype| {
            squeeze(dtype.name()) == wanted || dtype.other_names().any(|name| squeeze(name) == wanted)
        };
        Dtype::ALL.into_iter().find(named).ok_or_else(unknown)
    }
}
