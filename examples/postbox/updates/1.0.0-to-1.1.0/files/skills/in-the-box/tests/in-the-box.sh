#!/bin/sh
# The old answer is still there.
set -eu

echo 'buy milk' | DIARY=/dev/null ./postbox | grep -qi 'put that in the box'
