//! Addresses, headers, dispatch and encodings.

use q7_tpb::address::{Addr4, Location};
use q7_tpb::dispatch::{Dispatch, interrupt_register, kernel_key};
use q7_tpb::encoding::{self, Axes, Operation};
use q7_tpb::header::Header;

use crate::call::{Entry, Inputs, out};

/// Names and functions.
pub const OPS: &[Entry] = &[
    (&["seq_dispatch_index"], |inputs| {
        // The page writes all ones for an opcode that the sequencer rejects.
        let found = Dispatch::of(inputs.one("opcode")? as u8);
        let index = if let Dispatch::Rejected(_) = found { u32::MAX } else { found.index() };
        Some(vec![("idx", index.into()), ("out", index.into())])
    }),
    (&["kernel_key"], |inputs| {
        let key = kernel_key(inputs.one("opcode")? as u8, inputs.one("spec").unwrap_or(0) as u8).into();
        Some(vec![("key", key), ("out", key)])
    }),
    (&["rer_addr"], |inputs| {
        let address = interrupt_register(inputs.any(&["idx", "index"])? as u32).into();
        Some(vec![("addr", address), ("out", address)])
    }),
    (&["ext_completion_ports"], |inputs| {
        let field = inputs.any(&["num_active_ports", "ports"])? as u8;
        let (ports, partitions) = (encoding::active_ports(field), encoding::active_partitions(field));
        Some(vec![("ports", ports.into()), ("partitions", partitions.into())])
    }),
    (&["addr4_reg"], |inputs| {
        let word = Addr4::of_register(inputs.any(&["regid", "r", "reg"])? as u8)?.0.into();
        Some(vec![("word", word), ("out", word)])
    }),
    (&["addr4_psum_window"], |inputs| {
        let inside = Addr4(inputs.any(&["addr29", "addr", "word"])? as u32).is_psum().into();
        Some(vec![("psum", inside), ("out", inside)])
    }),
    (&["addr4_decode"], |inputs| {
        let word = Addr4(inputs.any(&["word", "addr29", "addr"])? as u32);
        let mut fields = vec![
            ("psum", word.is_psum().into()),
            ("register", word.is_register().into()),
            ("dynamic", word.is_shape_register().into()),
            ("indirect", word.is_indirect().into()),
            ("addr", word.address().into()),
        ];
        match word.location()? {
            Location::StateBuffer { partition, byte } => {
                fields.extend([("partition", partition.into()), ("byte", byte.into())]);
            }
            Location::Psum { partition, bank, byte } => {
                fields.extend([("partition", partition.into()), ("bank", bank.into()), ("byte", byte.into())])
            }
        }
        Some(fields)
    }),
    (&["addr4_sbuf", "addr4_encode_sbuf"], |inputs| {
        let (partition, byte) = (inputs.one("partition")? as u32, inputs.one("byte")? as u32);
        out(Addr4::of_location(Location::StateBuffer { partition, byte })?.0)
    }),
    (&["addr4_psum", "addr4_encode_psum"], |inputs| {
        let part = |key| inputs.one(key).map(|part| part as u32);
        let (partition, bank, byte) = (part("partition")?, part("bank")?, part("byte")?);
        out(Addr4::of_location(Location::Psum { partition, bank, byte })?.0)
    }),
    (&["pool_axis", "tensor_subdim"], |_| {
        let code = |axes: Axes| axes.subdimensions().map_or(u64::MAX, u64::from);
        Some(vec![
            ("X", code(Axes::X)),
            ("XY", code(Axes::Xy)),
            ("XYZ", code(Axes::Xyz)),
            ("XYZW", code(Axes::Xyzw)),
        ])
    }),
    (&["cross_lane_axis", "reduce_axis"], |_| {
        let code = |axes: Axes| axes.cross_lane().map_or(u64::MAX, u64::from);
        Some(vec![("XYZWC", code(Axes::Xyzwc)), ("C", code(Axes::C))])
    }),
    (&["reverse_pack"], |inputs| out(encoding::reverse_operands(flag(inputs, "r0")?, flag(inputs, "r1")?))),
    (&["stt_opcode"], |inputs| {
        out(Operation::ScalarTensorTensor { bitvec: flag(inputs, "bitvec")? }.opcode())
    }),
    (&["tt_opcode"], |inputs| out(Operation::TensorTensor { bitvec: flag(inputs, "bitvec")? }.opcode())),
    (&["header_word"], |_| {
        let word = |operation: Operation, saturate| {
            u64::from(Header { opcode: operation.opcode(), saturate }.word())
        };
        Some(vec![
            ("MatmultMx", word(Operation::MatmultMx, false)),
            ("LdWeightMx", word(Operation::LdWeightMx, false)),
            ("QuantizeMx", word(Operation::QuantizeMx, false)),
        ])
    }),
    (&["activation_func"], |inputs| {
        out(encoding::activation_function(inputs.any(&["index", "ordinal"])? as u32)?)
    }),
];

fn flag(inputs: &Inputs, key: &str) -> Option<bool> {
    inputs.one(key).map(|value| value != 0)
}
