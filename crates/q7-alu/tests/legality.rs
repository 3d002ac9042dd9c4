//! Class contracts, engine rules, and the firmware's words for a rejection.

use OpClass::*;
use q7_alu::legality::{Reason, Site};
use q7_alu::{AluOp, Dtype, Dtypes, Engine, Generation, OpClass, check, check_pair};

const NEW: Generation = Generation::Maverick;

fn reason(
    op: AluOp,
    class: OpClass,
    dtypes: Dtypes,
    generation: Generation,
    engine: Engine,
) -> Option<Reason> {
    check(op, class, dtypes, generation, engine).err().map(|rejection| rejection.reason)
}

fn any(op: AluOp, class: OpClass, dtype: Dtype) -> Option<Reason> {
    reason(op, class, Dtypes::all(dtype), NEW, Engine::Any)
}

/// How many operations each class takes in some dtype, by generation.
#[test]
fn operations_per_class() {
    let count = |class: OpClass, generation| {
        AluOp::ALL.into_iter().filter(|&op| class.accepts(op, generation)).count()
    };
    let counts =
        |class| [Generation::Cayman, Generation::Mariana, NEW].map(|generation| count(class, generation));
    assert_eq!(counts(TensorTensorArith), [17 + 1 + 26, 21 + 1 + 26, 21 + 1 + 26]);
    assert_eq!(counts(TensorTensorBitvec), [9; 3]);
    assert_eq!(counts(TensorScalarArith), [17 + 1, 21 + 1, 21 + 1 + 14]); // the vector set shares BYPASS
    assert_eq!(counts(TensorScalarBitvec), [10; 3]);
    assert_eq!(counts(ScalarTensorTensorArith), [17, 21, 21]);
    assert_eq!(counts(ScalarTensorTensorBitvec), [9; 3]);
    assert_eq!(counts(Scan), [17, 21, 21]);
    assert_eq!(counts(CumulativeArith), [23, 27, 27]);
    assert_eq!(counts(CumulativeBitvec), [10; 3]);
    assert_eq!(counts(CacheReduce), [17, 21, 21]);
    assert_eq!(counts(Pool), [2; 3]);
    assert_eq!(counts(ReduceArith), [56; 3]);
}

#[test]
fn divide_and_rsqrt_stay_out_of_tensor_tensor() {
    assert_eq!(any(AluOp::Divide, TensorTensorArith, Dtype::Fp32), Some(Reason::Op));
    assert_eq!(any(AluOp::Rsqrt, TensorTensorArith, Dtype::Fp32), Some(Reason::Op));
    assert_eq!(any(AluOp::Pow, TensorTensorArith, Dtype::Fp32), None);
    assert_eq!(any(AluOp::Pow, TensorTensorArith, Dtype::Fp8Exp4), Some(Reason::Dtype));
    assert_eq!(any(AluOp::Rsqrt, TensorScalarArith, Dtype::Fp32), None);
    assert_eq!(any(AluOp::SymmetricClamp, TensorTensorArith, Dtype::Fp32), Some(Reason::Op));
    assert_eq!(any(AluOp::SymmetricClamp, ReduceArith, Dtype::Fp32), None);
}

#[test]
fn fp32r_is_a_result_only() {
    let out = Dtypes { out: Dtype::Fp32r, ..Dtypes::all(Dtype::Fp32) };
    let source = Dtypes { src0: Dtype::Fp32r, ..Dtypes::all(Dtype::Fp32) };
    for class in
        [TensorTensorArith, TensorScalarArith, ScalarTensorTensorArith, Scan, ReduceArith, CacheReduce]
    {
        assert_eq!(reason(AluOp::Add, class, out, NEW, Engine::Any), None, "{class:?}");
        assert_eq!(reason(AluOp::Add, class, source, NEW, Engine::Any), Some(Reason::Dtype), "{class:?}");
    }
}

#[test]
fn arithmetic_mixes_dtypes_and_bit_operations_do_not() {
    let mixed = Dtypes { src0: Dtype::Int8, src1: Dtype::Fp16, out: Dtype::Fp32 };
    assert_eq!(reason(AluOp::Add, TensorTensorArith, mixed, NEW, Engine::Any), None);
    let widths = Dtypes { src0: Dtype::Int16, src1: Dtype::Uint16, out: Dtype::Int16 };
    assert_eq!(reason(AluOp::BitwiseAnd, TensorTensorBitvec, widths, NEW, Engine::Any), Some(Reason::Dtype));
    assert_eq!(any(AluOp::BitwiseAnd, TensorTensorBitvec, Dtype::Fp32), Some(Reason::Dtype));
}

#[test]
fn integer_operations_want_operands_of_one_sign() {
    let mixed = Dtypes { src0: Dtype::Int32, src1: Dtype::Uint32, out: Dtype::Int32 };
    assert_eq!(reason(AluOp::AddInt, TensorTensorArith, mixed, NEW, Engine::Any), Some(Reason::Sign));
    assert_eq!(any(AluOp::AddInt, TensorTensorArith, Dtype::Uint32), None);
    assert_eq!(any(AluOp::MaxInt, TensorTensorArith, Dtype::Uint32), Some(Reason::Sign));
    assert_eq!(any(AluOp::MaxUint, TensorTensorArith, Dtype::Uint32), None);
    assert_eq!(any(AluOp::DivideInt, TensorTensorArith, Dtype::Uint16), None);
}

#[test]
fn the_64_bit_arm() {
    for dtype in [Dtype::Int64, Dtype::Uint64] {
        assert_eq!(any(AluOp::AddInt, TensorTensorArith, dtype), None);
        assert_eq!(any(AluOp::Mod, TensorTensorArith, dtype), None);
        assert_eq!(any(AluOp::Add, TensorTensorArith, dtype), Some(Reason::Wide));
        assert_eq!(any(AluOp::AddInt, TensorScalarArith, dtype), Some(Reason::Dtype));
        assert_eq!(any(AluOp::BitwiseXor, TensorTensorBitvec, dtype), None);
        assert_eq!(any(AluOp::Max, Pool, dtype), Some(Reason::Dtype));
    }
    assert_eq!(any(AluOp::AbsValueInt, TensorTensorArith, Dtype::Int64), Some(Reason::Op));
    let partly = Dtypes { src1: Dtype::Int32, ..Dtypes::all(Dtype::Int64) };
    assert_eq!(reason(AluOp::AddInt, TensorTensorArith, partly, NEW, Engine::Any), Some(Reason::Dtype));
    let count = Dtypes { src1: Dtype::Uint32, ..Dtypes::all(Dtype::Int64) };
    assert_eq!(reason(AluOp::LogicalShiftLeft, TensorTensorBitvec, count, NEW, Engine::Any), None);
    assert_eq!(reason(AluOp::BitwiseAnd, TensorTensorBitvec, count, NEW, Engine::Any), Some(Reason::Dtype));
    // SUNDA has neither the arm nor the exception.
    for (op, dtypes) in [(AluOp::AddInt, Dtypes::all(Dtype::Int64)), (AluOp::LogicalShiftLeft, count)] {
        let class = if op == AluOp::AddInt { TensorTensorArith } else { TensorTensorBitvec };
        assert_eq!(reason(op, class, dtypes, Generation::Sunda, Engine::Any), Some(Reason::Dtype));
    }
}

#[test]
fn tensor_scalar_pairs() {
    use AluOp::*;
    let pair = |ops, zero, dtype, generation| {
        let class = if matches!(ops, (LogicalShiftLeft | BitwiseAnd, _)) {
            TensorScalarBitvec
        } else {
            TensorScalarArith
        };
        check_pair(ops, zero, class, Dtypes::all(dtype), generation, Engine::Any).err().map(|why| why.reason)
    };
    assert_eq!(pair((Mult, Add), false, Dtype::Fp32, Generation::Sunda), None);
    assert_eq!(pair((Bypass, Add), false, Dtype::Fp32, NEW), Some(Reason::Op));
    assert_eq!(pair((Bypass, Bypass), false, Dtype::Fp32, NEW), None);
    assert_eq!(pair((Rsqrt, Bypass), true, Dtype::Fp32, NEW), None);
    assert_eq!(pair((Rsqrt, Bypass), false, Dtype::Fp32, NEW), Some(Reason::Op));
    assert_eq!(pair((Rsqrt, Add), true, Dtype::Fp32, NEW), Some(Reason::Op));
    assert_eq!(pair((Add, Rsqrt), true, Dtype::Fp32, NEW), Some(Reason::Op));
    for op in [Divide, Pow, Mod] {
        assert_eq!(pair((op, Bypass), true, Dtype::Fp32, NEW), Some(Reason::Op));
        assert_eq!(pair((Add, op), true, Dtype::Fp32, NEW), Some(Reason::Op));
    }
    assert_eq!(pair((AddInt, MaxInt), false, Dtype::Int32, NEW), None);
    assert_eq!(pair((AddInt, MaxInt), false, Dtype::Int32, Generation::Mariana), Some(Reason::Op));
    // One kind of operation at a time; the bypass is of both.
    assert_eq!(pair((Add, AddInt), false, Dtype::Int32, NEW), Some(Reason::Op));
    assert_eq!(pair((AddInt, Add), false, Dtype::Int32, NEW), Some(Reason::Op));
    assert_eq!(pair((AddInt, Bypass), false, Dtype::Int32, NEW), None);
    assert_eq!(pair((LogicalShiftLeft, LogicalShiftRight), false, Dtype::Uint16, NEW), Some(Reason::Shift));
    assert_eq!(pair((LogicalShiftLeft, LogicalShiftRight), false, Dtype::Uint32, NEW), None);
    assert_eq!(pair((BitwiseAnd, ArithShiftRight), false, Dtype::Int8, NEW), Some(Reason::Shift));
    assert_eq!(pair((Add, AbsMax), false, Dtype::Fp32, Generation::Cayman), Some(Reason::Generation));
    let stt =
        |ops| check_pair(ops, false, ScalarTensorTensorArith, Dtypes::all(Dtype::Fp32), NEW, Engine::Any);
    assert!(stt((Bypass, Add)).is_ok()); // no rule about a leading bypass here
    let cache = |ops| check_pair(ops, false, CacheReduce, Dtypes::all(Dtype::Fp32), NEW, Engine::Any);
    assert!(cache((Bypass, Max)).is_ok() && cache((Add, Bypass)).is_err());
    let dve = |ops| {
        let dtypes = Dtypes::all(Dtype::Uint32);
        check_pair(ops, false, TensorScalarBitvec, dtypes, Generation::Cayman, Engine::Dve)
    };
    assert!(dve((BitwiseAnd, BitwiseOr)).is_ok() && dve((BitwiseAnd, Bypass)).is_ok());
    assert!(dve((BitwiseAnd, Crc32)).is_err_and(|why| (why.op, why.reason) == (Crc32, Reason::Engine)));
    let single = |ops| check_pair(ops, false, TensorTensorArith, Dtypes::all(Dtype::Fp32), NEW, Engine::Any);
    assert!(single((Add, Bypass)).is_ok() && single((Add, Add)).is_err());
}

/// `tpb-more-kernels/extra-validity.csv`, 0x4e: no FP4 in any generation.
#[test]
fn the_running_result_takes_no_fp4() {
    for generation in [Generation::Mariana, NEW] {
        let fp4 = Dtypes { src0: Dtype::Fp4Exp2, ..Dtypes::all(Dtype::Fp32) };
        assert_eq!(reason(AluOp::Add, CumulativeArith, fp4, generation, Engine::Any), Some(Reason::Dtype));
    }
    let fp32r = Dtypes { out: Dtype::Fp32r, ..Dtypes::all(Dtype::Fp32) };
    assert_eq!(reason(AluOp::Add, CumulativeArith, fp32r, NEW, Engine::Any), None);
}

#[test]
fn a_single_arithmetic_right_shift_needs_four_bytes_only_where_operations_chain() {
    assert_eq!(any(AluOp::ArithShiftRight, TensorTensorBitvec, Dtype::Int8), None);
    assert_eq!(any(AluOp::ArithShiftRight, TensorScalarBitvec, Dtype::Int8), Some(Reason::Shift));
    assert_eq!(any(AluOp::ArithShiftRight, TensorScalarBitvec, Dtype::Int32), None);
}

#[test]
fn engines() {
    let on = |op, class, dtype, engine| reason(op, class, Dtypes::all(dtype), NEW, engine);
    use Engine::{Dve, Pool as PoolEngine};
    assert_eq!(on(AluOp::Pow, TensorTensorArith, Dtype::Fp32, Dve), Some(Reason::Engine));
    assert_eq!(on(AluOp::Pow, TensorTensorArith, Dtype::Fp32, PoolEngine), None);
    assert_eq!(on(AluOp::Max, TensorTensorArith, Dtype::Fp32, PoolEngine), Some(Reason::Engine));
    assert_eq!(on(AluOp::Max, TensorTensorArith, Dtype::Fp32, Dve), None);
    assert_eq!(on(AluOp::AddInt, TensorTensorArith, Dtype::Int32, Dve), Some(Reason::Engine));
    assert_eq!(on(AluOp::AddInt, TensorTensorArith, Dtype::Int32, PoolEngine), None);
    assert_eq!(on(AluOp::AddInt, TensorTensorArith, Dtype::Int16, PoolEngine), Some(Reason::Engine));
    assert_eq!(on(AluOp::AddInt, TensorTensorArith, Dtype::Int64, PoolEngine), None);
    assert_eq!(on(AluOp::BitwiseAnd, TensorTensorBitvec, Dtype::Int64, Dve), Some(Reason::Engine));
    assert_eq!(on(AluOp::AmaxInt, ReduceArith, Dtype::Int32, Dve), Some(Reason::Dtype)); // its result is UINT32
    let search = Dtypes { out: Dtype::Uint32, ..Dtypes::all(Dtype::Int32) };
    assert_eq!(reason(AluOp::AmaxInt, ReduceArith, search, NEW, Dve), Some(Reason::Engine));
    assert_eq!(reason(AluOp::AmaxInt, ReduceArith, search, NEW, PoolEngine), None);
    assert_eq!(on(AluOp::Add, ReduceArith, Dtype::Fp32, Dve), None);
    assert_eq!(on(AluOp::Add, Scan, Dtype::Fp32, PoolEngine), Some(Reason::Engine));
}

#[test]
fn rejections_speak_as_the_firmware_does() {
    let refuse = |op, class, dtype, engine| check(op, class, Dtypes::all(dtype), NEW, engine).unwrap_err();
    let op = refuse(AluOp::Divide, TensorTensorArith, Dtype::Fp32, Engine::Any);
    assert_eq!((op.to_string().as_str(), op.site), ("not supported op", Site::OP_REGISTERS));
    assert_eq!(op.site.to_string(), "decode/alu_op.cpp:220");
    let scalar = refuse(AluOp::Divide, TensorScalarArith, Dtype::Fp32, Engine::Any);
    assert_eq!(scalar.site, Site::OP_IMMEDIATE);
    let wide = refuse(AluOp::Divide, TensorTensorArith, Dtype::Int64, Engine::Any);
    assert_eq!(wide.site, Site::OP_64);
    let dtype = refuse(AluOp::Add, TensorTensorArith, Dtype::Fp32r, Engine::Any);
    assert_eq!((dtype.to_string().as_str(), dtype.site), ("not supported dtype", Site::DTYPE));
    let pool = refuse(AluOp::Max, TensorTensorArith, Dtype::Fp32, Engine::Pool);
    assert_eq!(pool.to_string(), "Unimplemented tensor-tensor ALU op(0x8)");
    let pool_wide = refuse(AluOp::AbsValueInt, TensorTensorArith, Dtype::Int64, Engine::Pool);
    assert_eq!(pool_wide.to_string(), "Unimplemented tensor-tensor ALU op");
    let reduce = refuse(AluOp::Add, ReduceArith, Dtype::Fp32, Engine::Pool);
    assert_eq!(reduce.to_string(), "unimplemented tensor-reduce ALU op");
}

#[test]
fn classes_and_engines_are_read_by_name() {
    for class in OpClass::ALL {
        assert_eq!(class.name().parse(), Ok(class));
    }
    assert_eq!("TensorTensorArith".parse(), Ok(TensorTensorArith));
    assert!("tensor".parse::<OpClass>().is_err());
    assert_eq!("DVE".parse(), Ok(Engine::Dve));
    assert!("pe".parse::<Engine>().is_err());
}
