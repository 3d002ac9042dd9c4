//! The ALU operations: one byte each, with fixed ordinals.
//!
//! Source: `tpb-alu-and-kernels/extra-alu-ops.csv` and `spec-alu-op-matrix.md`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::generation::Generation;
use crate::text::{code, similar, squeeze};

/// How many tensors or scalars an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sources {
    /// Only the first operand counts; the second is ignored.
    One,
    /// Both operands.
    Two,
}

macro_rules! alu_ops {
    ($($code:literal $variant:ident $name:literal $since:ident $sources:ident $formula:literal;)*) => {
        /// A TPB ALU operation. The discriminant is the wire byte.
        ///
        /// Bytes 0x1E, 0x1F and everything outside the two bands name nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum AluOp {
            $(#[doc = concat!("`", $name, "`: ", $formula)] $variant = $code,)*
        }

        impl AluOp {
            /// All 65 operations by ascending code.
            pub const ALL: [AluOp; 65] = [$(AluOp::$variant,)*];

            /// The operation of a wire byte.
            pub const fn from_code(code: u8) -> Option<AluOp> {
                match code {
                    $($code => Some(AluOp::$variant),)*
                    _ => None,
                }
            }

            /// Name in the operation enum.
            pub const fn name(self) -> &'static str {
                match self { $(AluOp::$variant => $name,)* }
            }

            /// First generation that has the operation.
            pub const fn since(self) -> Generation {
                match self { $(AluOp::$variant => Generation::$since,)* }
            }

            /// One or two operands.
            pub const fn sources(self) -> Sources {
                match self { $(AluOp::$variant => Sources::$sources,)* }
            }

            /// What it computes, as a formula over `a` and `b`.
            pub const fn formula(self) -> &'static str {
                match self { $(AluOp::$variant => $formula,)* }
            }
        }
    };
}

alu_ops! {
    0x00 Bypass            "BYPASS"              Sunda   One "a";
    0x01 BitwiseNot        "BITWISE_NOT"         Sunda   One "~a";
    0x02 ArithShiftLeft    "ARITH_SHIFT_LEFT"    Sunda   Two "a << b";
    0x03 ArithShiftRight   "ARITH_SHIFT_RIGHT"   Sunda   Two "a >> b, copies of the sign bit enter";
    0x04 Add               "ADD"                 Sunda   Two "a + b";
    0x05 Subtract          "SUBTRACT"            Sunda   Two "a - b";
    0x06 Mult              "MULT"                Sunda   Two "a * b";
    0x07 Divide            "DIVIDE"              Sunda   Two "a / b";
    0x08 Max               "MAX"                 Sunda   Two "a > b ? a : b";
    0x09 Min               "MIN"                 Sunda   Two "a < b ? a : b";
    0x0A BitwiseAnd        "BITWISE_AND"         Sunda   Two "a & b";
    0x0B BitwiseOr         "BITWISE_OR"          Sunda   Two "a | b";
    0x0C BitwiseXor        "BITWISE_XOR"         Sunda   Two "a ^ b";
    0x0D LogicalAnd        "LOGICAL_AND"         Sunda   Two "(a != 0) && (b != 0)";
    0x0E LogicalOr         "LOGICAL_OR"          Sunda   Two "(a != 0) || (b != 0)";
    0x0F LogicalXor        "LOGICAL_XOR"         Sunda   Two "(a != 0) != (b != 0)";
    0x10 LogicalShiftLeft  "LOGICAL_SHIFT_LEFT"  Sunda   Two "a << b";
    0x11 LogicalShiftRight "LOGICAL_SHIFT_RIGHT" Sunda   Two "a >> b, zeros enter";
    0x12 IsEq              "IS_EQ"               Sunda   Two "a == b";
    0x13 IsGt              "IS_GT"               Sunda   Two "a > b";
    0x14 IsGe              "IS_GE"               Sunda   Two "a >= b";
    0x15 IsLe              "IS_LE"               Sunda   Two "a <= b";
    0x16 IsLt              "IS_LT"               Sunda   Two "a < b";
    0x17 AbsoluteDiff      "ABSOLUTE_DIFF"       Sunda   Two "|a - b|";
    0x18 IsNe              "IS_NE"               Sunda   Two "a != b";
    0x19 AbsoluteValue     "ABSOLUTE_VALUE"      Sunda   One "|a|";
    0x1A Pow               "POW"                 Sunda   Two "a to the power b";
    0x1B Mod               "MOD"                 Sunda   Two "remainder of a / b, sign of a";
    0x1C Crc32             "CRC32"               Sunda   Two "CRC-32 a continued over the bytes of b";
    0x1D Rsqrt             "RSQRT"               Sunda   One "1 / sqrt(a)";
    0x20 AbsMax            "ABS_MAX"             Mariana Two "max(|a|, |b|)";
    0x21 AbsMin            "ABS_MIN"             Mariana Two "min(|a|, |b|)";
    0x22 ReLu              "RE_LU"               Mariana One "a > 0 ? a : 0";
    0x23 Square            "SQUARE"              Mariana One "a * a";
    0x24 SymmetricClamp    "SYMMETRIC_CLAMP"     Maverick Two "sign(a) * max(|a|, |b|)";
    0xC4 AddInt            "ADD_INT"             Sunda   Two "a + b";
    0xC5 MultInt           "MULT_INT"            Sunda   Two "a * b";
    0xC6 SubtractInt       "SUBTRACT_INT"        Sunda   Two "a - b";
    0xC7 DivideInt         "DIVIDE_INT"          Cayman  Two "a / b toward zero";
    0xC8 ModInt            "MOD_INT"             Cayman  Two "remainder of a / b, sign of a";
    0xC9 IsEqualInt        "IS_EQUAL_INT"        Cayman  Two "a == b";
    0xCA IsNeInt           "IS_NE_INT"           Cayman  Two "a != b";
    0xCB AbsMaxInt         "ABS_MAX_INT"         Cayman  Two "max(|a|, |b|), signed";
    0xCC AbsMinInt         "ABS_MIN_INT"         Cayman  Two "min(|a|, |b|), signed";
    0xCD AbsDiffInt        "ABS_DIFF_INT"        Cayman  Two "|a - b|, signed";
    0xCE AbsValueInt       "ABS_VALUE_INT"       Cayman  One "|a|, signed";
    0xCF MaxInt            "MAX_INT"             Cayman  Two "max(a, b), signed";
    0xD0 MinInt            "MIN_INT"             Cayman  Two "min(a, b), signed";
    0xD1 IsGtInt           "IS_GT_INT"           Cayman  Two "a > b, signed";
    0xD2 IsGeInt           "IS_GE_INT"           Cayman  Two "a >= b, signed";
    0xD3 IsLeInt           "IS_LE_INT"           Cayman  Two "a <= b, signed";
    0xD4 IsLtInt           "IS_LT_INT"           Cayman  Two "a < b, signed";
    0xD5 MaxUint           "MAX_UINT"            Cayman  Two "max(a, b), unsigned";
    0xD6 MinUint           "MIN_UINT"            Cayman  Two "min(a, b), unsigned";
    0xD7 IsGtUint          "IS_GT_UINT"          Cayman  Two "a > b, unsigned";
    0xD8 IsGeUint          "IS_GE_UINT"          Cayman  Two "a >= b, unsigned";
    0xD9 IsLeUint          "IS_LE_UINT"          Cayman  Two "a <= b, unsigned";
    0xDA IsLtUint          "IS_LT_UINT"          Cayman  Two "a < b, unsigned";
    0xDB MultUint          "MULT_UINT"           Cayman  Two "a * b, unsigned";
    0xDC DivideUint        "DIVIDE_UINT"         Cayman  Two "a / b, unsigned";
    0xDD ModUint           "MOD_UINT"            Cayman  Two "remainder of a / b, unsigned";
    0xDE AmaxInt           "AMAX_INT"            Cayman  Two "position of the larger, signed";
    0xDF AminInt           "AMIN_INT"            Cayman  Two "position of the smaller, signed";
    0xE0 AmaxUint          "AMAX_UINT"           Cayman  Two "position of the larger, unsigned";
    0xE1 AminUint          "AMIN_UINT"           Cayman  Two "position of the smaller, unsigned";
}

impl AluOp {
    /// The wire byte.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Does `generation` have this operation? (TONGA: none is published.)
    pub fn exists_in(self, generation: Generation) -> bool {
        self.since() <= generation
    }

    /// Bits 7:6 of the code select the integer engine.
    pub const fn is_int_band(self) -> bool {
        self.code() >> 6 == 3
    }

    /// Its names in the compiler and in the kernel language, where they differ from its own.
    pub fn other_names(self) -> impl Iterator<Item = &'static str> {
        OTHER_NAMES.into_iter().filter(move |&(_, op)| op == self).map(|(name, _)| name)
    }

    /// The operations of one generation, by ascending code.
    pub fn of(generation: Generation) -> impl Iterator<Item = AluOp> {
        AluOp::ALL.into_iter().filter(move |op| op.exists_in(generation))
    }
}

impl fmt::Display for AluOp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl Serialize for AluOp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The byte or text names no ALU operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown ALU operation `{0}`{near}", near = similar(.0, spellings()))]
pub struct UnknownAluOp(pub String);

/// Every spelling, with the name in the enum.
fn spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = AluOp::ALL.into_iter().map(|op| (op.name(), op.name()));
    own.chain(OTHER_NAMES.into_iter().map(|(name, op)| (name, op.name())))
}

impl TryFrom<u8> for AluOp {
    type Error = UnknownAluOp;

    fn try_from(code: u8) -> Result<Self, UnknownAluOp> {
        AluOp::from_code(code).ok_or_else(|| UnknownAluOp(format!("{code:#04x}")))
    }
}

/// Names of the compiler and of the public kernel language that differ from the enum's own.
///
/// Source: `tpb-dtypes-and-patterns/extra-bir-aluop-map.csv`, `tpb-remaining-kernels/extra-api-alu-ops.csv`.
const OTHER_NAMES: [(&str, AluOp); 15] = [
    ("is_equal", AluOp::IsEq),
    ("equal", AluOp::IsEq),
    ("not_equal", AluOp::IsNe),
    ("greater", AluOp::IsGt),
    ("greater_equal", AluOp::IsGe),
    ("less", AluOp::IsLt),
    ("less_equal", AluOp::IsLe),
    ("multiply", AluOp::Mult),
    ("maximum", AluOp::Max),
    ("minimum", AluOp::Min),
    ("power", AluOp::Pow),
    ("abs", AluOp::AbsoluteValue),
    ("invert", AluOp::BitwiseNot),
    ("left_shift", AluOp::LogicalShiftLeft),
    ("right_shift", AluOp::LogicalShiftRight),
];

impl FromStr for AluOp {
    type Err = UnknownAluOp;

    /// Reads a name in any case, with or without underscores (`IS_EQ`, `IsEQ`), a name the compiler or the kernel
    /// language uses, or the code as `0x12`.
    fn from_str(text: &str) -> Result<Self, UnknownAluOp> {
        let unknown = || UnknownAluOp(text.to_owned());
        if let Some(code) = code(text) {
            return code.and_then(AluOp::from_code).ok_or_else(unknown);
        }
        let wanted = squeeze(text);
        let own = AluOp::ALL.into_iter().find(|op| squeeze(op.name()) == wanted);
        let other = || OTHER_NAMES.iter().find(|(name, _)| squeeze(name) == wanted).map(|&(_, op)| op);
        own.or_else(other).ok_or_else(unknown)
    }
}

/// The compiler's own numbering of ALU operations: ordinal, name and what becomes of it on the wire.
///
/// Source: `tpb-dtypes-and-patterns/extra-bir-aluop-map.csv`.
const BIR_OPS: [(&str, Option<AluOp>); 33] = [
    ("bypass", Some(AluOp::Bypass)),
    ("bitwise_not", Some(AluOp::BitwiseNot)),
    ("arith_shift_left", Some(AluOp::ArithShiftLeft)),
    ("arith_shift_right", Some(AluOp::ArithShiftRight)),
    ("add", Some(AluOp::Add)),
    ("subtract", Some(AluOp::Subtract)),
    ("mult", Some(AluOp::Mult)),
    ("divide", Some(AluOp::Divide)),
    ("max", Some(AluOp::Max)),
    ("min", Some(AluOp::Min)),
    ("bitwise_and", Some(AluOp::BitwiseAnd)),
    ("bitwise_or", Some(AluOp::BitwiseOr)),
    ("bitwise_xor", Some(AluOp::BitwiseXor)),
    ("logical_and", Some(AluOp::LogicalAnd)),
    ("logical_or", Some(AluOp::LogicalOr)),
    ("logical_xor", Some(AluOp::LogicalXor)),
    ("logical_shift_left", Some(AluOp::LogicalShiftLeft)),
    ("logical_shift_right", Some(AluOp::LogicalShiftRight)),
    ("is_equal", Some(AluOp::IsEq)),
    ("not_equal", Some(AluOp::IsNe)),
    ("is_gt", Some(AluOp::IsGt)),
    ("is_ge", Some(AluOp::IsGe)),
    ("is_lt", Some(AluOp::IsLt)),
    ("is_le", Some(AluOp::IsLe)),
    ("average", None),
    ("elemwise_mul", None),
    ("pow", Some(AluOp::Pow)),
    ("mod", Some(AluOp::Mod)),
    ("rsqrt", Some(AluOp::Rsqrt)),
    ("abs", Some(AluOp::AbsoluteValue)),
    ("abs_max", Some(AluOp::AbsMax)),
    ("abs_min", Some(AluOp::AbsMin)),
    ("mod_int", Some(AluOp::ModInt)),
];

impl AluOp {
    /// The operation that the compiler's ordinal becomes on the wire of `generation`.
    ///
    /// `average` and `elemwise_mul` have no wire byte; `abs_max`, `abs_min` and `mod_int` only from core version 4 on
    /// (for `mod_int` this is the compiler's table, the enum has it one version earlier).
    pub fn from_bir(ordinal: u8, generation: Generation) -> Option<AluOp> {
        let (_, op) = BIR_OPS.get(usize::from(ordinal))?;
        op.filter(|_| ordinal < 30 || generation.core_version() >= 4)
    }

    /// The compiler's name of an ordinal.
    pub fn bir_name(ordinal: u8) -> Option<&'static str> {
        BIR_OPS.get(usize::from(ordinal)).map(|&(name, _)| name)
    }
}

/// Compression operations: they carry the ordinals of [`AluOp`]'s opposite.
///
/// Source: `tpb-remaining-kernels/extra-enums.csv` (codes), `tpb-alu-and-kernels/extra-compress-op-alias.csv` (alias).
/// The alias table lists them for MAVERICK only, the enum and the two opcodes that use them from MARIANA on; the
/// latter is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[repr(u8)]
pub enum CompressOp {
    /// Keeps the small ones; runs [`AluOp::Max`].
    Min = 0x08,
    /// Keeps the large ones; runs [`AluOp::Min`].
    Max = 0x09,
    /// Keeps the small magnitudes; runs [`AluOp::AbsMax`].
    AbsMin = 0x20,
    /// Keeps the large magnitudes; runs [`AluOp::AbsMin`].
    AbsMax = 0x21,
}

impl CompressOp {
    /// All four by ascending code.
    pub const ALL: [CompressOp; 4] =
        [CompressOp::Min, CompressOp::Max, CompressOp::AbsMin, CompressOp::AbsMax];

    /// The operation of a wire byte.
    pub fn from_code(code: u8) -> Option<CompressOp> {
        CompressOp::ALL.into_iter().find(|&op| op as u8 == code)
    }

    /// The ALU operation that runs inside: same byte, opposite sense.
    pub const fn alu_op(self) -> AluOp {
        match self {
            CompressOp::Min => AluOp::Max,
            CompressOp::Max => AluOp::Min,
            CompressOp::AbsMin => AluOp::AbsMax,
            CompressOp::AbsMax => AluOp::AbsMin,
        }
    }
}
