//! `q7sim isa decode` and `q7sim isa encode`

use q7_asm::parse_bundle;
use q7_isa::{Bundle, DecodeError, Isa};
use serde_json::{Value, json};

use super::arguments::{Decode, Encode};
use crate::certainty;
use crate::status::{self, Failure};

/// Prints the text of bytes, one bundle a line.
///
/// # Errors
/// If the arguments are no bytes.
pub fn decode(isa: &Isa, arguments: &Decode, json: bool) -> Result<u8, Failure> {
    let steps = steps(isa, arguments)?;
    if json {
        super::print_json(&steps.iter().map(|step| step_json(isa, step)).collect())?;
    } else {
        crate::print(|output| {
            steps.iter().try_for_each(|step| match &step.decoded {
                Ok(bundle) => writeln!(output, "{}", isa.bundle_text(bundle)),
                Err(error) => writeln!(output, "illegal: {error}"),
            })
        })?;
    }
    Ok(if steps.iter().all(|step| step.decoded.is_ok()) { status::SUCCESS } else { status::ILLEGAL })
}

/// One bundle of the stream, or bytes that are none.
struct Step {
    pc: u32,
    bytes: Vec<u8>,
    decoded: Result<Bundle, DecodeError>,
}

fn steps(isa: &Isa, arguments: &Decode) -> Result<Vec<Step>, Failure> {
    let mut stream = Vec::new();
    // Where arguments start: after bytes whose length is unknown, decoding goes on at the next one.
    let mut starts = Vec::new();
    for text in &arguments.hex {
        starts.push(stream.len());
        stream.extend(bytes(text).ok_or_else(|| {
            Failure::usage(format!("`{text}` is no bytes: pairs of hexadecimal digits are wanted"))
        })?);
    }
    let mut steps = Vec::new();
    let mut position = 0;
    while position < stream.len() {
        let pc = arguments.pc.wrapping_add(position as u32);
        let decoded = isa.decode_strict(&stream[position..], pc);
        let length = match &decoded {
            Ok(bundle) => Some(bundle.length),
            Err(DecodeError::Truncated { .. }) => None,
            Err(error) => error.length(),
        };
        let next = starts.iter().copied().find(|&start| start > position).unwrap_or(stream.len());
        let end = length.map_or(next, |length| stream.len().min(position + usize::from(length)));
        steps.push(Step { pc, bytes: stream[position..end].to_vec(), decoded });
        position = end;
    }
    Ok(steps)
}

/// Pairs of hexadecimal digits in the forms that tools print: with blanks, commas or `_` between bytes, and
/// with `0x` before any group of them.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let separator = |character: char| character.is_whitespace() || matches!(character, ',' | '_');
    for group in text.split(separator).filter(|group| !group.is_empty()) {
        let group = group.strip_prefix("0x").or(group.strip_prefix("0X")).unwrap_or(group);
        let digits: Vec<u8> =
            group.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect::<Option<_>>()?;
        if digits.is_empty() || !digits.len().is_multiple_of(2) {
            return None;
        }
        bytes.extend(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]));
    }
    (!bytes.is_empty()).then_some(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn step_json(isa: &Isa, step: &Step) -> Value {
    match &step.decoded {
        Ok(bundle) => bundle_json(isa, bundle, step.pc, &step.bytes),
        Err(error) => json!({ "pc": step.pc, "bytes": hex(&step.bytes), "error": error.to_string() }),
    }
}

fn bundle_json(isa: &Isa, bundle: &Bundle, pc: u32, bytes: &[u8]) -> Value {
    let instructions = bundle.instructions.iter().map(|instruction| {
        json!({
            "slot": isa.slot(instruction.slot).name,
            "mnemonic": isa.opcode(instruction.opcode).mnemonic,
            "operands": instruction.operands.as_slice(),
            "text": isa.text(instruction).to_string(),
            "certainty": certainty::of(isa, instruction).name(),
        })
    });
    json!({
        "pc": pc,
        "bytes": hex(bytes),
        "format": isa.format(bundle.format).name,
        "text": isa.bundle_text(bundle).to_string(),
        "instructions": instructions.collect::<Value>(),
    })
}

/// Prints the bytes of an instruction or bundle.
///
/// # Errors
/// If the text does not assemble, or two of its instructions write one register.
pub fn encode(isa: &Isa, arguments: &Encode, json: bool) -> Result<u8, Failure> {
    let bundle = parse_bundle(isa, &arguments.text, arguments.pc).map_err(Failure::sources)?;
    let bytes = isa.encode(&bundle, arguments.pc).map_err(Failure::sources)?;
    if json {
        return super::print_json(&bundle_json(isa, &bundle, arguments.pc, &bytes));
    }
    crate::print(|output| writeln!(output, "{}", hex(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_pairs_of_digits() {
        for (text, expected) in [
            ("0df0", Some(vec![0x0d, 0xf0])),
            ("0D f0", Some(vec![0x0d, 0xf0])),
            ("0x0df0", Some(vec![0x0d, 0xf0])),
            ("0X0d_F0", Some(vec![0x0d, 0xf0])),
            (" 0x0d, 0xf0,\n3d", Some(vec![0x0d, 0xf0, 0x3d])),
            ("0", None),
            ("", None),
            (",", None),
            ("0x", None),
            ("0x0d,0x", None),
            ("0d f", None),
            ("0 df0", None),
            ("0d0xf0", None),
            ("0dg0", None),
        ] {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }
}
