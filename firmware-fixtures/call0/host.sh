#!/bin/sh
# Compiles the fixtures for the host and records what they print:
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

for source in src/*.c; do
    name=$(basename "$source" .c)
    "${CC:-cc}" -std=gnu11 -O1 -Wall -Wextra -fno-builtin -ffp-contract=off "$source" -o "$work/main"
    input=/dev/null
    [ ! -f "input/$name.stdin" ] || input=input/$name.stdin
    set --
    if [ -f "input/$name.args" ]; then
        while IFS= read -r arg; do
            set -- "$@" "$arg"
        done <"input/$name.args"
    fi
    "$work/main" "$@" <"$input" >"$out/$name.txt"
done
