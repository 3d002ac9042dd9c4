//! Writes a little-endian ELF32 executable for Xtensa: segments and an entry, nothing else.

/// Bytes to be loaded at an address.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Where the first byte goes.
    pub address: u32,
    /// The bytes.
    pub bytes: Vec<u8>,
}

const HEADER: u32 = 52;
const PROGRAM_HEADER: u32 = 32;
const EXECUTABLE: u16 = 2;
const XTENSA: u16 = 94;
const LOAD: u32 = 1;
const READ_WRITE_EXECUTE: u32 = 7;

/// The file that loads `segments` and starts at `entry`.
pub fn executable(entry: u32, segments: &[Segment]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let mut half = |value: u16| file.extend(value.to_le_bytes());
    half(EXECUTABLE);
    half(XTENSA);
    let mut word = |value: u32| file.extend(value.to_le_bytes());
    word(1); // version
    word(entry);
    word(HEADER); // program headers
    word(0); // no section headers
    word(0x300); // flags, as the GNU tools set them
    for value in [HEADER as u16, PROGRAM_HEADER as u16, segments.len() as u16, 0, 0, 0] {
        file.extend(value.to_le_bytes());
    }
    let mut offset = HEADER + PROGRAM_HEADER * segments.len() as u32;
    for segment in segments {
        let size = segment.bytes.len() as u32;
        let row = [LOAD, offset, segment.address, segment.address, size, size, READ_WRITE_EXECUTE, 1];
        file.extend(row.iter().flat_map(|value| value.to_le_bytes()));
        offset += size;
    }
    for segment in segments {
        file.extend(&segment.bytes);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_follow_the_headers() {
        let file = executable(0x1234, &[Segment { address: 0x100, bytes: vec![1, 2, 3] }]);
        assert_eq!(file.len(), 52 + 32 + 3);
        assert_eq!(file[24..28], 0x1234u32.to_le_bytes());
        assert_eq!(file[44], 1);
        assert_eq!(file[84..], [1, 2, 3]);
    }
}
