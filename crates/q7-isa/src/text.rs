//! Bundles as Xtensa tools print them.

use std::fmt;

use crate::decode::{Bundle, Instruction};
use crate::isa::{Isa, Operand};
use crate::spec::File;

/// Prints an instruction or a bundle; made by [`Isa::text`] and [`Isa::bundle_text`].
pub struct Text<'a> {
    isa: &'a Isa,
    instructions: &'a [Instruction],
}

impl Isa {
    /// An instruction as text, such as `addi a4, a5, 13`.
    ///
    /// Numbers are decimal when -256 < n < 256, else hexadecimal with a sign; labels are absolute
    /// hexadecimal addresses.
    pub fn text<'a>(&'a self, instruction: &'a Instruction) -> Text<'a> {
        Text { isa: self, instructions: std::slice::from_ref(instruction) }
    }

    /// A bundle as text, its slots joined by `; `, without braces.
    pub fn bundle_text<'a>(&'a self, bundle: &'a Bundle) -> Text<'a> {
        Text { isa: self, instructions: &bundle.instructions }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, instruction) in self.instructions.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            let opcode = self.isa.opcode(instruction.opcode);
            f.write_str(&opcode.mnemonic)?;
            for (position, (operand, &value)) in opcode.operands.iter().zip(&instruction.operands).enumerate()
            {
                f.write_str(if position == 0 { " " } else { ", " })?;
                write_operand(f, operand, value)?;
            }
        }
        Ok(())
    }
}

fn write_operand(f: &mut fmt::Formatter<'_>, operand: &Operand, value: i32) -> fmt::Result {
    match operand.file {
        File::Label => write!(f, "{:#x}", value as u32),
        File::Imm if value > -256 && value < 256 => write!(f, "{value}"),
        File::Imm if value < 0 => write!(f, "-{:#x}", value.unsigned_abs()),
        File::Imm => write!(f, "{value:#x}"),
        File::Br4 => write!(f, "b{}:b{}:b{}:b{}", value, value + 1, value + 2, value + 3),
        File::Br8 => write!(f, "b{}..b{}", value, value + 7),
        file => write!(f, "{}{value}", file.prefix().unwrap_or_default()),
    }
}
