//! How the compiler writes its choices into instruction bytes.
//!
//! Source: `tpb-dtypes-and-patterns/extra-opcode-selection.csv`, `extra-luts.csv`, `spec-tensorscalar-encoding.md`,
//! `spec-pool-reduce-encoding.md`, `extra-enums-compiler.csv` (AxisListType);
//! `tpb-alu-and-kernels/extra-wire-0xf0spec2.csv` (ports), `spec-tensor-tensor-64bit.md` (immediates).

use q7_alu::{Dtype, Generation};

use crate::address::PARTITIONS;

/// Mode of a tensor-scalar operation that keeps an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheMode {
    /// Folds to one result.
    Reduce,
    /// Emits every running result.
    Cumulative,
    /// The scan of tensors; the same opcode as [`CacheMode::Cumulative`].
    TensorScan,
}

/// A compiler operation whose variants choose the opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the fields say what the names of the variants do not
pub enum Operation {
    /// Two tensors.
    TensorTensor { bitvec: bool },
    /// A tensor and scalars.
    TensorScalar { bitvec: bool },
    /// A tensor, transposed, and scalars: arithmetic only.
    TensorScalarTransposed,
    /// A tensor and scalars with an accumulator.
    TensorScalarCache(CacheMode),
    /// A tensor, a scalar and a tensor.
    ScalarTensorTensor { bitvec: bool },
    /// The scan of two tensors.
    TensorTensorScan,
    /// A copy; it converts when the dtypes differ.
    TensorCopy { converts: bool },
    /// A fill, constant or random.
    Memset { random: bool },
    /// A copy of the elements whose predicate holds.
    CopyPredicated { reduces: bool, scalar: bool, converts: bool },
    /// Loads the weights of a product of scaled blocks.
    LdWeightMx,
    /// A product of scaled blocks.
    MatmultMx,
    /// Conversion to scaled blocks.
    QuantizeMx,
}

impl Operation {
    /// The first generation whose compiler writes it.
    pub const fn since(self) -> Generation {
        match self {
            Operation::LdWeightMx | Operation::MatmultMx | Operation::QuantizeMx => Generation::Mariana,
            _ => Generation::Sunda,
        }
    }

    /// The opcode. SUNDA's own ones for bf16 (0x8A and its like) are not among them.
    pub const fn opcode(self) -> u8 {
        match self {
            Operation::TensorTensor { bitvec: false } => 0x41,
            Operation::TensorTensor { bitvec: true } => 0x51,
            Operation::TensorScalar { bitvec: false } => 0x43,
            Operation::TensorScalar { bitvec: true } => 0x53,
            Operation::TensorScalarTransposed => 0x93,
            Operation::TensorScalarCache(CacheMode::Reduce) => 0x9A,
            Operation::TensorScalarCache(CacheMode::Cumulative | CacheMode::TensorScan) => 0xE6,
            Operation::ScalarTensorTensor { bitvec: false } => 0x9D,
            Operation::ScalarTensorTensor { bitvec: true } => 0x9E,
            Operation::TensorTensorScan => 0xE5,
            Operation::TensorCopy { converts: false } => 0x46,
            Operation::TensorCopy { converts: true } => 0x47,
            Operation::Memset { random: false } => 0x49,
            Operation::Memset { random: true } => 0x4D,
            Operation::CopyPredicated { reduces: true, .. } => 0xEA,
            Operation::CopyPredicated { scalar: true, .. } => 0xE8,
            Operation::CopyPredicated { converts: false, .. } => 0x72,
            Operation::CopyPredicated { converts: true, .. } => 0x99,
            Operation::LdWeightMx => 0x09,
            Operation::MatmultMx => 0x0A,
            Operation::QuantizeMx => 0xE3,
        }
    }
}

/// The byte that swaps operands: bit 0 those of the first operation, bit 1 those of the second.
pub const fn reverse_operands(first: bool, second: bool) -> u8 {
    first as u8 | (second as u8) << 1
}

/// Axes that a reduction covers, by the compiler's ordinal: the innermost one to four dimensions, or with the
/// partitions (cross-lane reductions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Axes {
    /// The innermost dimension.
    X = 0,
    /// The two innermost.
    Xy = 1,
    /// The three innermost.
    Xyz = 2,
    /// All four.
    Xyzw = 3,
    /// All four and the partitions.
    Xyzwc = 4,
    /// The partitions only.
    C = 5,
}

impl Axes {
    /// All six by ordinal.
    pub const ALL: [Axes; 6] = [Axes::X, Axes::Xy, Axes::Xyz, Axes::Xyzw, Axes::Xyzwc, Axes::C];

    /// Wire code of a reduction inside the channels (TENSOR_SUBDIM); the cross-lane ones have none.
    pub const fn subdimensions(self) -> Option<u8> {
        if (self as u8) <= Axes::Xyzw as u8 { Some(self as u8 + 2) } else { None }
    }

    /// Wire code of a cross-lane reduction (REDUCE_AXIS): 0 over everything, 1 over the partitions only.
    pub const fn cross_lane(self) -> Option<u8> {
        match self {
            Axes::Xyzwc => Some(0),
            Axes::C => Some(1),
            _ => None,
        }
    }
}

/// Function codes of the activation engine by the compiler's ordinal. Of the names only 12 = gelu is published.
const ACTIVATION_FUNCTIONS: [u8; 30] = [
    0x01, 0x1E, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x09, 0x08, 0x1D, 0x0A, 0x15, 0x13, 0x1C, 0x1F, 0x17,
    0x18, 0x19, 0x1A, 0x26, 0x20, 0x16, 0x80, 0x21, 0x81, 0x22, 0x24, 0x25, 0x23,
];

/// Function code of an activation by its ordinal; `None` from 30 on.
pub fn activation_function(ordinal: u32) -> Option<u8> {
    ACTIVATION_FUNCTIONS.get(usize::try_from(ordinal).ok()?).copied()
}

/// Bytes of immediate data in a store.
const IMMEDIATE_BYTES: usize = 32;

/// Elements of `dtype` that a store carries as immediates; 0 for dtypes that it does not take.
///
/// Source: `tpb-remaining-kernels/extra-validity.csv` (0xaa, 0xab).
pub const fn immediate_elements(dtype: Dtype) -> usize {
    match dtype {
        Dtype::Uint8
        | Dtype::Int8
        | Dtype::Uint16
        | Dtype::Int16
        | Dtype::Uint32
        | Dtype::Int32
        | Dtype::Fp32
        | Dtype::Uint64 => IMMEDIATE_BYTES / dtype.bytes(),
        _ => 0,
    }
}

/// Ports that an extended instruction uses, from its three-bit field: 0 stands for all eight.
pub const fn active_ports(field: u8) -> u32 {
    match field & 7 {
        0 => 8,
        ports => ports as u32,
    }
}

/// Partitions behind so many ports: 16 each, one port to a POOL core.
pub const fn active_partitions(field: u8) -> u32 {
    active_ports(field) * (PARTITIONS / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ports_drive_all_partitions() {
        assert_eq!((0..8).map(active_partitions).collect::<Vec<_>>(), [128, 16, 32, 48, 64, 80, 96, 112]);
    }

    #[test]
    fn axes_have_one_of_two_codes() {
        let codes = Axes::ALL.map(|axes| (axes.subdimensions(), axes.cross_lane()));
        assert_eq!(
            codes,
            [
                (Some(2), None),
                (Some(3), None),
                (Some(4), None),
                (Some(5), None),
                (None, Some(0)),
                (None, Some(1)),
            ]
        );
    }

    #[test]
    fn variants_choose_the_opcode() {
        let predicated = |reduces, scalar, converts| Operation::CopyPredicated { reduces, scalar, converts };
        for (operation, opcode) in [
            (Operation::TensorScalarTransposed, 0x93),
            (Operation::TensorScalar { bitvec: true }, 0x53),
            (Operation::TensorScalarCache(CacheMode::TensorScan), 0xE6),
            (predicated(true, true, true), 0xEA),
            (predicated(false, true, true), 0xE8),
            (predicated(false, false, true), 0x99),
            (predicated(false, false, false), 0x72),
        ] {
            assert_eq!(operation.opcode(), opcode, "{operation:?}");
            assert_eq!(operation.since(), Generation::Sunda, "{operation:?}");
        }
        assert_eq!(Operation::QuantizeMx.since(), Generation::Mariana);
    }
}
