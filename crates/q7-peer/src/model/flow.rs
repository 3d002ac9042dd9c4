//! Branches, jumps, loops, calls with and without windows, host calls.

use super::{Model, Stop};

/// Whether a conditional branch is taken; `None` if the mnemonic is none.
pub(super) fn condition(model: &Model, mnemonic: &str, o: &[i32]) -> Option<bool> {
    let u = |index: usize| i64::from(model.ar(o[index]));
    let s = |index: usize| i64::from(model.ar(o[index]) as i32);
    let bit = |index: usize, place: i64| u(index) / (1 << place) % 2 == 1;
    // BALL and its kin: does every, does any bit of t have its counterpart in s?
    let all = || (0..32).all(|place| !bit(1, place) || bit(0, place));
    let any = || (0..32).any(|place| bit(1, place) && bit(0, place));
    let constant = o.get(1).map_or(0, |&number| i64::from(number));
    let unsigned_constant = o.get(1).map_or(0, |&number| i64::from(number as u32));
    Some(match mnemonic {
        "beq" => u(0) == u(1),
        "bne" => u(0) != u(1),
        "blt" => s(0) < s(1),
        "bge" => s(0) >= s(1),
        "bltu" => u(0) < u(1),
        "bgeu" => u(0) >= u(1),
        "bany" => any(),
        "bnone" => !any(),
        "ball" => all(),
        "bnall" => !all(),
        "bbc" => !bit(0, u(1) % 32),
        "bbs" => bit(0, u(1) % 32),
        "bbci" => !bit(0, constant),
        "bbsi" => bit(0, constant),
        "beqi" => s(0) == constant,
        "bnei" => s(0) != constant,
        "blti" => s(0) < constant,
        "bgei" => s(0) >= constant,
        "bltui" => u(0) < unsigned_constant,
        "bgeui" => u(0) >= unsigned_constant,
        "beqz" | "beqz.n" => u(0) == 0,
        "bnez" | "bnez.n" => u(0) != 0,
        "bltz" => s(0) < 0,
        "bgez" => s(0) >= 0,
        "bt" => model.booleans[o[0] as usize],
        "bf" => !model.booleans[o[0] as usize],
        _ => return None,
    })
}

const EXIT: u32 = 1;
const WRITE: u32 = 4;

impl Model<'_> {
    /// Jumps, loops, calls, returns and host calls. The outer `None`: the mnemonic is none of them;
    /// the inner one: control goes on behind it.
    pub(super) fn transfer(
        &mut self,
        mnemonic: &str,
        o: &[i32],
        next: u32,
    ) -> Result<Option<Option<u32>>, Stop> {
        let last = o.last().copied().unwrap_or(0) as u32;
        let target = match mnemonic {
            "j" => Some(last),
            "jx" => Some(self.ar(o[0])),
            "loop" => self.set_loop(o, next, |_| true),
            "loopnez" => self.set_loop(o, next, |count| count != 0),
            "loopgtz" => self.set_loop(o, next, |count| (1..1 << 31).contains(&count)),
            "call0" | "callx0" => {
                let target = if mnemonic == "call0" { last } else { self.ar(o[0]) };
                self.set_ar(0, next);
                Some(target)
            }
            "ret" | "ret.n" => Some(self.ar(0)),
            "call8" | "callx8" => {
                let target = if mnemonic == "call8" { last } else { self.ar(o[0]) };
                self.set_ar(8, next);
                Some(target)
            }
            "entry" => {
                let pointer = self.ar(o[0]).wrapping_sub(o[1] as u32);
                self.pane += 1;
                self.panes.resize(self.panes.len().max(self.pane + 2), [0; 8]);
                self.set_ar(o[0], pointer);
                None
            }
            "retw" | "retw.n" => {
                let target = self.ar(0);
                let caller = self.pane.checked_sub(1);
                self.pane = caller.ok_or_else(|| Stop::Unknown("return without a caller".into()))?;
                Some(target)
            }
            "halt" | "halt.n" => return Err(Stop::Halted(o.first().copied().unwrap_or(0))),
            "simcall" => {
                self.host_call()?;
                None
            }
            _ => return Ok(None),
        };
        Ok(Some(target))
    }

    fn set_loop(&mut self, o: &[i32], next: u32, enters: impl Fn(u32) -> bool) -> Option<u32> {
        let count = self.ar(o[0]);
        self.lbeg = next;
        self.lend = o[1] as u32;
        self.lcount = count.wrapping_sub(1);
        (!enters(count)).then_some(self.lend)
    }

    fn host_call(&mut self) -> Result<(), Stop> {
        match self.ar(2) {
            EXIT => Err(Stop::Exit(self.ar(3))),
            WRITE => {
                let length = self.ar(5);
                let bytes = self.read_bytes(self.ar(4), length as usize);
                self.output.extend(bytes);
                self.set_ar(2, length);
                self.set_ar(3, 0);
                Ok(())
            }
            other => Err(Stop::Unknown(format!("host call {other}"))),
        }
    }
}
