#!/bin/sh
# Builds every fixture: build.sh [OUTPUT-DIRECTORY] (default: elf/ beside this file).
set -eu

CROSS=${CROSS:-xtensa-lx106-elf-}
LIBC=${LIBC:-/usr/lib/xtensa-lx106-elf}

if ! command -v "${CROSS}gcc" >/dev/null 2>&1 || [ ! -f "$LIBC/lib/libc.a" ]; then
    echo "build.sh: no Xtensa cross toolchain (Debian: gcc-xtensa-lx106 picolibc-xtensa-lx106-elf)" >&2
    exit 3
fi

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    out=$(cd "$1" && pwd)
fi
# Relative source names from here on: no path reaches the output.
cd "$(dirname "$0")"
if [ $# -eq 0 ]; then
    mkdir -p elf
    out=$PWD/elf
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# -fno-builtin: calls to the C library stay calls, none is computed away.
compile() { # SOURCE OBJECT
    "${CROSS}gcc" -c -std=gnu11 -O2 -g0 -Wall -Wextra -Werror -fno-builtin -ffp-contract=off \
        -ffunction-sections -fdata-sections -ffile-prefix-map="$PWD"=. \
        -isystem "$LIBC/include" "$1" -o "$work/$2"
}

compile start.S start.o
compile io.c io.o
compile rt.c rt.o
for source in src/*.c; do
    name=$(basename "$source" .c)
    compile "$source" main.o
    # The library's printf without floating point is enough.
    (cd "$work" && "${CROSS}gcc" -nostdlib -static -T "$OLDPWD/fixture.ld" -Wl,--gc-sections \
        -Wl,--build-id=none -Wl,--strip-debug -Wl,--orphan-handling=warn -Wl,--fatal-warnings \
        -Wl,--defsym=vfprintf=__i_vfprintf \
        start.o main.o io.o rt.o "$LIBC/lib/libc.a" -o "$out/$name.elf")
    chmod 644 "$out/$name.elf"
done
