//! Operand shapes of the base instruction set: how an operation reads its operands, calls the pure
//! expression and writes the result.

/// `r = f(s, t)`: operands r, s, t.
macro_rules! alu3 {
    (|$s:ident, $t:ident| $value:expr) => {{
        fn run(core: &mut $crate::core::Core, op: &$crate::op::Op) -> $crate::op::Exit {
            let ($s, $t) = (core.ar(op.r[1]), core.ar(op.r[2]));
            core.set_ar(op.r[0], $value);
            $crate::op::Exit::NEXT
        }
        $crate::exec::straight(threaded!(run))
    }};
}

/// `r = f(x)`: operands r, x.
macro_rules! alu2 {
    (|$x:ident| $value:expr) => {{
        fn run(core: &mut $crate::core::Core, op: &$crate::op::Op) -> $crate::op::Exit {
            let $x = core.ar(op.r[1]);
            core.set_ar(op.r[0], $value);
            $crate::op::Exit::NEXT
        }
        $crate::exec::straight(threaded!(run))
    }};
}

/// `r = f(x, immediate)`: operands r, x, immediate.
macro_rules! alu2i {
    (|$x:ident, $imm:ident| $value:expr) => {{
        fn run(core: &mut $crate::core::Core, op: &$crate::op::Op) -> $crate::op::Exit {
            let ($x, $imm) = (core.ar(op.r[1]), op.imm as u32);
            core.set_ar(op.r[0], $value);
            $crate::op::Exit::NEXT
        }
        $crate::exec::straight(threaded!(run))
    }};
}

/// `r = s` if `condition(t)`: operands r, s, t.
macro_rules! move_if {
    (|$t:ident| $condition:expr) => {{
        fn run(core: &mut $crate::core::Core, op: &$crate::op::Op) -> $crate::op::Exit {
            let $t = core.ar(op.r[2]);
            let value = if $condition { core.ar(op.r[1]) } else { core.ar(op.r[0]) };
            core.set_ar(op.r[0], value);
            $crate::op::Exit::NEXT
        }
        $crate::exec::straight(threaded!(run))
    }};
}

/// An operation that needs the whole core; its result may be an exception.
macro_rules! operation {
    (|$core:ident, $op:ident| $body:expr) => {{
        fn run($core: &mut $crate::core::Core, $op: &$crate::op::Op) -> $crate::op::Exit {
            $body
        }
        $crate::exec::straight(threaded!(run))
    }};
}

/// As `operation!`, faulting in ring 1.
macro_rules! privileged {
    (|$core:ident, $op:ident| $body:expr) => {
        operation!(|$core, $op| {
            if $core.unprivileged() {
                return $core.raise($crate::exception::Exception::new($crate::exception::Cause::PRIVILEGED));
            }
            $body
        })
    };
}

/// Unwraps a result inside an operation; an exception becomes a fault.
macro_rules! attempt {
    ($core:ident, $result:expr) => {
        match $result {
            Ok(value) => value,
            Err(exception) => return $core.raise(exception),
        }
    };
}

/// The probe of an operation (`exec::Binding`): whether its accesses are sure to work.
macro_rules! probe {
    (|$core:ident, $op:ident| $sure:expr) => {{
        fn probe($core: &mut $crate::core::Core, $op: &$crate::op::Op) -> $crate::op::Exit {
            if $sure { $crate::op::Exit::NEXT } else { $crate::op::Exit::BUNDLE }
        }
        threaded!(probe)
    }};
}
