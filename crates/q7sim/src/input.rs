//! Standard input that does not keep Ctrl-C waiting.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use crate::host::errno_of;

/// errno EINTR and EIO.
const EINTR: u32 = 4;
const EIO: u32 = 5;

/// How long an interruption may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// The thread that reads: how much is wanted, what came.
type Reader = (Sender<usize>, Receiver<io::Result<Vec<u8>>>);

/// Standard input. A thread of its own waits for the terminal, and reads only what was asked for.
pub struct Input {
    interrupted: Arc<AtomicBool>,
    reader: Option<Reader>,
}

impl Input {
    /// Input whose reads end once `interrupted` is true.
    pub fn new(interrupted: Arc<AtomicBool>) -> Input {
        Input { interrupted, reader: None }
    }

    /// Reads what there is, at most `buffer.len()` bytes; waits for the first.
    ///
    /// # Errors
    /// An errno value.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, u32> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(EINTR);
        }
        let (requests, replies) = self.reader.get_or_insert_with(start_reader);
        requests.send(buffer.len()).map_err(|_| EIO)?;
        loop {
            match replies.recv_timeout(PATIENCE) {
                Ok(Ok(bytes)) => {
                    buffer[..bytes.len()].copy_from_slice(&bytes);
                    return Ok(bytes.len());
                }
                Ok(Err(error)) => return Err(errno_of(&error)),
                Err(RecvTimeoutError::Disconnected) => return Err(EIO),
                // The reply stays out, but nobody will ask again.
                Err(RecvTimeoutError::Timeout) if self.interrupted.load(Ordering::Relaxed) => {
                    return Err(EINTR);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn start_reader() -> Reader {
    let (requests, wanted) = channel();
    let (answers, replies) = channel();
    std::thread::spawn(move || {
        for length in wanted {
            let mut bytes = vec![0; length];
            let result = io::stdin().read(&mut bytes).map(|count| {
                bytes.truncate(count);
                bytes
            });
            if answers.send(result).is_err() {
                return;
            }
        }
    });
    (requests, replies)
}
