//! Trace lines of the sequencer's evaluator, in the firmware's wording.
//!
//! The two register forms are printed strings (`tpb-more-kernels/extra-strings.csv`, DRAM 0x2b94 and 0x2bb5); the
//! others follow them (assumption L14). A device terminates each line with a newline, which is not part of it here.

use std::fmt;

use crate::dtype::Dtype;
use crate::op::AluOp;
use crate::sequencer::BranchCompare;

/// The second operand of a register instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondOperand {
    /// Register number.
    Register(u8),
    /// The immediate of the instruction.
    Immediate,
}

/// `S: OP=%x R[%d] = OP(R[%d], R[%d])` or `S: OP=%x R[%d] = OP(R[%d], imm)`: what an instruction is about to do.
#[derive(Clone, Copy, Debug)]
pub struct AluInstruction {
    /// The operation.
    pub op: AluOp,
    /// Destination register.
    pub destination: u8,
    /// First source register.
    pub first: u8,
    /// Second source.
    pub second: SecondOperand,
}

impl fmt::Display for AluInstruction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "S: OP={:x} R[{}] = OP(R[{}], ", self.op.code(), self.destination, self.first)?;
        match self.second {
            SecondOperand::Register(number) => write!(out, "R[{number}])"),
            SecondOperand::Immediate => out.write_str("imm)"),
        }
    }
}

/// `S: OP(%x, %x) = %x`: operands and result of an evaluation; 64-bit ones as high and low word.
#[derive(Clone, Copy, Debug)]
pub struct AluValues {
    /// Dtype of the result.
    pub dtype: Dtype,
    /// First operand.
    pub a: u64,
    /// Second operand.
    pub b: u64,
    /// Result.
    pub result: u64,
}

impl fmt::Display for AluValues {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dtype, a, b, result } = *self;
        if dtype.bits() == 64 {
            let [a, b, result] = [a, b, result].map(|word| format!("{:x}_{:08x}", word >> 32, word as u32));
            write!(out, "S: OP({a}, {b}) = {result}")
        } else {
            write!(out, "S: OP({a:x}, {b:x}) = {result:x}")
        }
    }
}

/// `S: BRCMP: ...`: operands and outcome of a branch.
#[derive(Clone, Copy, Debug)]
pub struct BranchValues {
    /// The comparison.
    pub compare: BranchCompare,
    /// Left operand.
    pub left: u64,
    /// Right operand.
    pub right: u64,
    /// Outcome.
    pub taken: bool,
}

impl fmt::Display for BranchValues {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { compare, left, right, taken } = *self;
        write!(out, "S: BRCMP: OP={:x} ({left:x}, {right:x}) = {}", compare.wire_code(), u8::from(taken))
    }
}
