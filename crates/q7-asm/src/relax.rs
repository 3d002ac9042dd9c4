//! Long forms for targets out of reach, used only with [`crate::Options::relax`].
//!
//! | written | long form | register destroyed |
//! |---|---|---|
//! | `beqz.n`, `bnez.n` | `beqz`, `bnez`; then as those | none |
//! | conditional branch | inverted branch around `j target` | none |
//! | `call0 f` | `l32r a0, =f; callx0 a0` | `a0`, which the call writes anyway |
//! | `call8 f` | `l32r a8, =f; callx8 a8` | `a8`, which becomes the return address anyway |
//! | `j.l target, aN` | `l32r aN, =target; jx aN` | `aN`, which the source names |
//!
//! Branches that stand in bundles only (`.w15`) have no long form, a plain `j` has no register to
//! spare, and LOOP has no long form: all stay errors.

use q7_isa::{Flags, Isa};

use crate::assembler::Assembler;
use crate::bundle::Request;
use crate::diagnostics::{Fault, Span};
use crate::encode::operand_fits;
use crate::expression::Expression;
use crate::instruction::Written;
use crate::object::{Definition, PendingBundle};

/// Branches and their opposites.
const INVERSES: [(&str, &str); 13] = [
    ("ball", "bnall"),
    ("bany", "bnone"),
    ("bbc", "bbs"),
    ("bbci", "bbsi"),
    ("beq", "bne"),
    ("beqi", "bnei"),
    ("beqz", "bnez"),
    ("bf", "bt"),
    ("bge", "blt"),
    ("bgei", "blti"),
    ("bgeu", "bltu"),
    ("bgeui", "bltui"),
    ("bgez", "bltz"),
];

fn inverse(mnemonic: &str) -> Option<&'static str> {
    INVERSES.iter().find_map(|&(one, other)| match mnemonic {
        _ if mnemonic == one => Some(other),
        _ if mnemonic == other => Some(one),
        _ => None,
    })
}

impl Assembler<'_> {
    /// The longer forms of an instruction that is about to be added to the current section.
    pub(crate) fn longer_forms(&mut self, written: &Written) -> Result<Vec<Vec<PendingBundle>>, Fault> {
        if !self.options.relax || !written.transform || self.transform_forbidden() {
            return Ok(Vec::new());
        }
        let opcode = self.isa.opcode(written.opcode);
        let (mnemonic, span) = (opcode.mnemonic.as_str(), written.span);
        if opcode.flags.contains(Flags::BRANCH)
            && let Some((target, rest)) = written.operands.split_last()
        {
            let mut forms = Vec::new();
            let wide = mnemonic.trim_end_matches(".n");
            if wide != mnemonic {
                forms.push(vec![self.plain(wide, written.operands.clone(), span)?]);
            }
            if let Some(inverse) = inverse(wide) {
                let item = self.next_item() + 1;
                let label = Definition::Label { section: self.current, item };
                let behind = Expression::symbol(self.symbols.anonymous(label, span));
                let branch_operands = rest.iter().cloned().chain([behind]).collect();
                forms.push(vec![
                    self.plain(inverse, branch_operands, span)?,
                    self.plain("j", vec![target.clone()], span)?,
                ]);
            }
            return Ok(forms);
        }
        let (jump, register) = match (mnemonic, &written.jump_register) {
            ("call0", _) => ("callx0", Expression::number(0)),
            ("call8", _) => ("callx8", Expression::number(8)),
            ("j", Some(register)) => ("jx", register.clone()),
            _ => return Ok(Vec::new()),
        };
        let item = self.next_item();
        let literal = self.literal_for(written.operands[0].clone(), span, Some((item, 1)));
        Ok(vec![vec![
            self.plain("l32r", vec![register.clone(), literal], span)?,
            self.plain(jump, vec![register], span)?,
        ]])
    }

    fn plain(&self, mnemonic: &str, operands: Vec<Expression>, span: Span) -> Result<PendingBundle, Fault> {
        let opcode = self
            .isa
            .find(mnemonic)
            .ok_or_else(|| Fault::new(span, format!("relaxing needs {mnemonic}, which is missing")))?;
        let written = Written { opcode, operands, span, transform: false, jump_register: None };
        let constant = |expression: &Expression| self.symbols.constant(expression);
        let request = Request {
            isa: self.isa,
            instructions: &[written],
            braces: false,
            format: None,
            pc: None,
            constant: &constant,
        };
        request.choose(span)
    }
}

/// True if a target of the bundles, the first at `pc`, is out of reach.
pub(crate) fn is_too_far(
    isa: &Isa,
    bundles: &[PendingBundle],
    pc: u32,
    value: &mut dyn FnMut(&Expression) -> Option<i64>,
) -> bool {
    let mut pc = pc;
    bundles.iter().any(|bundle| {
        let at = pc;
        pc = pc.wrapping_add(bundle.length.into());
        bundle.instructions.iter().any(|instruction| {
            let Some(placement) = isa.placement_in(instruction.opcode, instruction.slot) else {
                return false;
            };
            let placement = isa.placement(placement);
            instruction.operands.iter().enumerate().any(|(index, operand)| {
                isa.opcode(instruction.opcode).operands[index].codec.is_target()
                    && value(operand)
                        .is_some_and(|number| !operand_fits(isa, placement, index, number, Some(at)))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_branch_outside_bundles_has_an_inverse() {
        let isa = Isa::embedded();
        for opcode in isa.opcodes().iter().filter(|opcode| opcode.flags.contains(Flags::BRANCH)) {
            if isa.find(&opcode.mnemonic).and_then(|id| isa.single_placement(id)).is_none() {
                continue;
            }
            if let Some(wide) = opcode.mnemonic.strip_suffix(".n") {
                assert!(isa.find(wide).is_some(), "{wide}");
                continue;
            }
            let other = inverse(&opcode.mnemonic).expect(&opcode.mnemonic);
            assert_eq!(inverse(other), Some(opcode.mnemonic.as_str()));
            let other = isa.opcode(isa.find(other).unwrap());
            let shape = |opcode: &q7_isa::Opcode| -> Vec<_> {
                opcode.operands.iter().map(|operand| (operand.file, operand.codec.clone())).collect()
            };
            assert_eq!(shape(opcode), shape(other), "{}", opcode.mnemonic);
        }
    }
}
