//! SIMCALL: host calls as the open tools define them (DECISIONS, Exceptions; A13).
//!
//! Call number in a2, arguments from a3, result in a2, errno in a3.

use crate::core::Core;
use crate::memory::Access;
use crate::observe::{Observer, Register};

/// The host's side: files and standard streams. Errors are errno values.
pub trait Host {
    /// Opens a file; flags and mode as the guest gives them. A descriptor.
    ///
    /// # Errors
    /// An errno value.
    fn open(&mut self, path: &[u8], flags: u32, mode: u32) -> Result<u32, u32>;
    /// Closes a descriptor.
    ///
    /// # Errors
    /// An errno value.
    fn close(&mut self, descriptor: u32) -> Result<(), u32>;
    /// Reads into `buffer`; the number of bytes, 0 at the end.
    ///
    /// # Errors
    /// An errno value.
    fn read(&mut self, descriptor: u32, buffer: &mut [u8]) -> Result<usize, u32>;
    /// Writes `data`; the number of bytes taken.
    ///
    /// # Errors
    /// An errno value.
    fn write(&mut self, descriptor: u32, data: &[u8]) -> Result<usize, u32>;
    /// Moves the file position; the new position.
    ///
    /// # Errors
    /// An errno value.
    fn seek(&mut self, descriptor: u32, offset: i32, whence: u32) -> Result<u32, u32>;
    /// The arguments of the program, its name first.
    fn arguments(&self) -> &[Vec<u8>];
}

/// A host without files, streams or arguments.
#[derive(Debug, Default)]
pub struct NoHost;

/// errno values of the convention: those of newlib and picolibc.
pub mod errno {
    /// No such file or directory.
    pub const ENOENT: u32 = 2;
    /// Input or output error.
    pub const EIO: u32 = 5;
    /// Bad file descriptor.
    pub const EBADF: u32 = 9;
    /// Permission denied.
    pub const EACCES: u32 = 13;
    /// Bad address.
    pub const EFAULT: u32 = 14;
    /// File exists.
    pub const EEXIST: u32 = 17;
    /// Is a directory.
    pub const EISDIR: u32 = 21;
    /// Invalid argument.
    pub const EINVAL: u32 = 22;
    /// Too many open files.
    pub const EMFILE: u32 = 24;
    /// Illegal seek.
    pub const ESPIPE: u32 = 29;
    /// Name too long.
    pub const ENAMETOOLONG: u32 = 91;
    /// No such call.
    pub const ENOSYS: u32 = 88;
}

impl Host for NoHost {
    fn open(&mut self, _path: &[u8], _flags: u32, _mode: u32) -> Result<u32, u32> {
        Err(errno::EACCES)
    }
    fn close(&mut self, _descriptor: u32) -> Result<(), u32> {
        Err(errno::EBADF)
    }
    fn read(&mut self, _descriptor: u32, _buffer: &mut [u8]) -> Result<usize, u32> {
        Err(errno::EBADF)
    }
    fn write(&mut self, _descriptor: u32, _data: &[u8]) -> Result<usize, u32> {
        Err(errno::EBADF)
    }
    fn seek(&mut self, _descriptor: u32, _offset: i32, _whence: u32) -> Result<u32, u32> {
        Err(errno::EBADF)
    }
    fn arguments(&self) -> &[Vec<u8>] {
        &[]
    }
}

/// Bytes moved per host call at the most; a longer transfer is cut short, as POSIX allows.
const CHUNK: u32 = 1 << 20;

/// Longest path, in bytes.
const LONGEST_PATH: u32 = 4096;

const EXIT: u32 = 1;
const READ: u32 = 3;
const WRITE: u32 = 4;
const OPEN: u32 = 5;
const CLOSE: u32 = 6;
const LSEEK: u32 = 19;
const ARGC: u32 = 1000;
const ARGV_SIZE: u32 = 1001;
const ARGV: u32 = 1002;

/// Carries out the host call that the registers describe and tells the observer what it did, as part of the
/// SIMCALL bundle, which ends here; the exit status if it is exit.
pub(crate) fn host_call(
    core: &mut Core,
    host: &mut dyn Host,
    observer: Option<&mut (dyn Observer + '_)>,
) -> Option<i32> {
    let (call, arguments) = (core.ar[2], [core.ar[3], core.ar[4], core.ar[5]]);
    let exit = carry_out(core, host);
    if let Some(observer) = observer {
        if exit.is_none() {
            for number in [2, 3] {
                observer.register_write(Register::Ar(number), core.ar[usize::from(number)]);
            }
        }
        if let Some(access) = transfer(core, host, call, arguments) {
            observer.memory_access(access);
        }
        observer.retire();
    }
    exit
}

/// The memory that a call just carried out moved to or from the host.
fn transfer(core: &Core, host: &dyn Host, call: u32, arguments: [u32; 3]) -> Option<Access> {
    let (result, error) = (core.ar[2], core.ar[3]);
    let (address, size, store) = match call {
        READ => (arguments[1], result, true),
        WRITE => (arguments[1], result, false),
        ARGV => (arguments[0], argument_vector(host.arguments(), 0).len() as u32, true),
        _ => return None,
    };
    if error != 0 || size == 0 {
        return None;
    }
    let mut lowest = [0; 8];
    core.memory.read_bytes(address, &mut lowest[..size.min(8) as usize]).ok()?;
    Some(Access { address, size, store, value: u64::from_le_bytes(lowest) })
}

fn carry_out(core: &mut Core, host: &mut dyn Host) -> Option<i32> {
    let arguments = [core.ar[3], core.ar[4], core.ar[5]];
    let result = match core.ar[2] {
        EXIT => return Some(arguments[0] as i32),
        READ => read(core, host, arguments),
        WRITE => write(core, host, arguments),
        OPEN => open(core, host, arguments),
        CLOSE => host.close(arguments[0]).map(|()| 0),
        LSEEK => host.seek(arguments[0], arguments[1] as i32, arguments[2]),
        ARGC => Ok(host.arguments().len() as u32),
        ARGV_SIZE => Ok(argument_vector(host.arguments(), 0).len() as u32),
        ARGV => {
            let vector = argument_vector(host.arguments(), arguments[0]);
            core.memory.write_bytes(arguments[0], &vector).map(|()| 0).map_err(|_| errno::EFAULT)
        }
        _ => Err(errno::ENOSYS),
    };
    (core.ar[2], core.ar[3]) = match result {
        Ok(value) => (value, 0),
        Err(error) => (u32::MAX, error),
    };
    None
}

fn read(core: &mut Core, host: &mut dyn Host, [descriptor, address, length]: [u32; 3]) -> Result<u32, u32> {
    let length = length.min(CHUNK);
    if !core.memory.covers(address, u64::from(length)) {
        return Err(errno::EFAULT);
    }
    let mut buffer = vec![0; length as usize];
    let count = host.read(descriptor, &mut buffer)?;
    core.memory.write_bytes(address, &buffer[..count]).map_err(|_| errno::EFAULT)?;
    Ok(count as u32)
}

fn write(core: &mut Core, host: &mut dyn Host, [descriptor, address, length]: [u32; 3]) -> Result<u32, u32> {
    let mut buffer = vec![0; length.min(CHUNK) as usize];
    core.memory.read_bytes(address, &mut buffer).map_err(|_| errno::EFAULT)?;
    host.write(descriptor, &buffer).map(|count| count as u32)
}

fn open(core: &mut Core, host: &mut dyn Host, [address, flags, mode]: [u32; 3]) -> Result<u32, u32> {
    let mut path = Vec::new();
    for offset in 0..LONGEST_PATH {
        let mut byte = [0];
        core.memory.read_bytes(address.wrapping_add(offset), &mut byte).map_err(|_| errno::EFAULT)?;
        if byte[0] == 0 {
            return host.open(&path, flags, mode);
        }
        path.push(byte[0]);
    }
    Err(errno::ENAMETOOLONG)
}

/// The argument vector as it lies at `base`: pointers, a null pointer, then the strings.
fn argument_vector(arguments: &[Vec<u8>], base: u32) -> Vec<u8> {
    let mut strings = Vec::new();
    let mut vector = Vec::new();
    let table = 4 * (arguments.len() as u32 + 1);
    for argument in arguments {
        let pointer = base.wrapping_add(table + strings.len() as u32);
        vector.extend(pointer.to_le_bytes());
        strings.extend(argument);
        strings.push(0);
    }
    vector.extend([0; 4]);
    vector.extend(strings);
    vector
}
