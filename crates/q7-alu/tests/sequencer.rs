//! The scalar path: rejections, branches, trace lines; and the numbers of scaled blocks.

use q7_alu::mx::{self, Dequantize, ScaleRule};
use q7_alu::sequencer::{BranchCompare, Form, Relation, scalar};
use q7_alu::trace::{AluInstruction, AluValues, BranchValues, SecondOperand};
use q7_alu::{AluOp, BirDtype, Dtype, EvalError, Generation, State};

const NEW: Generation = Generation::Maverick;

fn run(op: AluOp, a: u64, b: u64, dtype: Dtype, form: Form) -> Result<u64, EvalError> {
    scalar(op, a, b, dtype, NEW, form, &mut State::default())
}

#[test]
fn widths_and_signs() {
    assert_eq!(run(AluOp::Mult, 0x8000, 2, Dtype::Int16, Form::Registers), Ok(0));
    assert_eq!(run(AluOp::Mult, 0xFFFF_FFFF, 3, Dtype::Int32, Form::Immediate), Ok(0xFFFF_FFFD));
    assert_eq!(run(AluOp::Max, 0x80, 1, Dtype::Int8, Form::Registers), Ok(1));
    assert_eq!(run(AluOp::Max, 0x80, 1, Dtype::Uint8, Form::Registers), Ok(0x80));
    assert_eq!(run(AluOp::Add, u64::MAX, 2, Dtype::Uint64, Form::Registers), Ok(1));
    assert_eq!(run(AluOp::Add, 0x3C00, 0x3C00, Dtype::Fp16, Form::Registers), Ok(0x4000));
    assert_eq!(run(AluOp::IsGe, 0x4000_0000, 0x3F80_0000, Dtype::Fp32, Form::Registers), Ok(0x3F80_0000));
}

/// A division by zero halts here, whatever the mode says (A18); rejections name the line of the form.
#[test]
fn rejections() {
    let divided = run(AluOp::DivideInt, 1, 0, Dtype::Int32, Form::Registers).unwrap_err();
    assert_eq!(divided.to_string(), "Int Div Zero Error");
    let line = |form, dtype| match run(AluOp::Rsqrt, 1, 0, dtype, form) {
        Err(EvalError::Op { site, .. }) => Some(site.line),
        _ => None,
    };
    assert_eq!(line(Form::Registers, Dtype::Int64), Some(141));
    let old = |op, dtype, form| scalar(op, 1, 1, dtype, Generation::Sunda, form, &mut State::default());
    let missing = |form, dtype| match old(AluOp::MaxInt, dtype, form) {
        Err(EvalError::Op { site, .. }) => site.line,
        other => panic!("{other:?}"),
    };
    assert_eq!(missing(Form::Immediate, Dtype::Int32), 196);
    assert_eq!(missing(Form::Registers, Dtype::Int32), 220);
    assert_eq!(missing(Form::Registers, Dtype::Uint64), 141);
    match old(AluOp::Add, Dtype::Int4, Form::Registers) {
        Err(EvalError::Dtype { dtype: Dtype::Int4, site }) => assert_eq!(site.line, 231),
        other => panic!("{other:?}"),
    }
}

#[test]
fn branch_codes_are_the_published_ones() {
    let relations = [Relation::Lt, Relation::Le, Relation::Eq, Relation::Ne, Relation::Ge, Relation::Gt];
    for (index, relation) in relations.into_iter().enumerate() {
        for (form, code, ordinal) in [(Form::Immediate, 1, 0), (Form::Registers, 9, 6)] {
            let compare = BranchCompare::Test(relation, form);
            assert_eq!(compare.wire_code(), code + index as u8);
            assert_eq!(compare.bir_ordinal(), Some(ordinal + index as u8));
            assert_eq!(BranchCompare::from_wire_code(code + index as u8), Some(compare));
            assert_eq!(compare.negated().and_then(BranchCompare::negated), Some(compare));
        }
    }
    for code in [7, 8, 15, 255] {
        assert_eq!(BranchCompare::from_wire_code(code), None);
    }
    assert_eq!(BranchCompare::from_wire_code(0), Some(BranchCompare::Always));
    // Negated ordinals of the table: LT <-> GE, LE <-> GT, EQ <-> NE.
    let negated = (0..6).map(|code| BranchCompare::from_wire_code(code + 1).unwrap().negated().unwrap());
    assert_eq!(negated.map(|compare| compare.bir_ordinal().unwrap()).collect::<Vec<_>>(), [4, 5, 3, 2, 0, 1]);
}

#[test]
fn branches_compare_at_the_width_and_sign_of_the_dtype() {
    let taken = |code, left, right, dtype| {
        let compare = BranchCompare::from_wire_code(code).unwrap();
        compare.taken(left, right, dtype, NEW, &mut State::default()).unwrap()
    };
    let (lt, gt, eq) = (1, 6, 3);
    assert!(taken(lt, 0xFFFF_FFFF, 0, Dtype::Int32));
    assert!(!taken(lt, 0xFFFF_FFFF, 0, Dtype::Uint32));
    assert!(taken(eq, 0x1_0000_0001, 1, Dtype::Int32));
    assert!(!taken(eq, 0x1_0000_0001, 1, Dtype::Int64));
    assert!(taken(gt, 0xBF80_0000, 0xC000_0000, Dtype::Fp32));
    assert!(!taken(eq, 0x7FC0_0000, 0x7FC0_0000, Dtype::Fp32));
    assert!(taken(eq, 0x8000_0000, 0, Dtype::Fp32));
    assert!(taken(0, 1, 2, Dtype::Int32));
}

#[test]
fn trace_lines() {
    let instruction =
        AluInstruction { op: AluOp::AddInt, destination: 3, first: 12, second: SecondOperand::Immediate };
    assert_eq!(instruction.to_string(), "S: OP=c4 R[3] = OP(R[12], imm)");
    let registers = AluInstruction { op: AluOp::Add, second: SecondOperand::Register(7), ..instruction };
    assert_eq!(registers.to_string(), "S: OP=4 R[3] = OP(R[12], R[7])");
    let values = AluValues { dtype: Dtype::Int32, a: 0xFFFF_FFFF, b: 2, result: 1 };
    assert_eq!(values.to_string(), "S: OP(ffffffff, 2) = 1");
    let wide = AluValues { dtype: Dtype::Uint64, a: 1 << 32, ..values };
    assert_eq!(wide.to_string(), "S: OP(1_00000000, 0_00000002) = 0_00000001");
    let compare = BranchCompare::Test(Relation::Ge, Form::Registers);
    let branch = BranchValues { compare, left: 16, right: 15, taken: true };
    assert_eq!(branch.to_string(), "S: BRCMP: OP=d (10, f) = 1");
}

#[test]
fn scales_of_blocks() {
    assert_eq!(mx::max_exponent(&[0.0, -1.5, 1e-40]), 127);
    assert_eq!(mx::max_exponent(&[f32::NEG_INFINITY]), 255);
    let code = |exponent, emax, rule| mx::scale_code(exponent, emax, rule);
    assert_eq!(code(127, 8, ScaleRule::Api), 120);
    assert_eq!(code(0, 8, ScaleRule::Api), 0);
    for exponent in 0..=255u8 {
        for emax in [2u8, 8, 15] {
            let difference = i32::from(exponent) - i32::from(emax);
            assert_eq!(i32::from(code(exponent, emax, ScaleRule::Simulator)), 1.max(0.max(difference)));
            assert_eq!(
                i32::from(code(exponent, emax, ScaleRule::SimulatorAlternative)),
                1.max(difference + 1)
            );
            assert_eq!(i32::from(code(exponent, emax, ScaleRule::Wrapping)), difference & 0xFF);
        }
    }
    // The multiplier undoes the scale wherever both are normal numbers.
    for scale in 1..=253u8 {
        assert_eq!(mx::multiplier(scale), 2f32.powi(127 - i32::from(scale)));
        assert_eq!(mx::multiplier(scale) * mx::scale_value(scale), 1.0);
    }
    assert_eq!(mx::multiplier(254).to_bits(), 0);
    assert!(mx::scale_value(255).is_nan());
    assert_eq!(mx::scale_value(0), 2f32.powi(-127));
    let emax: Vec<_> = BirDtype::ALL.into_iter().map(mx::emax).collect();
    assert_eq!(emax, [0, 0, 2, 0, 0, 8, 0, 15, 8, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for (value, scale) in [(1.0, 127), (1.45, 128), (1.4, 127), (0.0, 0), (-1.0, 0), (f32::INFINITY, 254)] {
        assert_eq!(mx::host_scale_code(value), scale, "{value}");
    }
    assert_eq!(mx::host_scale_code(f32::NAN), 255);
}

#[test]
fn narrow_codes_widen_to_fp8() {
    let e5m2 = |code: u8| q7_alu::number::decode(Dtype::Fp8Exp5, code.into(), Default::default()).unwrap();
    let e4m3 = |code: u8| q7_alu::number::decode(Dtype::Fp8Exp4, code.into(), Default::default()).unwrap();
    let fp4 = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    for code in 0..16u8 {
        let magnitude = fp4[usize::from(code & 7)];
        let value: f32 = if code & 8 != 0 { -magnitude } else { magnitude };
        assert_eq!(e5m2(Dequantize::E2m1ToE5m2.widen(code)).to_bits(), value.to_bits());
        let int = i32::from(code) - if code & 8 != 0 { 16 } else { 0 };
        assert_eq!(e5m2(Dequantize::Int4ToE5m2.widen(code)), int as f32);
        let nf4 = Dequantize::Nf4ToE4m3;
        assert!((e4m3(nf4.widen(code)) - nf4.value(code)).abs() <= nf4.value(code).abs() / 16.0);
        assert!(code == 0 || nf4.value(code) > nf4.value(code - 1));
    }
    for code in 0..64u8 {
        let (exponent, mantissa) = (i32::from(code >> 3 & 3), f32::from(code & 7) / 8.0);
        let magnitude = if exponent == 0 { mantissa } else { (1.0 + mantissa) * 2f32.powi(exponent - 1) };
        let value = if code & 32 != 0 { -magnitude } else { magnitude };
        assert_eq!(e4m3(Dequantize::E2m3ToE4m3.widen(code)).to_bits(), value.to_bits(), "{code:#x}");
    }
    assert_eq!(
        Dequantize::ALL.map(|format| (format as u8, format.code_bits())),
        [(1, 4), (2, 4), (3, 4), (4, 6)]
    );
}

#[test]
fn packed_fp4() {
    assert_eq!(mx::pack_fp4([1, 2, 3, 15]), 0xF321);
    for container in [0, 0x1234, 0xFFFF, 0xF0F0] {
        assert_eq!(mx::pack_fp4(mx::unpack_fp4(container)), container);
    }
    assert_eq!(mx::fp4_lane_remap(0, 3), 3);
    // One window of all positions: only the last pair of it lies at its start.
    assert_eq!(mx::fp4_lane_remap(0x8000_0000, 0xFFFF_FFFE), 0);
}
