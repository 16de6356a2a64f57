# every command in the list explains itself
== run ==
$ for c in $(nanoclaw --json help | sed -n 's/.*"name": "\(.*\)",/\1/p'); do \
      nanoclaw $c --help | head -n 3 | grep -q "^usage: nanoclaw $c" || echo "no help for $c"; \
  done
