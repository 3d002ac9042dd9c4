//! The computed table against the published one, and the documentation page.

use std::collections::HashMap;

use q7_alu::matrix::{Cell, Column, DISAGREEMENTS, Matrix, page};
use q7_alu::{AluOp, Engine, Generation};

const PUBLISHED: &str = include_str!("data/alu-matrix.csv");

fn published() -> HashMap<AluOp, Vec<&'static str>> {
    PUBLISHED
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<_> = line.split(',').collect();
            (fields[1].parse().unwrap(), fields[2..].to_vec())
        })
        .collect()
}

/// Every cell equals the published one, except the listed disagreements, which must really disagree.
#[test]
fn maverick_table_equals_the_published_one_cell_by_cell() {
    let published = published();
    let matrix = Matrix::new(Generation::Maverick, Engine::Any);
    assert_eq!((matrix.rows.len(), published.len()), (65, 65));
    let mut differing = 0;
    for row in &matrix.rows {
        for (index, column) in Column::ALL.iter().enumerate() {
            let wanted = published[&row.op][index];
            let got = row.cells[index].mark();
            let entry = DISAGREEMENTS
                .iter()
                .find(|entry| entry.op == row.op && entry.columns.contains(&column.name()));
            match entry {
                Some(entry) => {
                    assert_eq!(wanted, entry.published, "{} {}", row.op, column.name());
                    assert_eq!(got, entry.decided.mark(), "{} {}", row.op, column.name());
                }
                None => assert_eq!(got, wanted, "{} {}", row.op, column.name()),
            }
            differing += usize::from(got != wanted);
        }
    }
    // 12 cells of the shared sign, one of MOD at 64 bits.
    assert_eq!(differing, 13);
}

/// An earlier generation has the same rows, cut by presence; 64-bit integers exist from CAYMAN on.
#[test]
fn earlier_tables_are_the_same_cut_by_presence() {
    let newest = Matrix::new(Generation::Maverick, Engine::Any);
    for generation in Generation::WITH_ALU {
        let matrix = Matrix::new(generation, Engine::Any);
        assert_eq!(matrix.rows.len(), AluOp::of(generation).count());
        for row in &matrix.rows {
            let mut wanted = newest.rows.iter().find(|newest| newest.op == row.op).unwrap().cells;
            if generation == Generation::Sunda {
                wanted[3] = Cell::Rejected;
            }
            assert_eq!(row.cells, wanted, "{} {generation}", row.op);
        }
    }
    assert!(Matrix::new(Generation::Tonga, Engine::Any).rows.is_empty());
}

#[test]
fn the_documentation_page_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tpb-alu-matrix.md");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == page(),
        "stale: run `cargo run -p q7-alu --example alu-matrix > docs/tpb-alu-matrix.md`"
    );
}
