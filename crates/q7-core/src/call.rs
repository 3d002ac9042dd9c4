//! Calling a function of a program from outside.

use q7_isa::Isa;

use crate::machine::Machine;

/// How a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abi {
    /// CALL8: arguments in a10.., result in a10 of the caller.
    Windowed,
    /// CALL0: arguments in a2.., result in a2.
    Call0,
}

/// Arguments that travel in registers; the rest lies on the stack.
const REGISTER_ARGUMENTS: usize = 6;

impl Machine<'_> {
    /// The calling convention of the function at an address: windowed if it starts with ENTRY.
    pub fn abi_of(&self, function: u32) -> Abi {
        let isa: &Isa = self.isa();
        let windowed = self.bundle_at(function).is_some_and(|bundle| {
            bundle.instructions.iter().any(|first| isa.opcode(first.opcode).mnemonic == "entry")
        });
        if windowed { Abi::Windowed } else { Abi::Call0 }
    }

    /// Sets the machine up to call `function`; the run then stops with `Stop::Returned`.
    ///
    /// # Errors
    /// The first stack address outside of memory, if there are more arguments than registers.
    pub fn call(&mut self, function: u32, arguments: &[u32], stack: u32) -> Result<Abi, u32> {
        let abi = self.abi_of(function);
        let on_stack = arguments.get(REGISTER_ARGUMENTS..).unwrap_or_default();
        let bytes: Vec<u8> = on_stack.iter().flat_map(|word| word.to_le_bytes()).collect();
        let pointer = stack.wrapping_sub(bytes.len() as u32) & !0xf;
        self.core.memory.write_bytes(pointer, &bytes)?;
        self.core.ar[1] = pointer;
        self.core.pc = function;
        let (link, first) = match abi {
            Abi::Windowed => (8, 10),
            Abi::Call0 => (0, 2),
        };
        self.core.ar[link] = self.return_address();
        for (index, &argument) in arguments.iter().take(REGISTER_ARGUMENTS).enumerate() {
            self.core.ar[first + index] = argument;
        }
        Ok(abi)
    }

    /// The result of a call that returned.
    pub fn result(&self, abi: Abi) -> u32 {
        self.core.ar[match abi {
            Abi::Windowed => 10,
            Abi::Call0 => 2,
        }]
    }
}
