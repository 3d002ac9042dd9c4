//! Operand codecs: raw field to value and back.

use crate::spec::{Anchor, CodecRule};

/// A loaded operand codec.
#[derive(Clone, Debug, PartialEq)]
pub struct Codec {
    /// Name, as in `codecs.csv`.
    pub name: String,
    /// The rule.
    pub rule: CodecRule,
}

fn sign_extend(field: u32, width: u32) -> i32 {
    if width == 0 || width >= 32 {
        return field as i32;
    }
    ((field << (32 - width)) as i32) >> (32 - width)
}

fn anchor_address(anchor: Anchor, pc: u32) -> u32 {
    match anchor {
        Anchor::Pc => pc,
        Anchor::PcDown => pc & !3,
        Anchor::PcUp => pc.wrapping_add(3) & !3,
    }
}

impl Codec {
    /// The value of a raw field of `width` bits in an instruction at `pc`.
    ///
    /// Labels yield the absolute address as a bit pattern. `None` if the field has no meaning
    /// (beyond the end of a table).
    pub fn decode(&self, field: u32, width: u32, pc: u32) -> Option<i32> {
        let linear = |signed: bool, scale: i32, bias: i32| {
            let value = if signed { sign_extend(field, width) } else { field as i32 };
            value.wrapping_mul(scale).wrapping_add(bias)
        };
        match &self.rule {
            CodecRule::Linear { signed, scale, bias } => Some(linear(*signed, *scale, *bias)),
            CodecRule::Table(table) => table.get(field as usize).copied(),
            CodecRule::Target { anchor, signed, scale, bias } => {
                let distance = linear(*signed, *scale, *bias);
                Some(anchor_address(*anchor, pc).wrapping_add(distance as u32) as i32)
            }
        }
    }

    /// The raw field of `width` bits that decodes to `value` at `pc`, or `None` if there is none.
    pub fn encode(&self, value: i32, width: u32, pc: u32) -> Option<u32> {
        let linear = |signed: bool, scale: i32, bias: i32, value: i64| {
            let rest = value - i64::from(bias);
            if scale == 0 || rest % i64::from(scale) != 0 {
                return None;
            }
            let number = rest / i64::from(scale);
            let (low, high) = if signed && width > 0 {
                (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1)
            } else {
                (0, (1i64 << width) - 1)
            };
            let mask = if width >= 32 { u32::MAX } else { (1u32 << width) - 1 };
            (low..=high).contains(&number).then_some(number as u32 & mask)
        };
        match &self.rule {
            CodecRule::Linear { signed, scale, bias } => linear(*signed, *scale, *bias, i64::from(value)),
            CodecRule::Table(table) => {
                let limit = 1usize << width.min(16);
                table.iter().take(limit).position(|entry| *entry == value).map(|index| index as u32)
            }
            CodecRule::Target { anchor, signed, scale, bias } => {
                // Distances wrap around the 32-bit address space, so both readings are tried.
                let distance = (value as u32).wrapping_sub(anchor_address(*anchor, pc));
                linear(*signed, *scale, *bias, i64::from(distance as i32))
                    .or_else(|| linear(*signed, *scale, *bias, i64::from(distance)))
            }
        }
    }

    /// True if the value is an address relative to the PC.
    pub fn is_target(&self) -> bool {
        matches!(self.rule, CodecRule::Target { .. })
    }

    /// A description of the values that a field of `width` bits can hold, for messages.
    pub fn range(&self, width: u32, pc: u32) -> String {
        match &self.rule {
            CodecRule::Table(table) => {
                let shown: Vec<String> = table.iter().take(1 << width.min(16)).map(i32::to_string).collect();
                if shown.len() > 20 {
                    let (low, high) = (table.iter().min(), table.iter().max());
                    format!("{}..={}", low.unwrap_or(&0), high.unwrap_or(&0))
                } else {
                    format!("one of {}", shown.join(", "))
                }
            }
            CodecRule::Linear { signed, scale, bias } | CodecRule::Target { signed, scale, bias, .. } => {
                let (low, high) = if *signed && width > 0 {
                    (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1)
                } else {
                    (0, (1i64 << width) - 1)
                };
                let ends = [low, high].map(|end| end * i64::from(*scale) + i64::from(*bias));
                let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                let step =
                    if scale.abs() == 1 { String::new() } else { format!(" in steps of {}", scale.abs()) };
                if let CodecRule::Target { anchor, .. } = &self.rule {
                    let base = i64::from(anchor_address(*anchor, pc));
                    let wrap = |end: i64| (base + end) as u32;
                    format!("{:#x}..={:#x}{step}", wrap(low), wrap(high))
                } else {
                    format!("{low}..={high}{step}")
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codec(rule: CodecRule) -> Codec {
        Codec { name: "test".into(), rule }
    }

    #[test]
    fn call_targets_count_from_the_aligned_pc() {
        let call = codec(CodecRule::Target { anchor: Anchor::PcDown, signed: true, scale: 4, bias: 4 });
        // `call8 0x2124` at 0x3074 is e5 0a ff (bundles.csv): off18 = 0x3fc2b.
        assert_eq!(call.decode(0x3fc2b, 18, 0x3074), Some(0x2124));
        assert_eq!(call.encode(0x2124, 18, 0x3074), Some(0x3fc2b));
        assert_eq!(call.encode(0x2125, 18, 0x3074), None);
    }

    #[test]
    fn literals_lie_below_the_pc() {
        let literal =
            codec(CodecRule::Target { anchor: Anchor::PcUp, signed: false, scale: 4, bias: -262_144 });
        assert_eq!(literal.decode(0xffff, 16, 0x1001), Some(0x1000));
        assert_eq!(literal.encode(0x1000, 16, 0x1001), Some(0xffff));
        assert_eq!(literal.encode(0x1004, 16, 0x1001), None);
    }

    #[test]
    fn shift_amounts_run_backwards() {
        let shift = codec(CodecRule::Linear { signed: false, scale: -1, bias: 32 });
        assert_eq!(shift.decode(25, 5, 0), Some(7));
        assert_eq!(shift.encode(7, 5, 0), Some(25));
        assert_eq!(shift.encode(0, 5, 0), None);
        assert_eq!(shift.range(5, 0), "1..=32");
    }
}
