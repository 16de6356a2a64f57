# merge-file writes to a file that is a mount point, where no other can take its place
needs: mount unshare
-- ours --
mine
-- base --
mine
-- theirs --
yours
== run ==
# Without the right to mount, there is nothing special to test.
$ if unshare -rm mount --bind ours ours 2> /dev/null; then \
      unshare -rm sh -c 'mount --bind ours ours && nanoclaw merge-file ours base theirs'; \
  else \
      nanoclaw merge-file ours base theirs; \
  fi
== after ==
-- ours --
yours
