# doctor sees that the disk is nearly full
needs: mount unshare
-- small/ --
-- look [755] --
#!/bin/sh
# look OPTION EXPECTED: doctor on a small disk; prints the answer if it is another one
answer=$(unshare -rm sh -c "mount -t tmpfs -o $1 none small && nanoclaw -C small -q doctor")
case $answer in
"$2" | "$2
"*) ;;
*) echo "$answer" ;;
esac
== run ==
# Without the right to mount, there is nothing to test.
$ unshare -rm mount -t tmpfs none small 2> /dev/null || exit 0; \
  ./look size=1m 'problem  disk         only 1 MiB are free here'; \
  ./look size=99m 'warning  disk         only 99 MiB are free here'; \
  ./look size=999m ''; \
  ./look nr_inodes=1 'problem  disk         no more files can be created here (no inode is free)'
