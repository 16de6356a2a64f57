#!/bin/sh
# Every scenario of an update, with a look at what its preview says.
#
#	preview.sh SCENARIO NANOCLAW FOLDER
set -eu
scenario=$1 scenarios=$3
nanoclaw=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/nanoclaw" <<EOF
#!/bin/sh
case " \$* " in
*' update '*) ;;
*) exec '$nanoclaw' "\$@" ;; # at once: Python takes longer to start than most commands
esac
NANOCLAW_REAL='$nanoclaw' exec python3 '$here/preview.py' "\$@"
EOF
chmod +x "$folder/nanoclaw"
"$scenario" --nanoclaw "$folder/nanoclaw" "$scenarios"/update*.t
