# every command in the list explains itself
== run ==
$ nanoclaw --json help | sed -n 's/.*"name": "\(.*\)",/\1/p' | while read -r c; do \
      nanoclaw $c --help | head -n 3 | grep -q "^usage: nanoclaw $c" || echo "no help for $c"; \
  done
