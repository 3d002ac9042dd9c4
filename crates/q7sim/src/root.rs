//! The files a program may open: those below one directory of the host.

use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use q7_core::errno;

use crate::host::errno_of;
use crate::status::Failure;

/// Flags of the guest's open, as picolibc and Linux number them. EXCL has another number in each.
const ACCESS: u32 = 3;
const WRITE_ONLY: u32 = 1;
const READ_WRITE: u32 = 2;
const CREATE: u32 = 0x40;
const EXCLUSIVE: u32 = 0x80 | 0x800;
const TRUNCATE: u32 = 0x200;
const APPEND: u32 = 0x400;

/// A directory that no path leads out of: neither `..`, nor an absolute path, nor a symbolic link.
pub struct Root(Dir);

impl Root {
    /// Opens a directory of the host.
    ///
    /// # Errors
    /// If it is none or may not be opened.
    pub fn new(path: &Path) -> Result<Root, Failure> {
        let directory = Dir::open_ambient_dir(path, ambient_authority())
            .map_err(|error| Failure::file(path.display(), error))?;
        Ok(Root(directory))
    }

    /// Opens a regular file below the directory.
    ///
    /// # Errors
    /// An errno value.
    pub fn open(&self, path: &[u8], flags: u32) -> Result<File, u32> {
        let path = std::str::from_utf8(path).map_err(|_| errno::ENOENT)?;
        // Pipes and devices could keep us waiting for ever.
        match self.0.metadata(path) {
            Ok(found) if found.is_dir() => return Err(errno::EISDIR),
            Ok(found) if !found.is_file() => return Err(errno::EACCES),
            _ => {}
        }
        let access = flags & ACCESS;
        if access > READ_WRITE {
            return Err(errno::EINVAL);
        }
        let write = access != 0;
        let set = |flag: u32| write && flags & flag != 0;
        let mut options = OpenOptions::new();
        options
            .read(access != WRITE_ONLY)
            .write(write)
            .append(set(APPEND))
            .truncate(set(TRUNCATE) && !set(APPEND));
        if flags & CREATE != 0 && write {
            options.create(true).create_new(flags & EXCLUSIVE != 0);
        }
        let file = self.0.open_with(path, &options).map_err(|error| errno_of(&error))?;
        if set(TRUNCATE) && set(APPEND) {
            file.set_len(0).map_err(|error| errno_of(&error))?;
        }
        Ok(file)
    }
}
