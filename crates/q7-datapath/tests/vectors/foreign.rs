//! Rows whose operation belongs to another part of the product.

/// Why the table needs no entry for `op`, if that is known.
pub fn reason(op: &str) -> Option<&'static str> {
    let named = |names: &[&str]| names.iter().any(|name| op.starts_with(name));
    let rounding = op.contains('f') && named(&["add_1_1_1_", "sub_1_1_1_", "mul_1_1_1_"]);
    if rounding || named(&["madd_", "mula_1_", "mulsone_", "cvtf", "float", "ufloat", "trunc_1_", "trunc16"])
    {
        return Some("floating-point arithmetic and conversion: not in this crate yet");
    }
    if named(&["utrunc", "ficeil", "fifloor", "firint", "firound", "fitrunc"]) {
        return Some("floating-point arithmetic and conversion: not in this crate yet");
    }
    if named(&["recip0", "rsqrt0", "sqrt0", "div0", "nexp", "mksadj", "mkdadj", "seed+Newton"]) {
        return Some("floating-point seeds and helpers: not in this crate yet");
    }
    if named(&["mul", "pack", "cvt", "decnegw", "sqrp", "shift_amt_satu", "sats_16_24", "sats_32_48"]) {
        return Some("multiply, accumulate, pack: not in this crate yet");
    }
    if named(&["gather", "scatter", "replo8", "sav leaf"]) {
        return Some("gather, scatter, memory side: not a lane function");
    }
    if named(&["ivp_recipqli"]) {
        return Some("semantics unknown (DECISIONS)");
    }
    None
}
