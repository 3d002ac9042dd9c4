//! What observers see of a run.

mod common;

use common::{Streams, limits, load};
use q7_core::{Access, Cause, Exception, NoHost, Observer, Register, Stop};

/// One line per event, for comparison.
#[derive(Default)]
struct Log(Vec<String>);

impl Observer for Log {
    fn issue(&mut self, cycle: u64, _pc: u32, bundle: Option<&q7_isa::Bundle>) {
        let text = bundle.map(|bundle| q7_isa::Isa::embedded().bundle_text(bundle).to_string());
        self.0.push(format!("{cycle} {}", text.unwrap_or_default()));
    }
    fn register_write(&mut self, register: Register, value: u32) {
        self.0.push(format!("{register}={value:#x}"));
    }
    fn memory_access(&mut self, access: Access) {
        let Access { address, size, store, value } = access;
        self.0.push(format!("{}{size} {address:#x} {value:#x}", if store { "store" } else { "load" }));
    }
    fn exception(&mut self, _pc: u32, exception: Exception) {
        self.0.push(exception.cause.meaning().to_owned());
    }
}

#[test]
fn observers_see_every_bundle() {
    let source = "movi a2, 0x180000\nmovi a3, -2\ns16i a3, a2, 2\nl32i a4, a2, 0\nssai 3\nmov.n a4, a4\nill";
    let (mut machine, _) = load(source);
    let mut log = Log::default();
    let stop = machine.run_observed(&limits(), &mut NoHost, &mut log);
    assert_eq!(stop, Stop::Exception(Exception::new(Cause::ILL)));
    let expected = [
        "0 l32r a2, 0x100000",
        "a2=0x180000",
        "load4 0x100000 0x180000",
        "1 movi a3, -2",
        "a3=0xfffffffe",
        "2 s16i a3, a2, 2",
        "store2 0x180002 0xfffe",
        "3 l32i a4, a2, 0",
        "a4=0xfffe0000",
        "load4 0x180000 0xfffe0000",
        "4 ssai 3",
        "sar=0x3",
        "5 mov.n a4, a4",
        "a4=0xfffe0000",
        "6 ill",
        "ILL or ILL.N executed",
    ];
    assert_eq!(log.0, expected);
}

#[test]
fn observers_see_the_turns_of_loops() {
    let (mut machine, _) = load("movi a2, 3\nloop a2, end\nnop\nend: halt 0");
    let mut log = Log::default();
    assert_eq!(machine.run_observed(&limits(), &mut NoHost, &mut log), Stop::Halted(0));
    let expected = ["lcount=0x2", "2 nop", "lcount=0x1", "3 nop", "lcount=0x0", "4 nop", "5 halt 0"];
    assert_eq!(log.0[log.0.len() - expected.len()..], expected);
}

#[test]
fn observers_see_what_the_host_does() {
    // Call number and arguments; what is logged after the SIMCALL.
    for (call, logged) in [
        ([3, 0, 0x180000, 12], &["a2=0xb", "a3=0x0", "store11 0x180000 0x6f77206f6c6c6568"][..]),
        ([3, 0, 0x180000, 2], &["a2=0x2", "a3=0x0", "store2 0x180000 0x6568"]),
        ([3, 0, 0x180000, 0], &["a2=0x0", "a3=0x0"]),
        ([3, 0, 0x70000000, 1], &["a2=0xffffffff", "a3=0xe"]),
        ([4, 1, 0x180000, 3], &["a2=0x3", "a3=0x0", "load3 0x180000 0x0"]),
        ([6, 9, 0, 0], &["a2=0x0", "a3=0x0"]),
        ([1000, 0, 0, 0], &["a2=0x1", "a3=0x0"]),
        ([1002, 0x180000, 0, 0], &["a2=0x0", "a3=0x0", "store10 0x180000 0x180008"]),
        ([9999, 0, 0, 0], &["a2=0xffffffff", "a3=0x58"]),
    ] {
        let (mut machine, _) = load("simcall 0\nhalt 0");
        machine.core.ar[2..6].copy_from_slice(&call);
        let mut host =
            Streams { input: b"hello world".to_vec(), arguments: vec![b"p".to_vec()], ..Streams::default() };
        let mut log = Log::default();
        assert_eq!(machine.run_observed(&limits(), &mut host, &mut log), Stop::Halted(0), "{call:?}");
        assert_eq!(log.0[0], "0 simcall 0");
        assert_eq!(log.0[1..log.0.len() - 1], *logged, "{call:?}");
    }
}

#[test]
fn observers_see_nothing_of_a_bundle_without_semantics() {
    for access in ["l32i a4, a2, 0", "addi a4, a4, 1", "ivp_lv2nx8_ip v1, a2, 64"] {
        let source = format!("{{ {access}; nop; nop; recipqli.s v2, v1 }}");
        let (mut machine, _) = load(&source);
        machine.core.ar[2] = 0x18_0000;
        let mut log = Log::default();
        let stop = machine.run_observed(&limits(), &mut NoHost, &mut log);
        assert_eq!(stop, Stop::UnknownSemantics { what: "recipqli.s".into() });
        assert_eq!(log.0, [format!("0 {access}; nop; nop; recipqli.s v2, v1")]);
    }
}
