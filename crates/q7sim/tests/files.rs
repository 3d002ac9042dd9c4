//! Files: bad images, bad maps, and what a program can reach of the host.

mod common;

use common::Place;

/// Opens the path in argv[1] with the flags in `FLAGS`, then writes "new" or reads; prints what it
/// read. Exits with the errno of open, or 0.
const OPEN: &str = "
_start: movi  a2, 1002
        movi  a3, vector
        simcall 0
        movi  a3, vector
        l32i  a3, a3, 4
        movi  a2, 5
        movi  a4, FLAGS
        movi  a5, 0x1b6
        simcall 0
        mov   a10, a2
        bltz  a10, exit
        movi  a2, 4
        mov   a3, a10
        movi  a4, new
        movi  a5, 3
        simcall 0
        movi  a2, 19
        mov   a3, a10
        movi  a4, 0
        movi  a5, 0
        simcall 0
        movi  a2, 3
        mov   a3, a10
        movi  a4, vector
        movi  a5, 64
        simcall 0
        mov   a5, a2
        movi  a2, 4
        movi  a3, 1
        blti  a5, 1, close
        simcall 0
close:  movi  a2, 6
        mov   a3, a10
        simcall 0
        mov   a3, a2
exit:   movi  a2, 1
        simcall 0
        .data
new:    .ascii \"new\"
        .bss
        .align 4
vector: .space 4096
";

const READ: u32 = 0;
const WRITE: u32 = 1;
const READ_WRITE: u32 = 2;
const CREATE: u32 = 0x40;
const TRUNCATE: u32 = 0x200;
const APPEND: u32 = 0x400;

const ENOENT: i32 = 2;
const EACCES: i32 = 13;
const EEXIST: i32 = 17;
const EISDIR: i32 = 21;

/// A place with `root/file`, `root/dir/file`, and `secret` outside of the root.
fn sandbox() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("root/dir")).unwrap();
    place.write("root/file", "old file");
    place.write("root/dir/file", "deep");
    place.write("secret", "secret");
    place
}

fn open(place: &Place, path: &str, flags: u32, root: &str) -> (i32, String) {
    place.assemble(&OPEN.replace("FLAGS", &flags.to_string()));
    let ended = place.q7sim(&format!("run p.elf {root} --max-bundles 10000 -- {path}"));
    assert_eq!(ended.err, "", "{path}");
    (ended.status, ended.out)
}

#[test]
fn files_below_the_root_can_be_opened() {
    // Path, flags, what the program reads, what the file holds afterwards.
    for (path, flags, read, after) in [
        ("file", READ, "old file", Some("old file")),
        ("./dir/../file", READ, "old file", Some("old file")),
        ("dir/file", READ, "deep", Some("deep")),
        ("file", WRITE, "", Some("new file")),
        ("file", READ_WRITE, "new file", Some("new file")),
        ("file", READ_WRITE | TRUNCATE, "new", Some("new")),
        ("file", READ_WRITE | APPEND, "old filenew", Some("old filenew")),
        ("file", READ_WRITE | APPEND | TRUNCATE, "new", Some("new")),
        ("file", READ | TRUNCATE | CREATE, "old file", Some("old file")),
        ("dir/fresh", WRITE | CREATE, "", Some("new")),
        ("fresh", READ_WRITE | CREATE | 0x80, "new", Some("new")),
    ] {
        let place = sandbox();
        assert_eq!(open(&place, path, flags, "--root root"), (0, read.into()), "{path} {flags:#x}");
        assert_eq!(
            std::fs::read_to_string(place.path("root").join(path)).ok().as_deref(),
            after,
            "{path} {flags:#x}"
        );
    }
}

#[test]
fn nothing_else_can_be_opened() {
    let place = sandbox();
    let absolute = place.path("root/file").display().to_string();
    let secret = place.path("secret").display().to_string();
    let mut table = vec![
        ("nowhere", READ, "--root root", ENOENT),
        ("nowhere", WRITE, "--root root", ENOENT),
        ("file", WRITE | CREATE | 0x80, "--root root", EEXIST),
        ("file", WRITE | CREATE | 0x800, "--root root", EEXIST),
        ("dir", READ, "--root root", EISDIR),
        (".", READ, "--root root", EISDIR),
        ("../secret", READ, "--root root", EACCES),
        ("dir/../../secret", READ, "--root root", EACCES),
        ("../root/file", READ, "--root root", EACCES),
        ("..", READ, "--root root", EACCES),
        ("../fresh", WRITE | CREATE, "--root root", EACCES),
        (&absolute, READ, "--root root", EACCES),
        (&secret, READ, "--root root", EACCES),
        ("/dev/zero", READ, "--root root", EACCES),
        ("file", 3, "--root root", 22),
        ("root/file", READ, "", EACCES),
        (&absolute, READ, "", EACCES),
    ];
    if cfg!(unix) {
        links(&place);
        table.extend([
            ("out", READ, "--root root", EACCES),
            ("up/secret", READ, "--root root", EACCES),
            ("absolute", READ, "--root root", EACCES),
            ("dangling", WRITE | CREATE, "--root root", EACCES),
            ("pipe", READ, "--root root", EACCES),
        ]);
    }
    for (path, flags, root, errno) in table {
        // The program exits with open's result in a3: the errno.
        assert_eq!(open(&place, path, flags, root), (errno, String::new()), "{path} {flags:#x} {root}");
    }
    assert!(!place.path("fresh").exists() && !place.path("escaped").exists());
    if cfg!(unix) {
        assert_eq!(open(&place, "inside", READ, "--root root"), (0, "deep".into()));
    }
}

/// Symbolic links and a pipe.
#[cfg(unix)]
fn links(place: &Place) {
    use std::os::unix::fs::symlink;
    symlink("../secret", place.path("root/out")).unwrap();
    symlink("..", place.path("root/up")).unwrap();
    symlink(place.path("secret"), place.path("root/absolute")).unwrap();
    symlink("../escaped", place.path("root/dangling")).unwrap();
    symlink("dir/file", place.path("root/inside")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(place.path("root/pipe")).status().unwrap().success());
}

#[cfg(not(unix))]
fn links(_place: &Place) {}

#[test]
fn bad_images_are_123_for_every_command() {
    let place = Place::new();
    place.assemble("_start: halt 0\n");
    let good = std::fs::read(place.path("p.elf")).unwrap();
    let patched = |at: usize, bytes: &[u8]| {
        let mut image = good.clone();
        image[at..at + bytes.len()].copy_from_slice(bytes);
        image
    };
    place.write("empty", "");
    place.write("text", "#!/bin/sh\n");
    place.write("short", &good[..60]);
    place.write("machine", patched(18, &[62, 0]));
    place.write("object", patched(16, &[1, 0]));
    place.write("entry", patched(24, &[0; 4]));
    place.write("garbage", [&good[..52], &[0xa5; 400]].concat());
    std::fs::create_dir(place.path("directory")).unwrap();
    for (name, part) in [
        ("missing", "No such file"),
        ("directory", "directory"),
        ("empty", "not an ELF file"),
        ("text", "not an ELF file"),
        ("short", ""),
        ("machine", "machine 62"),
        ("object", "linked first"),
        ("entry", "entry address 0x00000000"),
        ("garbage", ""),
    ] {
        for command in ["run", "disasm", "info"] {
            let ended = place.q7sim(&format!("{command} {name}"));
            assert_eq!((ended.status, ended.out.as_str()), (123, ""), "{command} {name}: {}", ended.err);
            assert!(ended.err.starts_with(&format!("q7sim: {name}: ")), "{}", ended.err);
            assert!(ended.err.contains(part) && ended.err.lines().count() == 1, "{}", ended.err);
        }
    }
}

#[test]
fn images_cut_short_or_damaged_never_crash() {
    let place = Place::new();
    place.assemble("_start: l32r a3, x\n halt 0\n .literal x, 1\n .data\n .word 1\n .bss\n .space 9\n");
    let good = std::fs::read(place.path("p.elf")).unwrap();
    let mut damaged: Vec<Vec<u8>> = (0..good.len()).step_by(97).map(|end| good[..end].to_vec()).collect();
    for at in (16..good.len()).step_by(41) {
        let mut image = good.clone();
        image[at] ^= 0xff;
        damaged.push(image);
    }
    for (index, image) in damaged.iter().enumerate() {
        place.write("bad", image);
        for command in ["run --max-bundles 1000", "disasm", "info"] {
            let ended = place.q7sim(&format!("{command} bad"));
            assert!(matches!(ended.status, 0 | 120..=125), "{index} {command}: {ended:?}");
        }
    }
}

#[test]
fn segments_and_files_outside_memory_are_refused() {
    let place = Place::new();
    place.write("four", [0; 4]);
    place.write("bad.toml", "[[region]]\nname='a'\nbase=1\nsize=4096\n");
    place.write("none.toml", "");
    place.write("binary.toml", [0xff, 0xfe]);
    place.write("small.toml", "[[region]]\nname='a'\nbase=0x100000\nsize=0x1000\n");
    place.assemble("_start: halt 0\n .bss\n .space 0x2000\n");
    for (arguments, part) in [
        ("--memory small.toml", "p.elf: the segment at 0x00101000 with 0x2000 bytes lies outside the memory"),
        ("--load 0x7000_0000=four", "four: address 0x70000000 lies outside"),
        ("--load 0x400f_fffe=four", "four: address 0x40100000 lies outside"),
        ("--load 0xffff_fffe=four", "four: does not fit from 0xfffffffe on"),
        ("--load 0x100000=missing", "missing: No such file"),
        ("--memory bad.toml", "bad.toml: memory map: region a"),
        ("--memory none.toml", "none.toml: memory map: no regions"),
        ("--memory binary.toml", "binary.toml: not UTF-8"),
        ("--memory missing", "missing: No such file"),
        ("--root missing", "missing: No such file"),
        ("--root four", "four: "),
        ("--trace=missing/file", "missing/file: No such file"),
        ("--dump-state missing/file", "missing/file: No such file"),
        ("--save 0x100000:4=missing/file", "missing/file: No such file"),
    ] {
        let ended = place.q7sim(&format!("run p.elf {arguments}"));
        assert_eq!((ended.status, ended.out.as_str()), (123, ""), "{arguments}: {}", ended.err);
        assert!(ended.err.contains(part), "{arguments}: {}", ended.err);
    }
}

#[test]
fn a_huge_bss_costs_nothing() {
    let place = Place::new();
    place.assemble("_start: halt 0\n .bss\n .space 0x8000000\n .global end\n end: .space 1\n");
    assert_eq!(place.q7sim("run p.elf").status, 0);
}
