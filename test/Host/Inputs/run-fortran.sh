#!/bin/bash
# run-fortran.sh COMPILER ARGUMENTS: compiles a test, with the module that compares slopes, in a
# folder of its own, since flang writes modules into the current one, and runs it. RUNNER, if it is
# set, is what runs the program.
set -e
Inputs=$(dirname "$(readlink -f "$0")")
Folder=$(mktemp -d)
trap 'rm -rf "$Folder"' EXIT
cd "$Folder"
$1 "$Inputs/slopes.f90" "${@:2}" -o program
$RUNNER ./program
