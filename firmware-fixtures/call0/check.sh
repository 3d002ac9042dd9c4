#!/bin/sh
# Runs every fixture under QEMU and compares its output with expected/:
# check.sh [ELF-DIRECTORY] (default: elf/ beside this file).
set -eu

QEMU=${QEMU:-qemu-system-xtensa}
if ! command -v "$QEMU" >/dev/null 2>&1; then
    echo "check.sh: no $QEMU (Debian: qemu-system-misc)" >&2
    exit 3
fi

elfs=
if [ $# -gt 0 ]; then
    elfs=$(cd "$1" && pwd)
fi
cd "$(dirname "$0")"
elfs=${elfs:-$PWD/elf}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

for expected in expected/*.txt; do
    name=$(basename "$expected" .txt)
    input=/dev/null
    [ ! -f "input/$name.stdin" ] || input=input/$name.stdin
    # QEMU takes the whole argument vector, program name included; a comma
    # inside an argument would have to be doubled.
    set -- -semihosting-config "enable=on,arg=$name"
    if [ -f "input/$name.args" ]; then
        while IFS= read -r arg; do
            set -- "$1" "$2,arg=$arg"
        done <"input/$name.args"
    fi
    status=0
    "$QEMU" -M sim -cpu de233_fpu -m 128 "$@" -display none -monitor none -serial none \
        -device "loader,file=$elfs/$name.elf,cpu-num=0" <"$input" >"$work/out" || status=$?
    if [ "$status" -eq 0 ] && cmp -s "$work/out" "$expected"; then
        echo "ok   $name"
    else
        echo "FAIL $name (exit status $status)"
        diff "$expected" "$work/out" | head -10 || true
        failed=1
    fi
done
exit "$failed"
