# the man page is one that man can read, and names every command
needs: mandoc
== run ==
$ nanoclaw help --man > nanoclaw.1; mandoc -T lint -W error nanoclaw.1
$ nanoclaw --json help | sed -n 's/.*"name": "\(.*\)",/\1/p' | while read -r c; do \
      mandoc -T html nanoclaw.1 | grep -q "nanoclaw $c" || echo "$c is missing"; \
  done
$ rm nanoclaw.1
