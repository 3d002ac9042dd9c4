//! Operand shapes of the vector instructions: how an operation reads its operands, calls the datapath
//! function and writes the result.
//!
//! Every operation is compiled twice, for the baseline and for x86-64-v3; the registry chooses once
//! (`exec::Binding`). Register numbers are taken modulo their file, which costs an AND and no branch.

use q7_datapath::{FpFlags, Pr64, Pred64, Vec512};

use crate::core::Core;

impl Core {
    #[inline(always)]
    pub(crate) fn vec(&self, register: u8) -> Vec512 {
        *self.vectors.vec.get(register)
    }

    #[inline(always)]
    pub(crate) fn set_vec(&mut self, register: u8, value: Vec512) {
        *self.vectors.vec.get_mut(register) = value;
    }

    #[inline(always)]
    pub(crate) fn vbool(&self, register: u8) -> Pred64 {
        self.vectors.vbool[(register & 15) as usize]
    }

    #[inline(always)]
    pub(crate) fn set_vbool(&mut self, register: u8, value: Pred64) {
        self.vectors.vbool[(register & 15) as usize] = value;
    }

    #[inline(always)]
    pub(crate) fn pr(&self, register: u8) -> Pr64 {
        self.vectors.pr[(register & 15) as usize]
    }

    #[inline(always)]
    pub(crate) fn set_pr(&mut self, register: u8, value: Pr64) {
        self.vectors.pr[(register & 15) as usize] = value;
    }

    /// Adds to the sticky flags of FSR; enables only gate an imprecise error (DECISIONS A30).
    #[inline(always)]
    pub(crate) fn raise_flags(&mut self, flags: FpFlags) {
        self.special.fsr |= flags.bits();
    }
}

/// An operation of the vector unit, compiled for each level of the host.
macro_rules! vector {
    (|$core:ident, $op:ident| $body:expr) => {{
        #[inline(always)]
        fn body($core: &mut $crate::core::Core, $op: &$crate::op::Op) -> $crate::op::Exit {
            $body
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
        fn v3<'a>(
            core: &mut $crate::core::Core,
            at: $crate::op::At<'a>,
        ) -> ($crate::op::Exit, $crate::op::At<'a>) {
            (body(core, at.op()), at)
        }
        #[cfg(target_arch = "x86_64")]
        const V3: Option<$crate::exec::UnsafeOpFn> = Some(v3);
        #[cfg(not(target_arch = "x86_64"))]
        const V3: Option<$crate::exec::UnsafeOpFn> = None;
        $crate::exec::Binding { v3: V3, ..$crate::exec::straight(single!(body)) }
    }};
}

/// As `vector!`, for a body without control flow of its own.
macro_rules! compute {
    (|$core:ident, $op:ident| $body:expr) => {
        vector!(|$core, $op| {
            $body;
            $crate::op::Exit::NEXT
        })
    };
}

/// `vt = f(vr)`: operands vt, vr.
macro_rules! vec1 {
    ($f:expr) => {
        compute!(|core, op| core.set_vec(op.r[0], $f(core.vec(op.r[1]))))
    };
}

/// `vt = f(vr)` in true lanes: operands vt, vr, vb.
macro_rules! vec1t {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let new = $f(core.vec(op.r[1]));
            core.set_vec(op.r[0], merge::<$lane>(core.vbool(op.r[2]), new, core.vec(op.r[0])))
        })
    };
}

/// `vt = f(vt, vr)`: operands vt (in and out), vr.
macro_rules! update1 {
    ($f:expr) => {
        compute!(|core, op| core.set_vec(op.r[0], $f(core.vec(op.r[0]), core.vec(op.r[1]))))
    };
}

/// `vt = f(vt, vr)` in true lanes: operands vt (in and out), vr, vb.
macro_rules! update1t {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let old = core.vec(op.r[0]);
            let new = $f(old, core.vec(op.r[1]));
            core.set_vec(op.r[0], merge::<$lane>(core.vbool(op.r[2]), new, old))
        })
    };
}

/// `vt = f(vr, immediate)`: operands vt, vr, immediate.
macro_rules! vec1i {
    ($f:expr) => {
        compute!(|core, op| core.set_vec(op.r[0], $f(core.vec(op.r[1]), op.imm as u32)))
    };
}

/// `vt = f(vr, immediate)` in true lanes: operands vt, vr, immediate, vb.
macro_rules! vec1it {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let new = $f(core.vec(op.r[1]), op.imm as u32);
            core.set_vec(op.r[0], merge::<$lane>(core.vbool(op.r[3]), new, core.vec(op.r[0])))
        })
    };
}

/// `vt = f(vs, vr)`: operands vt, vs, vr.
macro_rules! vec2 {
    ($f:expr) => {
        compute!(|core, op| core.set_vec(op.r[0], $f(core.vec(op.r[1]), core.vec(op.r[2]))))
    };
}

/// `vt = f(vs, vr)` in true lanes: operands vt, vs, vr, vb.
macro_rules! vec2t {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let new = $f(core.vec(op.r[1]), core.vec(op.r[2]));
            core.set_vec(op.r[0], merge::<$lane>(core.vbool(op.r[3]), new, core.vec(op.r[0])))
        })
    };
}

/// `vt = f(vs, vr, sr)`: operands vt, vs, vr, sr.
macro_rules! vec3 {
    ($f:expr) => {
        compute!(|core, op| {
            let new = $f(core.vec(op.r[1]), core.vec(op.r[2]), core.vec(op.r[3]));
            core.set_vec(op.r[0], new)
        })
    };
}

/// `vt = f(vs, vr, sr)` in true lanes: operands vt, vs, vr, sr, vb.
macro_rules! vec3t {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let new = $f(core.vec(op.r[1]), core.vec(op.r[2]), core.vec(op.r[3]));
            core.set_vec(op.r[0], merge::<$lane>(core.vbool(op.r[4]), new, core.vec(op.r[0])))
        })
    };
}

/// `vbt = f(vs, vr)`: operands vbt, vs, vr.
macro_rules! cmp2 {
    ($f:expr) => {
        compute!(|core, op| core.set_vbool(op.r[0], $f(core.vec(op.r[1]), core.vec(op.r[2]))))
    };
}

/// `vb, vt = f(vr)`: operands vb, vt, vr.
macro_rules! flag1 {
    ($f:expr) => {
        compute!(|core, op| {
            let (flag, value) = $f(core.vec(op.r[2]));
            core.set_vbool(op.r[0], flag);
            core.set_vec(op.r[1], value)
        })
    };
}

/// `vb, vt = f(vs, vr)`: operands vb, vt, vs, vr.
macro_rules! flag2 {
    ($f:expr) => {
        compute!(|core, op| {
            let (flag, value) = $f(core.vec(op.r[2]), core.vec(op.r[3]));
            core.set_vbool(op.r[0], flag);
            core.set_vec(op.r[1], value)
        })
    };
}

/// `vt, FSR = f(vs, vr, all lanes)`: operands vt, vs, vr.
macro_rules! float2 {
    ($f:expr) => {
        compute!(|core, op| {
            let (value, flags) = $f(core.vec(op.r[1]), core.vec(op.r[2]), Pred64::ALL);
            core.raise_flags(flags);
            core.set_vec(op.r[0], value)
        })
    };
}

/// `vt, FSR = f(vs, vr, vb)` in true lanes: operands vt, vs, vr, vb.
macro_rules! float2t {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let active = core.vbool(op.r[3]);
            let (value, flags) = $f(core.vec(op.r[1]), core.vec(op.r[2]), active);
            core.raise_flags(flags);
            core.set_vec(op.r[0], merge::<$lane>(active, value, core.vec(op.r[0])))
        })
    };
}

/// `vbt, FSR = f(vs, vr, all lanes)`: operands vbt, vs, vr.
macro_rules! float_cmp2 {
    ($f:expr) => {
        compute!(|core, op| {
            let (value, flags) = $f(core.vec(op.r[1]), core.vec(op.r[2]), Pred64::ALL);
            core.raise_flags(flags);
            core.set_vbool(op.r[0], value)
        })
    };
}

/// `vbt, FSR = f(vs, vr, vb)` in true lanes: operands vbt, vs, vr, vb (A27).
macro_rules! float_cmp2t {
    ($f:expr, $lane:ty) => {
        compute!(|core, op| {
            let active = core.vbool(op.r[3]);
            let (value, flags) = $f(core.vec(op.r[1]), core.vec(op.r[2]), active);
            core.raise_flags(flags);
            core.set_vbool(op.r[0], merge_pred::<$lane>(active, value, core.vbool(op.r[0])))
        })
    };
}

/// `vt = f(vr, vb)`: operands vt, vr, vb; false lanes are the function's own business.
macro_rules! masked1 {
    ($f:expr) => {
        compute!(|core, op| core.set_vec(op.r[0], $f(core.vec(op.r[1]), core.vbool(op.r[2]))))
    };
}

/// `vbt = f(vbs, vbr)`: operands vbt, vbs, vbr.
macro_rules! pred2 {
    ($f:expr) => {
        compute!(|core, op| core.set_vbool(op.r[0], $f(core.vbool(op.r[1]), core.vbool(op.r[2]))))
    };
}

/// `vbt = f(vbr)`: operands vbt, vbr.
macro_rules! pred1 {
    ($f:expr) => {
        compute!(|core, op| core.set_vbool(op.r[0], $f(core.vbool(op.r[1]))))
    };
}
