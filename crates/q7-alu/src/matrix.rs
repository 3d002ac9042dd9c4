//! The operation x dtype table of a generation, computed from the legality rules.
//!
//! A cell is the union over all instruction classes with operands and result of one dtype. The published table
//! (`tpb-alu-and-kernels/extra-alu-dtype-matrix-expanded.csv`) describes MAVERICK; where it disagrees with other
//! sources, [`DISAGREEMENTS`] has the decision.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use crate::dtype::Dtype;
use crate::evaluate::Dtypes;
use crate::generation::Generation;
use crate::legality::{Engine, OpClass, check};
use crate::op::{AluOp, Sources};
use crate::predicate::is_arg_search_op;

/// A column of the table: one width of integers, or one kind of float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Integers, signed then unsigned.
    Integer(Dtype, Dtype),
    /// One floating-point dtype.
    Float(Dtype),
    /// FP32R, which is legal as a result only.
    Fp32r,
    /// The three FP8 formats of the datapath.
    Fp8,
}

impl Column {
    /// The nine columns in the published order.
    pub const ALL: [Column; 9] = [
        Column::Integer(Dtype::Int8, Dtype::Uint8),
        Column::Integer(Dtype::Int16, Dtype::Uint16),
        Column::Integer(Dtype::Int32, Dtype::Uint32),
        Column::Integer(Dtype::Int64, Dtype::Uint64),
        Column::Float(Dtype::Fp16),
        Column::Float(Dtype::Bfloat16),
        Column::Float(Dtype::Fp32),
        Column::Fp32r,
        Column::Fp8,
    ];

    /// Heading.
    pub const fn name(self) -> &'static str {
        match self {
            Column::Integer(Dtype::Int8, _) => "i8/u8",
            Column::Integer(Dtype::Int16, _) => "i16/u16",
            Column::Integer(Dtype::Int32, _) => "i32/u32",
            Column::Integer(..) => "i64/u64",
            Column::Float(Dtype::Fp16) => "fp16",
            Column::Float(Dtype::Bfloat16) => "bf16",
            Column::Float(_) => "fp32",
            Column::Fp32r => "fp32r",
            Column::Fp8 => "fp8",
        }
    }
}

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Legal.
    Legal,
    /// Legal, but at 64 bits only as a bit operation.
    Bitvec,
    /// Signed operands only.
    Signed,
    /// Unsigned operands only.
    Unsigned,
    /// Signed or unsigned operands, all alike.
    Either,
    /// Signed operands, 64 bits, single source: reductions only.
    SingleSource,
    /// As a result only.
    OutputOnly,
    /// Rejected.
    Rejected,
}

impl Cell {
    /// The mark of the published legend.
    pub const fn mark(self) -> &'static str {
        match self {
            Cell::Legal => "Y",
            Cell::Bitvec => "Y*",
            Cell::Signed => "s",
            Cell::Unsigned => "u",
            Cell::Either => "s|u",
            Cell::SingleSource => "s†",
            Cell::OutputOnly => "out",
            Cell::Rejected => "-",
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.mark())
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.mark())
    }
}

/// A row: one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Wire byte.
    pub code: u8,
    /// The operation.
    pub op: AluOp,
    /// One cell for each of [`Column::ALL`].
    pub cells: [Cell; 9],
}

/// The table of one generation and engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// Generation.
    pub generation: Generation,
    /// Engine; `Any` is the published view.
    pub engine: Engine,
    /// Headings of the cells.
    pub columns: [&'static str; 9],
    /// Operations of the generation by ascending code.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Computes the table.
    pub fn new(generation: Generation, engine: Engine) -> Matrix {
        let row = |op: AluOp| Row {
            code: op.code(),
            op,
            cells: Column::ALL.map(|column| cell(op, column, generation, engine)),
        };
        let rows = AluOp::of(generation).filter(|_| generation != Generation::Tonga).map(row).collect();
        Matrix { generation, engine, columns: Column::ALL.map(Column::name), rows }
    }

    /// The table as a Markdown table.
    pub fn markdown(&self) -> String {
        let mut text = format!("| code | operation | {} |\n", self.columns.join(" | "));
        text.push_str("|---|---|---|---|---|---|---|---|---|---|---|\n");
        for row in &self.rows {
            let marks: Vec<_> = row.cells.iter().map(|cell| cell.mark().replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {:#04x} | {} | {} |", row.code, row.op, marks.join(" | "));
        }
        text
    }

    /// The table in columns for a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("{:5} {:20}", "code", "operation");
        for column in self.columns {
            let _ = write!(text, "{column:8}");
        }
        for row in &self.rows {
            let _ = write!(text, "\n{:#04x}  {:20}", row.code, row.op.name());
            for cell in row.cells {
                let _ = write!(text, "{cell:8}");
            }
        }
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

/// One cell.
pub fn cell(op: AluOp, column: Column, generation: Generation, engine: Engine) -> Cell {
    let accepts = |class: OpClass, dtypes: Dtypes| check(op, class, dtypes, generation, engine).is_ok();
    let any_class = |dtypes: Dtypes| OpClass::ALL.into_iter().any(|class| accepts(class, dtypes));
    let legal = |condition| if condition { Cell::Legal } else { Cell::Rejected };
    match column {
        Column::Integer(signed, unsigned) => {
            let integer_dtypes = [signed, unsigned].map(|dtype| of_column(op, dtype));
            let [signed, unsigned] = integer_dtypes.map(any_class);
            let arithmetic = OpClass::ALL
                .into_iter()
                .filter(|class| !class.is_bitvec())
                .any(|class| integer_dtypes.iter().any(|&dtypes| accepts(class, dtypes)));
            let wide = column == Column::ALL[3];
            match (signed, unsigned) {
                (false, false) => Cell::Rejected,
                (true, true) if wide && !arithmetic => Cell::Bitvec,
                _ if !op.is_int_band() => Cell::Legal,
                (true, true) => Cell::Either,
                (true, false) if wide && op.sources() == Sources::One => Cell::SingleSource,
                (true, false) => Cell::Signed,
                (false, true) => Cell::Unsigned,
            }
        }
        Column::Float(dtype) => legal(any_class(Dtypes::all(dtype))),
        Column::Fp32r => {
            let output = any_class(Dtypes { out: Dtype::Fp32r, ..Dtypes::all(Dtype::Fp32) });
            if output { Cell::OutputOnly } else { Cell::Rejected }
        }
        Column::Fp8 => {
            let formats = [Dtype::Fp8Exp3, Dtype::Fp8Exp4, Dtype::Fp8Exp5];
            legal(formats.into_iter().all(|dtype| any_class(Dtypes::all(dtype))))
        }
    }
}

/// One dtype throughout, except that an argument search writes a UINT32 position.
fn of_column(op: AluOp, dtype: Dtype) -> Dtypes {
    Dtypes { out: if is_arg_search_op(op) { Dtype::Uint32 } else { dtype }, ..Dtypes::all(dtype) }
}

/// A place where the published table and other sources disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The operation.
    pub op: AluOp,
    /// Headings of the columns concerned.
    pub columns: &'static [&'static str],
    /// What the published table says there.
    pub published: &'static str,
    /// What the other source says.
    pub other: &'static str,
    /// What this crate computes there.
    pub decided: Cell,
    /// Why.
    pub because: &'static str,
}

const INTEGERS: &[&str] = &["i8/u8", "i16/u16", "i32/u32", "i64/u64"];
const SHARED: &str = "both sign predicates list the operation; predicates win (DECISIONS)";
const NO_DTYPE_TEST: &str =
    "the validator tests the operation alone; the table is about the operation's own dtypes";

const fn disagreement(
    op: AluOp,
    columns: &'static [&'static str],
    [published, other]: [&'static str; 2],
    decided: Cell,
    because: &'static str,
) -> Disagreement {
    Disagreement { op, columns, published, other, decided, because }
}

/// All places where sources disagree, with the decision.
pub const DISAGREEMENTS: [Disagreement; 9] = [
    disagreement(AluOp::MultInt, INTEGERS, ["s", "s|u"], Cell::Either, SHARED),
    disagreement(AluOp::DivideInt, INTEGERS, ["s", "s|u"], Cell::Either, SHARED),
    disagreement(AluOp::ModInt, INTEGERS, ["s", "s|u"], Cell::Either, SHARED),
    disagreement(
        AluOp::Mod,
        &["i64/u64"],
        ["-", "Y"],
        Cell::Legal,
        "a member of is_valid_int_aluop, which the 64-bit arm takes; the 64-bit page lists it",
    ),
    disagreement(AluOp::Pow, &["i8/u8", "i16/u16", "i32/u32"], ["-", "Y"], Cell::Rejected, NO_DTYPE_TEST),
    disagreement(AluOp::Rsqrt, &["i8/u8", "i16/u16", "i32/u32"], ["-", "Y"], Cell::Rejected, NO_DTYPE_TEST),
    disagreement(AluOp::Pow, &["fp8"], ["-", "Y"], Cell::Rejected, NO_DTYPE_TEST),
    disagreement(AluOp::Rsqrt, &["fp8"], ["-", "Y"], Cell::Rejected, NO_DTYPE_TEST),
    disagreement(AluOp::Crc32, &["i8/u8"], ["-", "Y"], Cell::Rejected, NO_DTYPE_TEST),
];

/// The documentation page: every generation's table and the disagreements.
pub fn page() -> String {
    let mut text = String::from(PREFACE);
    for generation in Generation::WITH_ALU {
        let matrix = Matrix::new(generation, Engine::Any);
        let _ = write!(text, "\n## {generation} ({} operations)\n\n", matrix.rows.len());
        text.push_str(&matrix.markdown());
    }
    text.push_str("\n## Where sources disagree\n\n");
    text.push_str("| operation | columns | published table | other source | decided | because |\n|---|---|---|---|---|---|\n");
    for entry in &DISAGREEMENTS {
        let cells = [entry.published, entry.other, entry.decided.mark()].map(|mark| mark.replace('|', "\\|"));
        let columns = entry.columns.join(", ");
        let _ = writeln!(text, "| {} | {columns} | {} | {} |", entry.op, cells.join(" | "), entry.because);
    }
    text
}

const PREFACE: &str = "\
# ALU operations and dtypes, by generation

<!-- Generated: cargo run -p q7-alu --example alu-matrix > docs/tpb-alu-matrix.md -->

A cell is legal when at least one instruction class accepts the operation with operands and result of that dtype
(an argument search writes UINT32). Engine rules and memory placement are left out.

| mark | meaning |
|---|---|
| `Y` | legal |
| `Y*` | 64-bit integers, as a bit operation only |
| `s`, `u`, `s\\|u` | signed, unsigned, or either as long as all operands agree |
| `s†` | signed, single source: reductions only |
| `out` | as the result's dtype only |
| `-` | rejected |
";
