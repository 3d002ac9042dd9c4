//! The host's side of semihosting: standard streams, files below a directory, arguments.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::fs::File;
use q7_core::{Host, errno};

use crate::input::Input;
use crate::root::Root;

/// errno EPIPE.
const EPIPE: u32 = 32;

/// Descriptors 0, 1 and 2 are the standard streams.
const FIRST_FILE: u32 = 3;

/// Most files open at a time.
const MOST_FILES: usize = 64;

/// What a program reaches of the host.
pub struct Console {
    arguments: Vec<Vec<u8>>,
    root: Option<Root>,
    input: Input,
    files: Vec<Option<File>>,
    interrupted: Arc<AtomicBool>,
    /// Nobody reads standard output any more.
    pub output_closed: bool,
}

impl Console {
    /// A host with these arguments, the program's name first. `interrupted` ends waiting for input, and
    /// is set when standard output is closed: a program that does not look would write for ever.
    pub fn new(arguments: Vec<Vec<u8>>, root: Option<Root>, interrupted: Arc<AtomicBool>) -> Console {
        let input = Input::new(Arc::clone(&interrupted));
        Console { arguments, root, input, files: Vec::new(), interrupted, output_closed: false }
    }

    fn file(&mut self, descriptor: u32) -> Result<&mut File, u32> {
        self.slot(descriptor)?.as_mut().ok_or(errno::EBADF)
    }

    fn slot(&mut self, descriptor: u32) -> Result<&mut Option<File>, u32> {
        let index = descriptor.checked_sub(FIRST_FILE).ok_or(errno::EBADF)?;
        self.files.get_mut(index as usize).ok_or(errno::EBADF)
    }

    fn print(&mut self, data: &[u8]) -> Result<usize, u32> {
        let mut output = io::stdout().lock();
        let result = output.write_all(data).and_then(|()| output.flush());
        result.map(|()| data.len()).map_err(|error| {
            if error.kind() == io::ErrorKind::BrokenPipe {
                self.output_closed = true;
                self.interrupted.store(true, Ordering::Relaxed);
            }
            errno_of(&error)
        })
    }
}

impl Host for Console {
    fn open(&mut self, path: &[u8], flags: u32, _mode: u32) -> Result<u32, u32> {
        let root = self.root.as_ref().ok_or(errno::EACCES)?;
        let free = self.files.iter().position(Option::is_none).unwrap_or(self.files.len());
        if free == MOST_FILES {
            return Err(errno::EMFILE);
        }
        let file = root.open(path, flags)?;
        if free == self.files.len() {
            self.files.push(None);
        }
        self.files[free] = Some(file);
        Ok(FIRST_FILE + free as u32)
    }

    fn close(&mut self, descriptor: u32) -> Result<(), u32> {
        if descriptor < FIRST_FILE {
            return Ok(()); // The standard streams stay open for our own report.
        }
        self.slot(descriptor)?.take().map(drop).ok_or(errno::EBADF)
    }

    fn read(&mut self, descriptor: u32, buffer: &mut [u8]) -> Result<usize, u32> {
        match descriptor {
            _ if buffer.is_empty() => Ok(0),
            0 => self.input.read(buffer),
            1 | 2 => Err(errno::EBADF),
            file => self.file(file)?.read(buffer).map_err(|error| errno_of(&error)),
        }
    }

    fn write(&mut self, descriptor: u32, data: &[u8]) -> Result<usize, u32> {
        match descriptor {
            0 => Err(errno::EBADF),
            1 => self.print(data),
            2 => io::stderr().write_all(data).map(|()| data.len()).map_err(|error| errno_of(&error)),
            file => self.file(file)?.write(data).map_err(|error| errno_of(&error)),
        }
    }

    fn seek(&mut self, descriptor: u32, offset: i32, whence: u32) -> Result<u32, u32> {
        if descriptor < FIRST_FILE {
            return Err(errno::ESPIPE);
        }
        let file = self.file(descriptor)?;
        let to = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).map_err(|_| errno::EINVAL)?),
            1 => SeekFrom::Current(offset.into()),
            2 => SeekFrom::End(offset.into()),
            _ => return Err(errno::EINVAL),
        };
        let position = file.seek(to).map_err(|error| errno_of(&error))?;
        i32::try_from(position).map(|position| position as u32).map_err(|_| errno::EINVAL)
    }

    fn arguments(&self) -> &[Vec<u8>] {
        &self.arguments
    }
}

/// The guest's errno for an error of the host.
pub fn errno_of(error: &io::Error) -> u32 {
    match error.kind() {
        io::ErrorKind::NotFound => errno::ENOENT,
        io::ErrorKind::PermissionDenied => errno::EACCES,
        io::ErrorKind::AlreadyExists => errno::EEXIST,
        io::ErrorKind::IsADirectory => errno::EISDIR,
        io::ErrorKind::InvalidInput => errno::EINVAL,
        io::ErrorKind::InvalidFilename => errno::ENAMETOOLONG,
        io::ErrorKind::BrokenPipe => EPIPE,
        // The numbers up to ERANGE are the same everywhere.
        _ => error
            .raw_os_error()
            .and_then(|code| u32::try_from(code).ok())
            .filter(|code| *code <= 34)
            .unwrap_or(errno::EIO),
    }
}
