//! Values of symbols across definitions.

use crate::expression::{Expression, Reason, SymbolId, Value};

/// What a symbol stands for.
pub(crate) enum Target<'a> {
    Value(Value),
    /// The value of an expression of an object.
    Expression(usize, &'a Expression),
}

/// Whatever knows where symbols are.
pub(crate) trait Places {
    /// What `symbol` of object `object` stands for.
    fn target(&self, object: usize, symbol: SymbolId) -> Result<Target<'_>, Reason>;
}

/// Evaluates an expression of an object.
pub(crate) fn evaluate(
    places: &(impl Places + ?Sized),
    object: usize,
    expression: &Expression,
) -> Result<Value, Reason> {
    // Bounds on chains of `.set` through symbols defined later: their depth, and the steps that
    // chains of `.set a, b + b` would double.
    const DEPTH: u32 = 64;
    const STEPS: u32 = 20_000;
    step(places, object, expression, DEPTH, &mut { STEPS })
}

fn step(
    places: &(impl Places + ?Sized),
    object: usize,
    expression: &Expression,
    depth: u32,
    steps: &mut u32,
) -> Result<Value, Reason> {
    expression.evaluate(&mut |symbol| match places.target(object, symbol)? {
        Target::Value(value) => Ok(value),
        Target::Expression(object, expression) => {
            if depth == 0 || *steps == 0 {
                return Err("symbols defined in terms of themselves, or nested too deeply".into());
            }
            *steps -= 1;
            step(places, object, expression, depth - 1, steps)
        }
    })
}
