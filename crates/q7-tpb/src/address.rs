//! ADDR4: the 32-bit address words of instructions.
//!
//! Source: `tpb-dtypes-and-patterns/spec-addr4.md`, `extra-addr4-fields.csv`, `extra-addr4-resolvers.csv`,
//! `extra-addr4-validator.csv`; DECISIONS (TPB side, access patterns).

use q7_alu::bir::start_alignment;
use q7_alu::{Dtype, Generation};

/// Partitions of the State Buffer and of PSUM: the channels of an engine.
pub const PARTITIONS: u32 = 128;

/// Bytes of address space that a State Buffer partition has (192 KiB of them hold memory).
pub const STATE_BUFFER_SLOT: u32 = 1 << 18;

/// Address of the first PSUM byte.
pub const PSUM_BASE: u32 = 0x0200_0000;

/// Bytes of address space that a PSUM partition has; its banks fill half of them.
pub const PSUM_SLOT: u32 = 1 << 15;

/// Bytes of the PSUM window.
pub const PSUM_BYTES: u32 = PSUM_SLOT * PARTITIONS;

/// Banks of a PSUM partition.
pub const PSUM_BANKS: u32 = 8;

/// Bytes of a PSUM bank.
pub const PSUM_BANK: u32 = 1 << 11;

/// Address registers that a register form can name.
pub const ADDRESS_REGISTERS: u8 = 64;

/// An ADDR4 word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Addr4(pub u32);

/// Where a byte lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// In the State Buffer (SBUF).
    StateBuffer {
        /// Partition, 0..128.
        partition: u32,
        /// Byte in the partition's slot.
        byte: u32,
    },
    /// In PSUM.
    Psum {
        /// Partition, 0..128.
        partition: u32,
        /// Bank, 0..8.
        bank: u32,
        /// Byte in the bank.
        byte: u32,
    },
}

/// Memories that an operand may lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memories {
    /// The State Buffer only.
    StateBuffer,
    /// PSUM only: the destination of a matrix product.
    Psum,
    /// Either.
    Both,
}

/// What an instruction does at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads elements.
    Read,
    /// Writes elements.
    Write,
}

/// Why an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// A register form with stray bits or a register above 63.
    #[error("address word {0:#010x}: not a form of registers 0 to 63")]
    Register(u32),
    /// Not a multiple of the element's size, or a dtype that has no address form in this generation.
    #[error("address {address:#010x} does not suit elements of {dtype}")]
    Alignment {
        /// 29-bit address.
        address: u32,
        /// Element type.
        dtype: Dtype,
    },
    /// PSUM where only the State Buffer is allowed.
    #[error("address {0:#010x} lies in PSUM, which this operand may not use")]
    Psum(u32),
    /// The State Buffer where only PSUM is allowed.
    #[error("address {0:#010x} lies in the State Buffer, which this operand may not use")]
    StateBuffer(u32),
    /// Both the indirect and the shape register mark, which nothing writes.
    #[error("address word {0:#010x}: indirect and of a shape register at once")]
    Marks(u32),
    /// A write of elements that PSUM's four-byte cells do not take.
    #[error("address {address:#010x}: PSUM cells do not take writes of {dtype}")]
    PsumWrite {
        /// 29-bit address.
        address: u32,
        /// Element type.
        dtype: Dtype,
    },
    /// Neither in the State Buffer nor in PSUM.
    #[error("address {0:#010x} lies in neither the State Buffer nor PSUM")]
    Nowhere(u32),
}

impl Addr4 {
    const REGISTER: u32 = 1 << 31;
    const SHAPE_REGISTER: u32 = 1 << 30;
    const INDIRECT: u32 = 1 << 29;
    const ADDRESS: u32 = 0x1FFF_FFFF;
    /// Address bits that are zero in the State Buffer.
    const REGION: u32 = 0x1E00_0000;

    /// The word that takes the address from register `id`; `None` above 63.
    pub fn of_register(id: u8) -> Option<Addr4> {
        (id < ADDRESS_REGISTERS).then_some(Addr4(Addr4::REGISTER | u32::from(id)))
    }

    /// The word of a static address; `None` if a part exceeds its field.
    pub fn of_location(location: Location) -> Option<Addr4> {
        let fits = |value: u32, limit: u32| value < limit;
        match location {
            Location::StateBuffer { partition, byte } => (fits(partition, PARTITIONS)
                && fits(byte, STATE_BUFFER_SLOT))
            .then_some(Addr4(partition * STATE_BUFFER_SLOT + byte)),
            Location::Psum { partition, bank, byte } => {
                (fits(partition, PARTITIONS) && fits(bank, PSUM_BANKS) && fits(byte, PSUM_BANK))
                    .then_some(Addr4(PSUM_BASE + partition * PSUM_SLOT + bank * PSUM_BANK + byte))
            }
        }
    }

    /// Does a register supply the address at run time?
    pub const fn is_register(self) -> bool {
        self.0 & Addr4::REGISTER != 0
    }

    /// Does a shape register supply the counts at run time?
    pub const fn is_shape_register(self) -> bool {
        self.0 & Addr4::SHAPE_REGISTER != 0
    }

    /// Is this the address of an index vector, with the data's address in the next word?
    pub const fn is_indirect(self) -> bool {
        self.0 & Addr4::INDIRECT != 0
    }

    /// The register of a register form.
    pub const fn register(self) -> Option<u8> {
        if self.is_register() { Some(self.0 as u8) } else { None }
    }

    /// The 29-bit byte address of a static form.
    pub const fn address(self) -> u32 {
        self.0 & Addr4::ADDRESS
    }

    /// Does the static address lie in the PSUM window?
    pub const fn is_psum(self) -> bool {
        self.address().wrapping_sub(PSUM_BASE) < PSUM_BYTES
    }

    /// Partition and byte of a static address; `None` outside both memories. The bit above the bank number does not
    /// count (T4).
    pub const fn location(self) -> Option<Location> {
        let address = self.address();
        if self.is_psum() {
            let inside = address - PSUM_BASE;
            let (partition, bank) = (inside / PSUM_SLOT, inside / PSUM_BANK % PSUM_BANKS);
            Some(Location::Psum { partition, bank, byte: inside % PSUM_BANK })
        } else if address & Addr4::REGION == 0 {
            Some(Location::StateBuffer {
                partition: address / STATE_BUFFER_SLOT,
                byte: address % STATE_BUFFER_SLOT,
            })
        } else {
            None
        }
    }

    /// Checks an operand's start address as the validators do. `dtype` is that of the elements at the address: for the
    /// index vector of an indirect operand UINT32. The register form is stricter on the first core
    /// version: all bits but the number must be zero.
    pub fn check(
        self,
        dtype: Dtype,
        access: Access,
        memories: Memories,
        generation: Generation,
    ) -> Result<(), AddressError> {
        let address = self.address();
        if self.is_indirect() && self.is_shape_register() {
            return Err(AddressError::Marks(self.0));
        }
        if let Some(register) = self.register() {
            let stray = if generation.core_version() <= 2 { 0x7FFF_FF00 } else { 0x00FF_FF00 };
            let clean = self.0 & stray == 0 && register < ADDRESS_REGISTERS;
            return if clean { Ok(()) } else { Err(AddressError::Register(self.0)) };
        }
        if start_alignment(dtype, generation).is_none_or(|unit| !u64::from(address).is_multiple_of(unit)) {
            return Err(AddressError::Alignment { address, dtype });
        }
        match self.location() {
            None => Err(AddressError::Nowhere(address)),
            Some(Location::StateBuffer { .. }) if memories == Memories::Psum => {
                Err(AddressError::StateBuffer(address))
            }
            Some(Location::StateBuffer { .. }) => Ok(()),
            Some(Location::Psum { .. }) if memories == Memories::StateBuffer => {
                Err(AddressError::Psum(address))
            }
            Some(Location::Psum { .. }) if access == Access::Write && !is_psum_cell(dtype) => {
                Err(AddressError::PsumWrite { address, dtype })
            }
            Some(Location::Psum { .. }) => Ok(()),
        }
    }
}

/// Dtypes that a PSUM cell takes: the four-byte ones.
const fn is_psum_cell(dtype: Dtype) -> bool {
    matches!(dtype, Dtype::Int32 | Dtype::Uint32 | Dtype::Fp32 | Dtype::Fp32r)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_and_words_are_inverse() {
        let bytes = [0, 1, 0x10, 2047];
        for partition in [0, 1, 31, 127] {
            for byte in bytes {
                let here = Location::StateBuffer { partition, byte };
                assert_eq!(Addr4::of_location(here).unwrap().location(), Some(here));
                for bank in [0, 5, 7] {
                    let here = Location::Psum { partition, bank, byte };
                    assert_eq!(Addr4::of_location(here).unwrap().location(), Some(here));
                }
            }
        }
        for outside in [
            Location::StateBuffer { partition: 128, byte: 0 },
            Location::StateBuffer { partition: 0, byte: STATE_BUFFER_SLOT },
            Location::Psum { partition: 0, bank: 8, byte: 0 },
            Location::Psum { partition: 0, bank: 0, byte: PSUM_BANK },
            Location::Psum { partition: 128, bank: 0, byte: 0 },
        ] {
            assert_eq!(Addr4::of_location(outside), None, "{outside:?}");
        }
        assert_eq!(Addr4(0x0240_0000).location(), None);
        let upper_half = Addr4(PSUM_BASE + 3 * PSUM_SLOT + 9 * PSUM_BANK + 4).location();
        assert_eq!(upper_half, Some(Location::Psum { partition: 3, bank: 1, byte: 4 }));
    }

    #[test]
    fn checks_follow_the_validator() {
        use Dtype::{Bfloat16, Fp4Exp2, Fp32, Int8, Int64};
        let memories = |psum| if psum { Memories::Both } else { Memories::StateBuffer };
        let check = |word, dtype, access, psum, generation| {
            Addr4(word).check(dtype, access, memories(psum), generation)
        };
        let (cayman, mariana) = (Generation::Cayman, Generation::Mariana);
        let (read, write) = (Access::Read, Access::Write);
        assert_eq!(check(0x0004_0010, Fp32, write, false, cayman), Ok(()));
        assert!(matches!(check(0x0004_0012, Fp32, read, true, cayman), Err(AddressError::Alignment { .. })));
        assert_eq!(check(0x0004_0012, Bfloat16, read, true, cayman), Ok(()));
        assert!(matches!(check(4, Int64, read, true, cayman), Err(AddressError::Alignment { .. })));
        assert!(matches!(check(4, Fp4Exp2, read, true, cayman), Err(AddressError::Alignment { .. })));
        assert_eq!(check(5, Fp4Exp2, read, true, mariana), Ok(()));
        assert_eq!(check(PSUM_BASE, Fp32, write, true, cayman), Ok(()));
        assert_eq!(check(PSUM_BASE, Int8, read, true, cayman), Ok(()));
        assert!(matches!(check(PSUM_BASE, Int8, write, true, cayman), Err(AddressError::PsumWrite { .. })));
        assert!(matches!(check(PSUM_BASE, Fp32, read, false, cayman), Err(AddressError::Psum(_))));
        assert!(matches!(check(0x0400_0000, Fp32, read, true, cayman), Err(AddressError::Nowhere(_))));
        assert_eq!(check(0x8000_003F, Fp32, read, true, cayman), Ok(()));
        assert!(matches!(check(0x8000_0040, Fp32, read, true, cayman), Err(AddressError::Register(_))));
        assert!(matches!(check(0x8000_0100, Fp32, read, true, cayman), Err(AddressError::Register(_))));
        // The destination of a matrix product.
        assert_eq!(Addr4(PSUM_BASE).check(Fp32, write, Memories::Psum, cayman), Ok(()));
        assert_eq!(Addr4(16).check(Fp32, write, Memories::Psum, cayman), Err(AddressError::StateBuffer(16)));
        assert!(matches!(check(0x6000_0100, Fp32, read, true, cayman), Err(AddressError::Marks(_))));
        // Indirect through a register: the first core version refuses the combination.
        assert_eq!(check(0xA000_0001, Fp32, read, true, cayman), Ok(()));
        assert!(matches!(
            check(0xA000_0001, Fp32, read, true, Generation::Sunda),
            Err(AddressError::Register(_))
        ));
    }
}
