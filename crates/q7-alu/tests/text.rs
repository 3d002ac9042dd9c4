//! Elements as text: what is read, what is refused, and what a decimal loses.

mod common;

use common::{Random, floats};
use q7_alu::text::{Reading, ValueError, format_bits, format_fields, format_value, parse_value};
use q7_alu::{Conversion, Dtype, Flags, Fp8Config, Rounding};

fn read(text: &str, dtype: Dtype) -> Result<Reading, ValueError> {
    parse_value(text, dtype, &Conversion::default())
}

fn bits(text: &str, dtype: Dtype) -> u64 {
    read(text, dtype).unwrap().bits
}

fn rounded(text: &str, dtype: Dtype, rounding: Rounding) -> (u64, Flags) {
    let read = parse_value(text, dtype, &Conversion { rounding, ..Conversion::default() }).unwrap();
    (read.bits, read.flags)
}

#[test]
fn elements_are_written() {
    assert_eq!(format_value(Dtype::Int8, 0xFD), "-3");
    assert_eq!(format_value(Dtype::Fp8Exp4, 0x7E), "448");
    assert_eq!(format_value(Dtype::Fp8Exp5, 1), "0.0000152587890625");
    assert_eq!(format_value(Dtype::Fp32, 0x7F7F_FFFF), "3.4028235e38");
    assert_eq!(format_value(Dtype::Sfp8E8, 0), "5.877472e-39");
    assert_eq!(format_bits(Dtype::Fp4Exp2, 7), "0x7");
    assert_eq!(format_bits(Dtype::Fp16, 0x3E), "0x003e");
    assert_eq!(format_fields(Dtype::Fp8Exp4, 0x7E), "0 1111 110");
    assert_eq!(format_fields(Dtype::Fp32r, 0x3F80_1000), "0 01111111 00000000001 000000000000");
    assert_eq!(format_fields(Dtype::Sfp8E8, 0x7F), "01111111");
    assert_eq!(format_fields(Dtype::Int8, 5), "00000101");
}

#[test]
fn elements_are_read_in_every_form() {
    for (text, dtype, wanted) in [
        ("-3", Dtype::Int8, 0xFD),
        ("+3", Dtype::Int8, 3),
        ("0xfd", Dtype::Int8, 0xFD),
        ("0XFD", Dtype::Int8, 0xFD),
        ("-0x80", Dtype::Int8, 0x80),
        ("-0b11", Dtype::Int16, 0xFFFD),
        ("-0X0", Dtype::Uint8, 0),
        ("0B1010_0101", Dtype::Uint8, 0xA5),
        ("0b101", Dtype::Fp4Exp2, 5),
        ("1_000_000", Dtype::Int32, 1_000_000),
        ("0xffff_ffff_ffff_ffff", Dtype::Int64, u64::MAX),
        ("-9_223_372_036_854_775_808", Dtype::Int64, 1 << 63),
        ("18446744073709551615", Dtype::Uint64, u64::MAX),
        ("0x00000000000000000000000000000001", Dtype::Int8, 1),
        ("1.5", Dtype::Fp16, 0x3E00),
        ("1_0.2_5", Dtype::Fp32, 0x4124_0000),
        ("-inf", Dtype::Bfloat16, 0xFF80),
        ("nan", Dtype::Fp8Exp4, 0x7F),
        ("-nan", Dtype::Fp32, 0xFFC0_0000),
        ("-0", Dtype::Fp16, 0x8000),
        ("0x3c_00", Dtype::Fp16, 0x3C00),
    ] {
        assert_eq!(read(text, dtype), Ok(Reading { bits: wanted, flags: Flags::NONE }), "{text} {dtype}");
    }
}

#[test]
fn what_is_no_element_is_named_with_the_forms_and_limits() {
    let message = |text: &str, dtype| read(text, dtype).unwrap_err().to_string();
    assert_eq!(
        message("1.5", Dtype::Int8),
        "`1.5` is no value of INT8: an integer (-3, 1_000, -0x10) or its bits (0x2a, 0b10_1010) is wanted"
    );
    assert_eq!(
        message("x", Dtype::Fp16),
        "`x` is no value of FP16: a number (-3, 1.5, 2e-3, inf, nan) or its bits (0x2a, 0b10_1010) is wanted"
    );
    assert_eq!(message("128", Dtype::Int8), "`128` does not fit INT8 (8 bits, -128 to 127)");
    assert_eq!(message("0x100", Dtype::Fp8Exp4), "`0x100` does not fit FP8_EXP4 (8 bits)");
    assert_eq!(message("1", Dtype::Cptc2), "CPTC2 holds no numbers");
    let long = "9".repeat(100);
    for (text, dtype) in [
        ("-1", Dtype::Uint8),
        ("-0x1", Dtype::Uint64),
        ("-0x81", Dtype::Int8),
        ("0x10000000000000000", Dtype::Uint64),
        (&long, Dtype::Int32),
    ] {
        assert!(matches!(read(text, dtype), Err(ValueError::Range(..))), "{text} {dtype}");
    }
    assert!(matches!(read("-0x3c00", Dtype::Fp16), Err(ValueError::SignedBits(..))));
    for text in [
        "", "-", "+", "--1", "+-1", "_1", "1_", "1__0", "0x", "0x_1", "0x1_", "0x+1", "0b2", "+0x1",
        "\u{fc}1",
    ] {
        for dtype in [Dtype::Int8, Dtype::Fp32, Dtype::Fp8Exp4] {
            assert!(matches!(read(text, dtype), Err(ValueError::Syntax(..))), "{text} {dtype}");
        }
    }
    for text in ["1_.5", "1._5", "1e_5", "_inf", "i_nf", "1.5.2", "1e", "infin"] {
        assert!(matches!(read(text, Dtype::Fp32), Err(ValueError::Syntax(..))), "{text}");
    }
}

#[test]
fn decimals_tell_what_they_lose() {
    let all = |text, dtype| rounded(text, dtype, Rounding::NearestEven);
    let (inexact, overflow, underflow) = (Flags::INEXACT, Flags::OVERFLOW, Flags::UNDERFLOW);
    assert_eq!(all("0.1", Dtype::Fp32), (0x3DCC_CCCD, inexact));
    assert_eq!(all("1e9", Dtype::Fp8Exp4), (0x7E, overflow | inexact));
    assert_eq!(all("1e39", Dtype::Fp32), (0x7F80_0000, overflow | inexact));
    assert_eq!(all("1e400", Dtype::Fp16), (0x7C00, overflow | inexact));
    assert_eq!(all("-1e-400", Dtype::Fp32), (0x8000_0000, underflow | inexact));
    assert_eq!(all("1e99999999999999999999", Dtype::Bfloat16), (0x7F80, overflow | inexact));
    assert_eq!(all("1e-99999999999999999999", Dtype::Bfloat16), (0, underflow | inexact));
    assert_eq!(all("0e99999999999999999999", Dtype::Fp32), (0, Flags::NONE));
    assert_eq!(all("0.0000_0000", Dtype::Fp32), (0, Flags::NONE));
    // No zero, no NaN and no infinity in these formats.
    assert_eq!(all("0", Dtype::Sfp8E8), (0, inexact));
    assert_eq!(all("nan", Dtype::Fp4Exp2), (0, Flags::INVALID));
    assert_eq!(all("inf", Dtype::Fp4Exp2), (7, inexact));
    let conversion =
        Conversion { fp8: Fp8Config { saturate: false, ..Fp8Config::default() }, ..Conversion::default() };
    let free = parse_value("1000", Dtype::Fp8Exp4, &conversion).unwrap();
    assert_eq!((free.bits, free.flags), (0x7F, overflow | inexact));
}

/// 2^128 - 2^103 lies halfway between the largest number and 2^128; 1 + 2^-11 halfway between two FP16 numbers. A
/// digit far behind decides.
#[test]
fn decimals_round_once() {
    let halfway = "340282356779733661637539395458142568448";
    let below = "340282356779733661637539395458142568447.999999999999999999999999999999999999999";
    let lost = Flags::INEXACT;
    assert_eq!(rounded(halfway, Dtype::Fp32, Rounding::NearestEven), (0x7F80_0000, lost | Flags::OVERFLOW));
    assert_eq!(rounded(below, Dtype::Fp32, Rounding::NearestEven), (0x7F7F_FFFF, lost));
    let tie = "1.00048828125";
    let above = format!("{tie}{}1", "0".repeat(900));
    assert_eq!(bits(tie, Dtype::Fp16), 0x3C00);
    assert_eq!(bits(&above, Dtype::Fp16), 0x3C01);
    assert_eq!(bits("65519.9999999999", Dtype::Fp16), 0x7BFF);
    assert_eq!(rounded(tie, Dtype::Fp16, Rounding::Up), (0x3C01, lost));
    assert_eq!(rounded("0.1", Dtype::Fp32, Rounding::TowardZero), (0x3DCC_CCCC, lost));
    assert_eq!(rounded("1e-50", Dtype::Fp32, Rounding::Up), (1, lost | Flags::UNDERFLOW));
    let overflow = lost | Flags::OVERFLOW;
    assert_eq!(rounded("-1e39", Dtype::Fp32, Rounding::Up), (0xFF7F_FFFF, overflow));
    assert_eq!(rounded("1e39", Dtype::Bfloat16, Rounding::TowardZero), (0x7F7F, overflow));
}

/// Random decimals of every size against the soft float.
#[test]
fn decimals_agree_with_the_soft_float() {
    use rustc_apfloat::ieee::{BFloat, Half, Single};
    use rustc_apfloat::{Float, Status};
    fn model<F: Float>(text: &str, mode: Rounding) -> (u64, bool) {
        let read = F::from_str_r(text, floats::round(mode)).unwrap();
        (read.value.to_bits() as u64, read.status.contains(Status::INEXACT))
    }
    let mut source = Random(23);
    for _ in 0..20_000 {
        let digits = source.next() >> (source.next() % 64);
        let exponent = (source.next() % 100) as i64 - 60;
        let sign = if source.next().is_multiple_of(2) { "-" } else { "" };
        let text = format!("{sign}{}.{:03}e{exponent}", digits, source.next() % 1000);
        for mode in Rounding::ALL {
            let models: [(Dtype, (u64, bool)); 3] = [
                (Dtype::Fp32, model::<Single>(&text, mode)),
                (Dtype::Fp16, model::<Half>(&text, mode)),
                (Dtype::Bfloat16, model::<BFloat>(&text, mode)),
            ];
            for (dtype, wanted) in models {
                let (bits, flags) = rounded(&text, dtype, mode);
                assert_eq!((bits, flags.contains(Flags::INEXACT)), wanted, "{text} {dtype} {mode:?}");
            }
        }
    }
}

/// Every number of a format reads back from its shortest decimal; infinity where it does not saturate.
#[test]
fn written_elements_read_back() {
    let fp8 = Fp8Config { saturate: false, ..Fp8Config::default() };
    let conversion = Conversion { fp8, ..Conversion::default() };
    for dtype in Dtype::ALL.into_iter().filter(|dtype| dtype.is_number() && dtype.bits() <= 16) {
        for code in 0..=dtype.mask() {
            let text = format_value(dtype, code);
            if text == "NaN" {
                continue;
            }
            let read = parse_value(&text, dtype, &conversion).unwrap();
            assert_eq!(read.bits, code, "{text} {dtype}");
        }
    }
}
