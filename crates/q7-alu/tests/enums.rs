//! Ordinals, presence and counts of the enums, and membership of every predicate, against the published lists.

use std::collections::BTreeSet;
use std::str::FromStr;

use q7_alu::predicate::*;
use q7_alu::{AluOp, BirDtype, CompressOp, Dtype, Generation};

fn table(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn hex(text: &str) -> u8 {
    u8::from_str_radix(text.trim_start_matches("0x"), 16).unwrap()
}

#[test]
fn operations_have_the_published_codes_names_presence_and_operands() {
    let rows: Vec<_> = table(include_str!("data/alu-ops.csv")).collect();
    assert_eq!(rows.len(), 65);
    for (row, op) in rows.iter().zip(AluOp::ALL) {
        assert_eq!((op.code(), op.name()), (hex(row[0]), row[1]));
        let generations = [Generation::Sunda, Generation::Cayman, Generation::Mariana, Generation::Maverick];
        for (generation, present) in generations.into_iter().zip(&row[2..6]) {
            assert_eq!(op.exists_in(generation), *present == "1", "{op} in {generation}");
        }
        assert_eq!(op.exists_in(Generation::MarianaPlus), op.exists_in(Generation::Mariana));
        assert_eq!(op.sources() as usize + 1, row[6].parse::<usize>().unwrap(), "{op}");
        assert_eq!(AluOp::from_str(op.name()), Ok(op));
        assert_eq!(AluOp::from_str(row[0]), Ok(op));
    }
}

#[test]
fn operation_counts_per_generation() {
    let count = |generation| AluOp::of(generation).count();
    assert_eq!(Generation::WITH_ALU.map(count), [33, 60, 64, 64, 65]);
}

#[test]
fn gaps_in_the_codes_are_rejected() {
    let known: BTreeSet<u8> = AluOp::ALL.iter().map(|op| op.code()).collect();
    for code in 0..=255 {
        assert_eq!(AluOp::try_from(code).is_ok(), known.contains(&code));
    }
    for gap in [0x1E, 0x1F, 0x25, 0xC3, 0xE2] {
        assert!(AluOp::try_from(gap).is_err());
    }
    assert!(AluOp::from_str("nonsense").is_err());
}

#[test]
fn names_are_read_in_every_spelling() {
    for (text, op) in [("IsEQ", AluOp::IsEq), ("is_equal", AluOp::IsEq), ("mod_int", AluOp::ModInt)] {
        assert_eq!(AluOp::from_str(text), Ok(op));
    }
    for (text, op) in [("re_lu", AluOp::ReLu), ("ReLU", AluOp::ReLu), ("abs", AluOp::AbsoluteValue)] {
        assert_eq!(AluOp::from_str(text), Ok(op));
    }
}

#[test]
fn unknown_names_bring_similar_ones() {
    let op = |text: &str| AluOp::from_str(text).unwrap_err().to_string();
    assert_eq!(op("multiplyy"), "unknown ALU operation `multiplyy`; similar: MULT");
    assert_eq!(
        op("shift_left"),
        "unknown ALU operation `shift_left`; similar: ARITH_SHIFT_LEFT, LOGICAL_SHIFT_LEFT"
    );
    assert_eq!(op("qwertyuiop"), "unknown ALU operation `qwertyuiop`");
    assert_eq!(op("0x1e"), "unknown ALU operation `0x1e`");
    assert_eq!(op(""), "unknown ALU operation ``");
    let dtype = |text: &str| Dtype::from_str(text).unwrap_err().to_string();
    assert_eq!(dtype("int"), "unknown dtype `int`; similar: INT8, INT16, INT32, INT64, INT4");
    assert_eq!(dtype("bfloat"), "unknown dtype `bfloat`; similar: BFLOAT16, FP32");
    // Only the separators count for nothing.
    assert!(AluOp::from_str("A+D+D").is_err() && Dtype::from_str("fp32!").is_err());
    assert_eq!(AluOp::from_str("0Xc4"), Ok(AluOp::AddInt));
    assert_eq!(Generation::from_str("v4+"), Ok(Generation::MarianaPlus));
    assert_eq!(Generation::from_str("mariana-plus"), Ok(Generation::MarianaPlus));
    assert!(Generation::from_str("MARIANA+").is_err());
}

#[test]
fn compiler_ordinals_of_operations() {
    assert_eq!(AluOp::from_bir(19, Generation::Sunda), Some(AluOp::IsNe));
    assert_eq!(AluOp::from_bir(24, Generation::Mariana), None);
    assert_eq!(AluOp::from_bir(30, Generation::Cayman), None);
    assert_eq!(AluOp::from_bir(30, Generation::Mariana), Some(AluOp::AbsMax));
    assert_eq!(AluOp::from_bir(32, Generation::Mariana), Some(AluOp::ModInt));
    assert_eq!(AluOp::from_bir(33, Generation::Mariana), None);
}

#[test]
fn compression_swaps_minimum_and_maximum() {
    for op in CompressOp::ALL {
        assert_eq!(CompressOp::from_code(op as u8), Some(op));
        assert_eq!(op.alu_op().code(), op as u8);
    }
    assert_eq!(CompressOp::Min.alu_op(), AluOp::Max);
    assert_eq!(CompressOp::AbsMax.alu_op(), AluOp::AbsMin);
}

#[test]
fn dtypes_have_the_published_tags_presence_and_formats() {
    let rows: Vec<_> = table(include_str!("data/dtypes.csv")).collect();
    assert_eq!(rows.len(), 30);
    for (row, dtype) in rows.iter().zip(Dtype::ALL) {
        assert_eq!((dtype.tag(), dtype.name()), (hex(row[0]), row[1]));
        let generations = [
            Generation::Tonga,
            Generation::Sunda,
            Generation::Cayman,
            Generation::Mariana,
            Generation::Maverick,
        ];
        for (generation, present) in generations.into_iter().zip(&row[2..7]) {
            assert_eq!(dtype.exists_in(generation), *present == "1", "{dtype} in {generation}");
        }
        assert_eq!(dtype.bits(), row[7].parse().unwrap_or(0));
        if let (Ok(exponent), Some(format)) = (row[8].parse::<u32>(), dtype.float_format()) {
            assert_eq!((format.exponent_bits, format.mantissa_bits), (exponent, row[9].parse().unwrap()));
            assert_eq!(format.bits(), dtype.bits());
        }
        assert_eq!(dtype.fits_nibble(), row[10] == "1");
        assert_eq!(Dtype::from_str(dtype.name()), Ok(dtype));
    }
    let count = |generation| Dtype::of(generation).count();
    assert_eq!(Generation::ALL.map(count), [8, 16, 16, 24, 24, 30]);
    for gap in [0x17, 0x18, 0x20, 0xFF] {
        assert!(Dtype::try_from(gap).is_err());
    }
}

#[test]
fn predicates_have_exactly_the_published_members() {
    let mut seen = 0;
    for row in table(include_str!("data/alu-predicates.csv")) {
        let [name, generations, count, members] = row[..] else { panic!("{row:?}") };
        let wanted: BTreeSet<AluOp> = members.split('|').map(|name| name.parse().unwrap()).collect();
        assert_eq!(wanted.len(), count.parse::<usize>().unwrap());
        for generation in Generation::WITH_ALU {
            let new = generation >= Generation::Mariana;
            match generations {
                "SUNDA/CAYMAN" if new => continue,
                "MARIANA+" if !new => continue,
                _ => {}
            }
            let got = AluOp::ALL.into_iter().filter(|&op| member(name, op, generation)).collect();
            assert_eq!(wanted, got, "{name} {generation}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

fn member(predicate: &str, op: AluOp, generation: Generation) -> bool {
    match predicate {
        "is_bitvec_op" => is_bitvec_op(op),
        "is_general_bitvec_op" => is_general_bitvec_op(op),
        "is_arith_op" => is_arith_op(op, generation),
        "is_general_arith_op" => is_general_arith_op(op, generation),
        "is_valid_int_aluop" => is_valid_int_aluop(op),
        "is_signed_alu_op" => is_signed_alu_op(op),
        "is_unsigned_alu_op" => is_unsigned_alu_op(op),
        "shared_sign_ops" => is_shared_sign_op(op),
        "is_valid_int_aluop_dve" => is_valid_int_aluop_dve(op),
        "is_shift_op" => is_shift_op(op),
        other => panic!("unknown predicate {other}"),
    }
}

#[test]
fn predicate_counts() {
    let count = |test: &dyn Fn(AluOp) -> bool| AluOp::ALL.into_iter().filter(|&op| test(op)).count();
    assert_eq!(count(&is_bitvec_op), 10);
    assert_eq!(count(&is_general_bitvec_op), 9);
    let arith = |generation| count(&|op| is_arith_op(op, generation));
    assert_eq!(Generation::WITH_ALU.map(arith), [26, 26, 30, 30, 30]);
    let general = |generation| count(&|op| is_general_arith_op(op, generation));
    assert_eq!(Generation::WITH_ALU.map(general), [17, 17, 21, 21, 21]);
    assert_eq!(count(&is_valid_int_aluop), 26);
    assert_eq!(count(&is_valid_int_aluop_dve), 15);
    assert_eq!((count(&is_signed_alu_op), count(&is_unsigned_alu_op)), (17, 17));
    assert_eq!(count(&|op| is_signed_alu_op(op) || is_unsigned_alu_op(op)), count(&is_valid_int_aluop));
}

#[test]
fn dtype_gates() {
    let valid = |generation, fp32r| {
        Dtype::ALL.into_iter().filter(|&dtype| is_valid_dtype(dtype, fp32r, generation)).count()
    };
    // 12 input and 13 output dtypes of the cast; MARIANA adds FP4 (no clause there), MAVERICK FP8_EXP2.
    assert_eq!((valid(Generation::Cayman, false), valid(Generation::Cayman, true)), (12, 13));
    assert!(is_valid_dtype(Dtype::Fp4Exp2, false, Generation::Mariana));
    assert!(!is_valid_dtype(Dtype::Fp4Exp2, false, Generation::Maverick));
    assert!(is_valid_dtype(Dtype::Fp8Exp2, false, Generation::Maverick));
    assert!(!is_valid_dtype(Dtype::Sfp8E8, false, Generation::Maverick));
    assert!(!is_valid_dtype(Dtype::Cptc3, true, Generation::Maverick));
    let wide = |u64, i64| {
        [Dtype::Uint64, Dtype::Int64]
            .map(|dtype| is_valid_dtype_64(dtype, false, u64, i64, Generation::Cayman))
    };
    assert_eq!(
        [wide(false, false), wide(true, false), wide(false, true)],
        [[false; 2], [true, false], [false, true]]
    );
    let members = |test: fn(Dtype) -> bool| Dtype::ALL.into_iter().filter(|&dtype| test(dtype)).count();
    assert_eq!((members(is_valid_int_dtype), members(is_valid_int_dtype_datapath)), (8, 6));
    assert_eq!((members(is_signed_int), members(is_unsigned_int)), (4, 4));
    assert_eq!((members(is_valid_mx_dtype), members(is_scale_dtype)), (6, 4));
    assert_eq!((members(is_valid_32b_int_dtype), members(is_valid_64b_int_dtype)), (2, 2));
    assert_eq!((members(|d| is_valid_fp_dtype_datapath(d, false)), members(is_move_dtype)), (6, 3));
    assert_eq!(members(|d| is_valid_dtype_for_sdma(d, true, Generation::Maverick)), 13);
}

#[test]
fn shifts_compose_only_on_four_bytes() {
    use AluOp::*;
    for (op0, op1, anywhere) in [
        (LogicalShiftLeft, LogicalShiftRight, false),
        (ArithShiftLeft, ArithShiftRight, false),
        (LogicalShiftLeft, BitwiseAnd, true),
        (LogicalShiftRight, LogicalShiftLeft, true),
        (ArithShiftRight, Bypass, false),
        (Bypass, ArithShiftRight, false),
    ] {
        assert_eq!(alu_shift_check(op0, op1, Dtype::Uint8), anywhere, "{op0} {op1}");
        assert!(alu_shift_check(op0, op1, Dtype::Int32));
    }
}

#[test]
fn compiler_dtypes_match_the_table() {
    let rows: Vec<_> = table(include_str!("data/bir-dtypes.csv")).collect();
    assert_eq!(rows.len(), 20);
    for (row, dtype) in rows.iter().zip(BirDtype::ALL) {
        assert_eq!((dtype.ordinal().to_string().as_str(), dtype.name()), (row[0], row[1]));
        assert_eq!(BirDtype::from_str(dtype.name()), Ok(dtype));
        assert_eq!(BirDtype::from_ordinal(dtype.ordinal()), Some(dtype));
        assert_eq!(dtype.wire_tag(Generation::Mariana).tag().to_string(), row[2]);
        assert_eq!(dtype.container_bytes().to_string(), row[3]);
        let expansion = if row[5] == "-" { 1 } else { row[5].parse().unwrap() };
        assert_eq!(dtype.elements(7), Some(7 * expansion));
        for generation in [Generation::Sunda, Generation::Cayman, Generation::Mariana] {
            let never = dtype == BirDtype::Float4E2m1fnX4 && generation < Generation::Mariana;
            let wanted =
                (!never).then(|| row[4].trim_start_matches("core_v3:never;core_v4:").parse().unwrap());
            assert_eq!(dtype.alignment(generation), wanted, "{dtype} {generation}");
            assert_eq!(dtype.is_aligned(24, generation), !never);
            assert_eq!(dtype.is_aligned(25, generation), wanted == Some(1));
        }
        assert_eq!(dtype.last_address(0x100, 3), Some(0x100 + 2 * dtype.container_bytes()));
    }
    assert_eq!(BirDtype::Uint8.last_address(0, 0), None);
    assert_eq!(BirDtype::from_ordinal(20), None);
    assert_eq!(BirDtype::Float4E2m1fnX4.wire_tag(Generation::Cayman), Dtype::Uint16);
    for (text, dtype) in [("float8_e5m2", BirDtype::Float8e5), ("float8_e3m4", BirDtype::Float8e3)] {
        assert_eq!(BirDtype::from_str(text), Ok(dtype));
    }
    for text in ["", "float64", "UINT8", "float8", "bool"] {
        assert!(BirDtype::from_str(text).is_err(), "{text}");
    }
    assert_eq!(BirDtype::Float8E5m2X4.x1(), Some(BirDtype::Float8e5));
    assert_eq!(BirDtype::Float4E2m1fnX4.x1(), None);
    assert!(BirDtype::Float4E2m1fnX4.is_x4() && !BirDtype::Float8e4.is_x4());
}

#[test]
fn generations_are_read_by_name_and_version() {
    for (text, generation) in [
        ("sunda", Generation::Sunda),
        ("v3", Generation::Cayman),
        ("MARIANA_PLUS", Generation::MarianaPlus),
        ("mariana", Generation::Mariana),
        ("V5", Generation::Maverick),
    ] {
        assert_eq!(Generation::from_str(text), Ok(generation));
    }
    assert!(Generation::from_str("v6").is_err());
}
