//! Instructions that change registers other than one AR: SAR, booleans, special and user registers.

use super::Model;

impl Model<'_> {
    /// Carries out a change of SAR, BR or a special register; false if the mnemonic is none.
    pub(super) fn change_state(&mut self, mnemonic: &str, o: &[i32]) -> bool {
        if let Some(value) = self.boolean(mnemonic, o) {
            self.booleans[o[0] as usize] = value;
            return true;
        }
        match mnemonic {
            "ssl" => self.sar = 32 - self.ar(o[0]) % 32,
            "ssr" => self.sar = self.ar(o[0]) % 32,
            "ssa8l" => self.sar = self.ar(o[0]) % 4 * 8,
            "ssa8b" => self.sar = 32 - self.ar(o[0]) % 4 * 8,
            "ssai" => self.sar = o[0] as u32,
            "nop" | "nop.n" | "memw" | "extw" | "excw" | "isync" | "rsync" | "esync" | "dsync" | "fsync" => {}
            _ => return self.move_register(mnemonic, o),
        }
        true
    }

    fn boolean(&self, mnemonic: &str, o: &[i32]) -> Option<bool> {
        let b = |index: usize| self.booleans[o[index] as usize];
        let group = |size: i32| (o[1]..o[1] + size).map(|number| self.booleans[number as usize]);
        Some(match mnemonic {
            "andb" => b(1) && b(2),
            "andbc" => b(1) && !b(2),
            "orb" => b(1) || b(2),
            "orbc" => b(1) || !b(2),
            "xorb" => b(1) != b(2),
            "all4" => group(4).all(|one| one),
            "all8" => group(8).all(|one| one),
            "any4" => group(4).any(|one| one),
            "any8" => group(8).any(|one| one),
            _ => return None,
        })
    }

    /// RSR, WSR, XSR, RUR and WUR of the registers that a program without privileges can see, and of
    /// the two that have no function.
    fn move_register(&mut self, mnemonic: &str, o: &[i32]) -> bool {
        let Some((action, name)) = mnemonic.split_once('.') else { return false };
        let old = match name {
            "sar" => self.sar,
            "br" => self.br(),
            "lbeg" => self.lbeg,
            "lend" => self.lend,
            "lcount" => self.lcount,
            "misc0" => self.misc[0],
            "misc1" => self.misc[1],
            "threadptr" => self.threadptr,
            _ => return false,
        };
        let new = self.ar(o[0]);
        if matches!(action, "wsr" | "wur" | "xsr") {
            match name {
                "sar" => self.sar = new % 64,
                "br" => self.set_br(new),
                "lbeg" => self.lbeg = new,
                "lend" => self.lend = new,
                "lcount" => self.lcount = new,
                "misc0" => self.misc[0] = new,
                "misc1" => self.misc[1] = new,
                _ => self.threadptr = new,
            }
        }
        if matches!(action, "rsr" | "rur" | "xsr") {
            self.set_ar(o[0], old);
        }
        true
    }
}
