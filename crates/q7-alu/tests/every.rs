//! Every operation on every combination of dtypes: an answer that fits the result's dtype, or an error that says why.

use q7_alu::{
    AluOp, Conversion, Dtype, Dtypes, EvalError, FloatToInt, Generation, Mode, Plan, Rounding, State,
};

#[test]
fn every_combination_has_an_answer_or_a_reason() {
    let edges = [0, 1, 0x7F, 0x80, 0xFF, 0x7C01, 0x7F80_0001, 0x8000_0000, 1 << 63, u64::MAX];
    let generation = Generation::Maverick;
    let conversion =
        Conversion { rounding: Rounding::Up, to_int: FloatToInt::NearestEven, ..Conversion::default() };
    let modes = [Mode::default(), Mode { conversion, ..Mode::default() }];
    let mut answered = 0;
    for op in AluOp::ALL {
        for src0 in Dtype::ALL {
            for src1 in Dtype::ALL {
                for out in Dtype::ALL {
                    let dtypes = Dtypes { src0, src1, out };
                    for mode in modes {
                        let plan = match Plan::new(op, dtypes, generation, mode) {
                            Ok(plan) => plan,
                            Err(error) => {
                                assert!(matches!(error, EvalError::Op { .. } | EvalError::Dtype { .. }));
                                let text = error.explain(generation);
                                assert!(text.starts_with(&format!("{error}: ")), "{text}");
                                continue;
                            }
                        };
                        answered += 1;
                        for (index, &a) in edges.iter().enumerate() {
                            let b = edges[(index * 3 + 1) % edges.len()];
                            let result = plan.element(a, b, &mut State::default()).unwrap();
                            assert_eq!(result & !out.mask(), 0, "{op} {dtypes:?} {a:#x} {b:#x}");
                        }
                    }
                }
            }
        }
    }
    assert!(answered > 100_000, "{answered}");
}
