//! Evaluation of slices: loops without a decision per element.
//!
//! Equal whole-byte integers run in their own lanes, fp32 in place; everything else goes block by block through 64-bit
//! or fp32 lanes.

use super::integer::{IntOp, Kernel};
use super::{Dtypes, EvalError, IntDivision, IntegerPath, Path, Plan, State};
use crate::dtype::Dtype;
use crate::number::fp32::{FpOp, value, value_or_any_nan};
use crate::number::{Conversion, FloatFormat, FromFp32, Rounding, encode, source_value};
use crate::op::Sources;

/// Elements per block of a conversion: two operands and a result stay in the first-level cache.
const BLOCK: usize = 256;

/// An operand: elements in containers of their size (a 4-bit element alone in a byte), or one value for all.
#[derive(Clone, Copy, Debug)]
pub enum Lanes<'a> {
    /// 1-byte containers.
    U8(&'a [u8]),
    /// 2-byte containers.
    U16(&'a [u16]),
    /// 4-byte containers.
    U32(&'a [u32]),
    /// 8-byte containers.
    U64(&'a [u64]),
    /// The same element everywhere, as its low bits.
    Splat(u64),
}

/// A result: elements in containers of their size.
#[derive(Debug)]
pub enum LanesMut<'a> {
    /// 1-byte containers.
    U8(&'a mut [u8]),
    /// 2-byte containers.
    U16(&'a mut [u16]),
    /// 4-byte containers.
    U32(&'a mut [u32]),
    /// 8-byte containers.
    U64(&'a mut [u64]),
}

impl Lanes<'_> {
    /// Bytes per container and number of elements; `None` for a splat, which fits everything.
    fn shape(&self) -> Option<(usize, usize)> {
        match self {
            Lanes::U8(lanes) => Some((1, lanes.len())),
            Lanes::U16(lanes) => Some((2, lanes.len())),
            Lanes::U32(lanes) => Some((4, lanes.len())),
            Lanes::U64(lanes) => Some((8, lanes.len())),
            Lanes::Splat(_) => None,
        }
    }

    /// The first element that is zero, among as many as `out` has.
    fn position_of_zero(&self, dtype: Dtype, out: &LanesMut) -> Option<usize> {
        let is_zero = |bits: u64| bits & dtype.mask() == 0;
        match self {
            Lanes::U8(lanes) => lanes.iter().position(|&bits| is_zero(bits.into())),
            Lanes::U16(lanes) => lanes.iter().position(|&bits| is_zero(bits.into())),
            Lanes::U32(lanes) => lanes.iter().position(|&bits| is_zero(bits.into())),
            Lanes::U64(lanes) => lanes.iter().position(|&bits| is_zero(bits)),
            Lanes::Splat(bits) => (is_zero(*bits) && out.shape().1 > 0).then_some(0),
        }
    }

    fn block(&self, start: usize, length: usize) -> Self {
        match *self {
            Lanes::U8(lanes) => Lanes::U8(&lanes[start..][..length]),
            Lanes::U16(lanes) => Lanes::U16(&lanes[start..][..length]),
            Lanes::U32(lanes) => Lanes::U32(&lanes[start..][..length]),
            Lanes::U64(lanes) => Lanes::U64(&lanes[start..][..length]),
            splat => splat,
        }
    }
}

impl LanesMut<'_> {
    fn shape(&self) -> (usize, usize) {
        match self {
            LanesMut::U8(lanes) => (1, lanes.len()),
            LanesMut::U16(lanes) => (2, lanes.len()),
            LanesMut::U32(lanes) => (4, lanes.len()),
            LanesMut::U64(lanes) => (8, lanes.len()),
        }
    }

    fn block(&mut self, start: usize, length: usize) -> LanesMut<'_> {
        match self {
            LanesMut::U8(lanes) => LanesMut::U8(&mut lanes[start..][..length]),
            LanesMut::U16(lanes) => LanesMut::U16(&mut lanes[start..][..length]),
            LanesMut::U32(lanes) => LanesMut::U32(&mut lanes[start..][..length]),
            LanesMut::U64(lanes) => LanesMut::U64(&mut lanes[start..][..length]),
        }
    }
}

impl Plan {
    /// Evaluates whole slices: `out[i] = OP(a[i], b[i])`. An operation with one operand ignores `b`.
    ///
    /// Containers must match the dtypes ([`Dtype::bytes`]) and lengths the result; results are those of
    /// [`Plan::element`]. Floating-point flags are not collected. A division by zero that halts leaves `out` untouched.
    pub fn run(&self, a: Lanes, b: Lanes, mut out: LanesMut, state: &mut State) -> Result<(), EvalError> {
        let b = if self.op.sources() == Sources::One { Lanes::Splat(0) } else { b };
        self.fit(a, b, &out)?;
        match self.path {
            Path::Integer(path) => {
                let zero = if path.op.divides() { b.position_of_zero(self.dtypes.src1, &out) } else { None };
                if let Some(index) = zero {
                    if self.mode.int_division == IntDivision::Halt {
                        return Err(EvalError::DivideByZero { index });
                    }
                    state.divided_by_zero = true;
                }
                path.run(a, b, &mut out, self.dtypes);
            }
            Path::Fp32(op) => self.run_fp32(op, a, b, &mut out),
        }
        Ok(())
    }

    fn fit(&self, a: Lanes, b: Lanes, out: &LanesMut) -> Result<(), EvalError> {
        let Dtypes { src0, src1, out: result } = self.dtypes;
        let (bytes, length) = out.shape();
        let fits = |lanes: Lanes, dtype: Dtype| {
            lanes.shape().is_none_or(|(bytes, count)| bytes == dtype.bytes() && count == length)
        };
        let complaint = [
            (bytes == result.bytes(), "result container"),
            (fits(a, src0), "first operand"),
            (fits(b, src1), "second operand"),
        ];
        match complaint.into_iter().find(|(fits, _)| !fits) {
            Some((_, what)) => Err(EvalError::Lanes { what }),
            None => Ok(()),
        }
    }

    fn run_fp32(&self, op: FpOp, a: Lanes, b: Lanes, out: &mut LanesMut) {
        let conversion = &self.mode.conversion;
        let kernel = fp_kernel(op, conversion.rounding);
        if self.dtypes == Dtypes::all(Dtype::Fp32) {
            return run_in_place(a, b, out, |a, b, out| kernel(a, b, out, conversion.rounding));
        }
        let mut first = Feed::new(a, |bits, block: &mut [u32]| {
            decode_block(self.dtypes.src0, bits, conversion.rounding, block)
        });
        let mut second = Feed::new(b, |bits, block: &mut [u32]| {
            decode_block(self.dtypes.src1, bits, conversion.rounding, block)
        });
        let mut results = [0; BLOCK];
        for (start, length) in blocks(out.shape().1) {
            let results = &mut results[..length];
            kernel(first.block(start, length), second.block(start, length), results, conversion.rounding);
            encode_block(self.dtypes.out, results, conversion, out.block(start, length));
        }
    }
}

impl IntegerPath {
    fn run(&self, a: Lanes, b: Lanes, out: &mut LanesMut, dtypes: Dtypes) {
        if !self.is_native(dtypes) {
            return self.run_wide(a, b, out, dtypes);
        }
        match (self.signed, dtypes.out.bits()) {
            (true, 8) => run_in_place(a, b, out, self.op.kernel::<i8>()),
            (false, 8) => run_in_place(a, b, out, self.op.kernel::<u8>()),
            (true, 16) => run_in_place(a, b, out, self.op.kernel::<i16>()),
            (false, 16) => run_in_place(a, b, out, self.op.kernel::<u16>()),
            (true, 32) => run_in_place(a, b, out, self.op.kernel::<i32>()),
            (false, 32) => run_in_place(a, b, out, self.op.kernel::<u32>()),
            (true, _) => run_in_place(a, b, out, self.op.kernel::<i64>()),
            (false, _) => run_in_place(a, b, out, self.op.kernel::<u64>()),
        }
    }

    /// One whole-byte width throughout, and operands that agree in sign or are only bits: then an operation means the
    /// same in lanes of that width as in 64-bit ones.
    fn is_native(&self, Dtypes { src0, src1, out }: Dtypes) -> bool {
        let one_width = src0.bits() == src1.bits() && src0.bits() == out.bits() && out.bits() >= 8;
        one_width && (self.raw || self.is_signed(src0) == self.is_signed(src1))
    }

    fn run_wide(&self, a: Lanes, b: Lanes, out: &mut LanesMut, dtypes: Dtypes) {
        let kernel = self.wide_kernel(dtypes.src1);
        let mut first = Feed::new(a, |bits, block: &mut [u64]| {
            widen_block(bits, block, |bits| self.load_first(dtypes.src0, bits))
        });
        let mut second = Feed::new(b, |bits, block: &mut [u64]| {
            widen_block(bits, block, |bits| self.load_second(dtypes.src1, bits))
        });
        let mut results = [0; BLOCK];
        for (start, length) in blocks(out.shape().1) {
            let results = &mut results[..length];
            kernel(first.block(start, length), second.block(start, length), results);
            narrow_block(results, out.block(start, length), |lane| self.store(dtypes, lane));
        }
    }

    /// The loop over 64-bit lanes; a CRC over the bytes of a narrow operand has its own.
    fn wide_kernel(&self, src1: Dtype) -> Kernel<u64> {
        match (self.op, src1.bytes()) {
            (IntOp::Crc, 1) => crc_kernel::<1>,
            (IntOp::Crc, 2) => crc_kernel::<2>,
            (IntOp::Crc, 4) => crc_kernel::<4>,
            (op, _) if self.signed => op.kernel::<i64>(),
            (op, _) => op.kernel::<u64>(),
        }
    }
}

fn crc_kernel<const BYTES: usize>(a: &[u64], b: &[u64], out: &mut [u64]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = super::crc32(a, &b.to_le_bytes()[..BYTES]);
    }
}

/// Starts and lengths of the blocks of a slice.
fn blocks(length: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..length).step_by(BLOCK).map(move |start| (start, BLOCK.min(length - start)))
}

/// An operand block by block; a splat is converted once.
struct Feed<'a, T, F> {
    lanes: Lanes<'a>,
    block: [T; BLOCK],
    convert: F,
}

impl<'a, T: Copy + Default, F: Fn(Lanes, &mut [T])> Feed<'a, T, F> {
    fn new(lanes: Lanes<'a>, convert: F) -> Self {
        let mut block = [T::default(); BLOCK];
        if lanes.shape().is_none() {
            convert(lanes, &mut block);
        }
        Feed { lanes, block, convert }
    }

    fn block(&mut self, start: usize, length: usize) -> &[T] {
        let block = &mut self.block[..length];
        if self.lanes.shape().is_some() {
            (self.convert)(self.lanes.block(start, length), block);
        }
        block
    }
}

/// A container type and its slices.
trait Container: Copy + Default {
    fn from_bits(bits: u64) -> Self;
    fn of<'a>(lanes: &Lanes<'a>) -> Option<&'a [Self]>;
    fn of_mut<'a>(lanes: &'a mut LanesMut) -> Option<&'a mut [Self]>;
}

macro_rules! containers {
    ($($ty:ident $variant:ident)*) => {$(
        impl Container for $ty {
            fn from_bits(bits: u64) -> $ty {
                bits as $ty
            }

            fn of<'a>(lanes: &Lanes<'a>) -> Option<&'a [$ty]> {
                if let Lanes::$variant(lanes) = lanes { Some(lanes) } else { None }
            }

            fn of_mut<'a>(lanes: &'a mut LanesMut) -> Option<&'a mut [$ty]> {
                if let LanesMut::$variant(lanes) = lanes { Some(lanes) } else { None }
            }
        }
    )*};
}
containers!(u8 U8 u16 U16 u32 U32 u64 U64);

/// Runs a loop on slices as they are; only a splat is spread over a block.
fn run_in_place<T: Container>(a: Lanes, b: Lanes, out: &mut LanesMut, kernel: impl Fn(&[T], &[T], &mut [T])) {
    let Some(out) = T::of_mut(out) else { return };
    let spread = |lanes: &Lanes| match *lanes {
        Lanes::Splat(bits) => [T::from_bits(bits); BLOCK],
        _ => unreachable!("only a splat has no slice of the plan's container"),
    };
    match (T::of(&a), T::of(&b)) {
        (Some(a), Some(b)) => kernel(a, b, out),
        (Some(a), None) => {
            let b = spread(&b);
            for (a, out) in a.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
                kernel(a, &b[..a.len()], out);
            }
        }
        (None, Some(b)) => {
            let a = spread(&a);
            for (b, out) in b.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
                kernel(&a[..b.len()], b, out);
            }
        }
        (None, None) => {
            let (a, b) = (spread(&a), spread(&b));
            for out in out.chunks_mut(BLOCK) {
                kernel(&a[..out.len()], &b[..out.len()], out);
            }
        }
    }
}

/// Every container of `lanes` through `load`.
#[inline(always)]
fn widen_block<T: Copy>(lanes: Lanes, block: &mut [T], load: impl Fn(u64) -> T) {
    match lanes {
        Lanes::U8(lanes) => block.iter_mut().zip(lanes).for_each(|(to, &bits)| *to = load(bits.into())),
        Lanes::U16(lanes) => block.iter_mut().zip(lanes).for_each(|(to, &bits)| *to = load(bits.into())),
        Lanes::U32(lanes) => block.iter_mut().zip(lanes).for_each(|(to, &bits)| *to = load(bits.into())),
        Lanes::U64(lanes) => block.iter_mut().zip(lanes).for_each(|(to, &bits)| *to = load(bits)),
        Lanes::Splat(bits) => block.fill(load(bits)),
    }
}

/// Every lane through `store` into its container.
#[inline(always)]
fn narrow_block<T: Copy>(block: &[T], out: LanesMut, store: impl Fn(T) -> u64) {
    match out {
        LanesMut::U8(out) => out.iter_mut().zip(block).for_each(|(to, &lane)| *to = store(lane) as u8),
        LanesMut::U16(out) => out.iter_mut().zip(block).for_each(|(to, &lane)| *to = store(lane) as u16),
        LanesMut::U32(out) => out.iter_mut().zip(block).for_each(|(to, &lane)| *to = store(lane) as u32),
        LanesMut::U64(out) => out.iter_mut().zip(block).for_each(|(to, &lane)| *to = store(lane)),
    }
}

/// fp32 bits of every code of an 8-bit format.
const fn table(format: &FloatFormat) -> [u32; 256] {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = format.decode(code as u32);
        code += 1;
    }
    table
}

static E3M4: [u32; 256] = table(&FloatFormat::E3M4);
static E4M3FN: [u32; 256] = table(&FloatFormat::E4M3FN);
static E5M2: [u32; 256] = table(&FloatFormat::E5M2);

/// Elements as fp32 bits.
fn decode_block(dtype: Dtype, lanes: Lanes, rounding: Rounding, block: &mut [u32]) {
    let nearest = rounding == Rounding::NearestEven;
    match dtype {
        Dtype::Fp32 | Dtype::Fp32r => widen_block(lanes, block, |bits| bits as u32),
        Dtype::Bfloat16 => widen_block(lanes, block, |bits| FloatFormat::BF16.decode(bits as u32)),
        Dtype::Fp16 => widen_block(lanes, block, |bits| FloatFormat::FP16.decode(bits as u32)),
        Dtype::Fp8Exp3 => widen_block(lanes, block, |bits| E3M4[bits as usize & 0xFF]),
        Dtype::Fp8Exp4 => widen_block(lanes, block, |bits| E4M3FN[bits as usize & 0xFF]),
        Dtype::Fp8Exp5 => widen_block(lanes, block, |bits| E5M2[bits as usize & 0xFF]),
        Dtype::Int8 => widen_block(lanes, block, |bits| f32::from(bits as i8).to_bits()),
        Dtype::Uint8 => widen_block(lanes, block, |bits| f32::from(bits as u8).to_bits()),
        Dtype::Int16 => widen_block(lanes, block, |bits| f32::from(bits as i16).to_bits()),
        Dtype::Uint16 => widen_block(lanes, block, |bits| f32::from(bits as u16).to_bits()),
        Dtype::Int32 if nearest => widen_block(lanes, block, |bits| (bits as i32 as f32).to_bits()),
        Dtype::Uint32 if nearest => widen_block(lanes, block, |bits| (bits as u32 as f32).to_bits()),
        _ => widen_block(lanes, block, |bits| {
            source_value(dtype, bits, rounding).unwrap_or_default().to_bits()
        }),
    }
}

/// fp32 bits as elements.
fn encode_block(dtype: Dtype, block: &[u32], conversion: &Conversion, out: LanesMut) {
    let Conversion { rounding, fp8, to_int } = *conversion;
    let float = f32::from_bits;
    macro_rules! format {
        ($format:ident) => {
            if rounding == Rounding::NearestEven {
                // The constant direction lets the loop vectorise.
                narrow_block(block, out, |bits| {
                    FloatFormat::$format.encode(bits, Rounding::NearestEven, fp8).into()
                })
            } else {
                narrow_block(block, out, |bits| FloatFormat::$format.encode(bits, rounding, fp8).into())
            }
        };
    }
    match dtype {
        Dtype::Fp32 => narrow_block(block, out, u64::from),
        Dtype::Fp32r => format!(FP32R),
        Dtype::Bfloat16 => format!(BF16),
        Dtype::Fp16 => format!(FP16),
        Dtype::Fp8Exp3 => format!(E3M4),
        Dtype::Fp8Exp4 => format!(E4M3FN),
        Dtype::Fp8Exp5 => format!(E5M2),
        Dtype::Int8 => narrow_block(block, out, |bits| i8::from_fp32(float(bits), to_int) as u64),
        Dtype::Uint8 => narrow_block(block, out, |bits| u8::from_fp32(float(bits), to_int).into()),
        Dtype::Int16 => narrow_block(block, out, |bits| i16::from_fp32(float(bits), to_int) as u64),
        Dtype::Uint16 => narrow_block(block, out, |bits| u16::from_fp32(float(bits), to_int).into()),
        Dtype::Int32 => narrow_block(block, out, |bits| i32::from_fp32(float(bits), to_int) as u64),
        Dtype::Uint32 => narrow_block(block, out, |bits| u32::from_fp32(float(bits), to_int).into()),
        _ => narrow_block(block, out, |bits| encode(dtype, float(bits), conversion).unwrap_or_default()),
    }
}

type FpKernel = fn(&[u32], &[u32], &mut [u32], Rounding);

/// The loop over fp32 lanes; operation and, for the default, direction are constants in each.
fn fp_kernel(op: FpOp, rounding: Rounding) -> FpKernel {
    macro_rules! kernels {
        ($($op:ident)*) => {
            match (op, rounding) {
                $((FpOp::$op, Rounding::NearestEven) => |a, b, out, _| each_to_nearest(FpOp::$op, a, b, out),)*
                $((FpOp::$op, _) => |a, b, out, mode| each_fp(FpOp::$op, mode, a, b, out),)*
            }
        };
    }
    kernels!(
        Pass Add Subtract Mult Divide Max Min LogicalAnd LogicalOr LogicalXor Eq Gt Ge Le Lt Ne AbsDiff Abs Pow Mod
        Rsqrt AbsMax AbsMin ReLu Square SymmetricClamp
    )
}

#[inline(always)]
fn each_fp(op: FpOp, mode: Rounding, a: &[u32], b: &[u32], out: &mut [u32]) {
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        *out = value(op, mode, f32::from_bits(a), f32::from_bits(b)).to_bits();
    }
}

/// To nearest even, block by block: which NaN a result is costs more than the result, so a block finds out only when
/// it has one.
#[inline(always)]
fn each_to_nearest(op: FpOp, a: &[u32], b: &[u32], out: &mut [u32]) {
    for ((out, a), b) in out.chunks_mut(BLOCK).zip(a.chunks(BLOCK)).zip(b.chunks(BLOCK)) {
        let mut nan = false;
        for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
            let result = value_or_any_nan(op, f32::from_bits(a), f32::from_bits(b));
            nan |= result.is_nan();
            *out = result.to_bits();
        }
        if nan {
            each_fp(op, Rounding::NearestEven, a, b, out);
        }
    }
}
