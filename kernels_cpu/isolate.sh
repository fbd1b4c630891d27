#!/bin/sh
# Joins the objects of one instruction set into one whose only global definitions match a pattern.
# Usage: isolate.sh LD OBJCOPY OUTPUT PATTERN OBJECT...
# Weak functions (library templates, inline functions) are compiled for that instruction set; left global, the linker
# might choose one of them for the code of a lesser set. Groups must be dissolved first, or the linker still merges them.
set -eu
ld=$1 objcopy=$2 output=$3 pattern=$4
shift 4
"$ld" -r --force-group-allocation "$@" -o "$output"
"$objcopy" --wildcard --keep-global-symbol="$pattern" "$output"
