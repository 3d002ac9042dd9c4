//! Exceptions: causes and their names.

/// An EXCCAUSE code: cause in bits 3:0, type in 7:4, subtype in 11:8 (`xea3/causes.csv`).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cause(pub u32);

macro_rules! causes {
    ($($name:ident = $code:literal $text:literal;)*) => {
        impl Cause {
            $(#[doc = $text] pub const $name: Cause = Cause($code);)*

            /// What the code means, if it is published.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Cause::$name => $text,)*
                    Cause(code) if code & 0xff == 0x05 => "syscall",
                    Cause(code) if code & 0xff == 0x08 => "coprocessor disabled",
                    _ => "unknown cause",
                }
            }
        }
    };
}

causes! {
    NONE = 0x000 "no exception";
    ILL = 0x101 "ILL or ILL.N executed";
    ILLEGAL_INSTRUCTION = 0x201 "illegal instruction";
    PRIVILEGED = 0x111 "privileged instruction in ring 1";
    EXTERNAL_REGISTER_PRIVILEGE = 0x211 "external register access not permitted";
    DIVIDE_BY_ZERO = 0x121 "integer division by zero";
    ILLEGAL_ENTRY = 0x221 "window instruction in call0 mode";
    UNALIGNED_ACCESS = 0x102 "misaligned load or store";
    INVALID_PC = 0x112 "PC outside of executable memory";
    INVALID_MEMORY_SPACE = 0x522 "access outside of any memory region";
    // Which subtype belongs to fetch, load and store is not published (docs/assumptions.md, X6).
    FETCH_PROHIBITED = 0x107 "fetch prohibited";
    LOAD_PROHIBITED = 0x207 "load prohibited";
    STORE_PROHIBITED = 0x307 "store prohibited";
    BREAK1 = 0x114 "BREAK1 instruction";
    BREAK_N = 0x214 "BREAK.N instruction";
    BREAK = 0x314 "BREAK instruction";
    STACK_LIMIT = 0x064 "stack limit exceeded";
}

impl Cause {
    /// SYSCALL with its immediate.
    pub fn syscall(immediate: u32) -> Cause {
        Cause(0x005 | (immediate & 0xf) << 8)
    }

    /// Coprocessor `number` is disabled in CPENABLE.
    pub fn coprocessor_disabled(number: u32) -> Cause {
        Cause(0x008 | number << 8)
    }
}

impl std::fmt::Debug for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#05x} ({})", self.0, self.meaning())
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#05x} {}", self.0, self.meaning())
    }
}

/// An exception that an instruction raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception {
    /// Why.
    pub cause: Cause,
    /// The address at fault, if the cause has one; goes to EXCVADDR.
    pub address: Option<u32>,
}

impl Exception {
    /// An exception without an address.
    pub fn new(cause: Cause) -> Exception {
        Exception { cause, address: None }
    }

    /// An exception about an address.
    pub fn at(cause: Cause, address: u32) -> Exception {
        Exception { cause, address: Some(address) }
    }
}
