//! Prints the documentation page of the operation x dtype tables.

fn main() {
    print!("{}", q7_alu::matrix::page());
}
