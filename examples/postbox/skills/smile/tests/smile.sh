#!/bin/sh
# Both greetings smile, other answers do not.
set -eu

smiles=$(printf 'hello\nbye\nbuy milk\n' | DIARY=/dev/null ./postbox | grep -c ' :-)')
[ "$smiles" = 2 ] || {
	echo "$smiles smiles instead of 2"
	exit 1
}
