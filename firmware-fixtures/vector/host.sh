#!/bin/sh
# Runs the C references on the host and records what they print:
# host.sh [OUTPUT-DIRECTORY] (default: expected/ beside this file).
set -eu

out=
if [ $# -gt 0 ]; then
    mkdir -p "$1"
    out=$(cd "$1" && pwd)
fi
cd "$(dirname "$0")"
mkdir -p expected
out=${out:-$PWD/expected}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for source in *.c; do
    "${CC:-cc}" -std=c11 -O1 -Wall -Wextra "$source" -o "$work/main"
    "$work/main" >"$out/$(basename "$source" .c).txt"
done
