//! The header of a 64-byte instruction.
//!
//! Source: `tpb-dtypes-and-patterns/spec-instruction-bundle.md`, `extra-bundle-offsets.csv`; DECISIONS (header byte 1
//! accepts 0x10 and 0x11).

/// Bytes of an instruction.
pub const INSTRUCTION_BYTES: usize = 64;

/// Length of an instruction in 32-bit words, as byte 1 carries it.
const WORDS: u8 = (INSTRUCTION_BYTES / 4) as u8;

/// Bytes 0 and 1 of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Header {
    /// The opcode, byte 0.
    pub opcode: u8,
    /// Bit 0 of byte 1: the conversion of QuantizeMx saturates.
    pub saturate: bool,
}

/// The length in byte 1 is not that of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("header {word:#06x}: a length of {} words instead of 16", word >> 8)]
pub struct LengthError {
    /// Bytes 0 and 1, little-endian.
    pub word: u16,
}

impl Header {
    /// Bytes 0 and 1 as a little-endian word.
    pub const fn word(self) -> u16 {
        u16::from_le_bytes([self.opcode, WORDS | self.saturate as u8])
    }

    /// Reads bytes 0 and 1.
    pub const fn decode(word: u16) -> Result<Header, LengthError> {
        let [opcode, length] = word.to_le_bytes();
        if length & !1 != WORDS {
            return Err(LengthError { word });
        }
        Ok(Header { opcode, saturate: length & 1 != 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_lengths_are_read() {
        let read: Vec<u16> = (0..=u16::MAX).filter(|&word| Header::decode(word).is_ok()).collect();
        assert_eq!(read, (0x1000..=0x11FF).collect::<Vec<u16>>());
        for word in read {
            assert_eq!(Header::decode(word).unwrap().word(), word);
        }
        assert_eq!(
            Header::decode(0x2045).unwrap_err().to_string(),
            "header 0x2045: a length of 32 words instead of 16"
        );
    }
}
