//! Narrow float formats by enumeration: every code's value is written down as a double, and rounding is a search
//! between neighbours.

use q7_alu::Rounding;

pub struct Model {
    /// Non-negative finite numbers with their codes, ascending.
    pub numbers: Vec<(f64, u32)>,
    pub exponent_bits: u32,
    pub mantissa_bits: u32,
    pub signed: bool,
    pub special: Special,
    /// Nearest-even flushes below the smallest number.
    flush: bool,
    /// Too large values give the largest number.
    saturate: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Special {
    Ieee,
    OneNan,
    None,
}

impl Model {
    fn new(exponent_bits: u32, mantissa_bits: u32, bias: i32, special: Special) -> Model {
        let codes = 1u32 << (exponent_bits + mantissa_bits);
        let top = (1 << exponent_bits) - 1;
        let mut numbers = Vec::new();
        for code in 0..codes {
            let exponent = (code >> mantissa_bits) as i32;
            let mantissa = f64::from(code % (1 << mantissa_bits)) / f64::from(1u32 << mantissa_bits);
            let value = if mantissa_bits == 0 {
                2f64.powi(exponent - bias)
            } else if exponent == 0 {
                mantissa * 2f64.powi(1 - bias)
            } else {
                (1.0 + mantissa) * 2f64.powi(exponent - bias)
            };
            let finite = match special {
                Special::Ieee => exponent != top,
                Special::OneNan => code != codes - 1,
                Special::None => true,
            };
            if finite {
                numbers.push((value, code));
            }
        }
        Model { numbers, exponent_bits, mantissa_bits, signed: true, special, flush: false, saturate: false }
    }

    /// The format of that name, with its default switches.
    pub fn named(name: &str) -> Model {
        match name {
            "FP16" => Model::new(5, 10, 15, Special::Ieee),
            "BF16" => Model::new(8, 7, 127, Special::Ieee),
            "FP32R" => Model::new(8, 11, 127, Special::Ieee),
            "E5M2" => Model { flush: true, saturate: true, ..Model::new(5, 2, 15, Special::Ieee) },
            "E3M4" => Model { flush: true, saturate: true, ..Model::new(3, 4, 3, Special::Ieee) },
            "E4M3FN" => Model { flush: true, saturate: true, ..Model::new(4, 3, 7, Special::OneNan) },
            "E2M5" => Model { saturate: true, ..Model::new(2, 5, 1, Special::None) },
            "E2M3" => Model { saturate: true, ..Model::new(2, 3, 1, Special::None) },
            "E2M1" => Model { saturate: true, ..Model::new(2, 1, 1, Special::None) },
            "E8M0" => Model { signed: false, saturate: true, ..Model::new(8, 0, 127, Special::OneNan) },
            "E7M1" => Model { signed: false, saturate: true, ..Model::new(7, 1, 63, Special::OneNan) },
            "E6M2" => Model { signed: false, saturate: true, ..Model::new(6, 2, 31, Special::OneNan) },
            "E5M3" => Model { signed: false, saturate: true, ..Model::new(5, 3, 15, Special::OneNan) },
            other => panic!("no model of {other}"),
        }
    }

    pub const NAMES: [&str; 12] =
        ["FP16", "BF16", "E5M2", "E3M4", "E4M3FN", "E2M5", "E2M3", "E2M1", "E8M0", "E7M1", "E6M2", "E5M3"];

    pub fn codes(&self) -> u32 {
        1 << (self.exponent_bits + self.mantissa_bits + u32::from(self.signed))
    }

    fn sign_bit(&self) -> u32 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    /// The value of a code; `None` for NaN.
    pub fn decode(&self, code: u32) -> Option<f64> {
        let magnitude = code & (self.sign_bit() - 1);
        let sign = if code & self.sign_bit() != 0 && self.signed { -1.0 } else { 1.0 };
        if self.special == Special::Ieee && magnitude == ((1 << self.exponent_bits) - 1) << self.mantissa_bits
        {
            return Some(sign * f64::INFINITY);
        }
        self.numbers.get(magnitude as usize).map(|&(value, _)| sign * value)
    }

    /// The code of an fp32 value that is no NaN.
    pub fn encode(&self, value: f32, mode: Rounding) -> u32 {
        let exact = f64::from(value);
        let negative = value.is_sign_negative();
        if negative && !self.signed {
            return 0;
        }
        let sign = if negative { self.sign_bit() } else { 0 };
        let magnitude = exact.abs();
        let away = (mode == Rounding::Up && !negative) || (mode == Rounding::Down && negative);
        let &(largest, largest_code) = self.numbers.last().unwrap();
        let smallest = self.numbers.iter().find(|number| number.0 > 0.0).unwrap().0;
        if self.flush && mode == Rounding::NearestEven && magnitude < smallest {
            return sign;
        }
        let at = self.numbers.partition_point(|number| number.0 <= magnitude);
        if at == 0 {
            return sign | self.numbers[0].1; // below the smallest power of two
        }
        let (below, below_code) = self.numbers[at - 1];
        if below == magnitude {
            return sign | below_code;
        }
        if at < self.numbers.len() {
            let (above, above_code) = self.numbers[at];
            let up = match mode {
                Rounding::NearestEven => {
                    let middle = (below + above) / 2.0;
                    magnitude > middle || (magnitude == middle && below_code % 2 == 1)
                }
                _ => away,
            };
            return sign | if up { above_code } else { below_code };
        }
        // Beyond the largest: the next number would be one step further.
        let step = largest - self.numbers[self.numbers.len() - 2].0;
        let beyond = match mode {
            Rounding::NearestEven if self.mantissa_bits > 0 => {
                magnitude > largest + step / 2.0
                    || (magnitude == largest + step / 2.0 && largest_code % 2 == 1)
            }
            Rounding::NearestEven => magnitude >= largest * 1.5,
            _ => away || value.is_infinite(),
        };
        if !beyond || self.saturate {
            return sign | largest_code;
        }
        sign | (largest_code + 1) // infinity follows the largest number
    }
}
