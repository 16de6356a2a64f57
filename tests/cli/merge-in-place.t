# merge-file writes in place where a new file would have another group or other rights
needs: python3
-- shared/ours --
mine
-- shared/base --
mine
-- shared/theirs --
yours
-- listed/ours --
mine
-- acl.py --
# A default access list for a folder: user rwx, group rwx, others nothing.
import os, struct
entries = [(0x01, 7), (0x04, 7), (0x20, 0)]
value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", t, p, 0xFFFFFFFF) for t, p in entries)
try:
    os.setxattr("listed", "system.posix_acl_default", value)
except OSError:
    pass  # the result is the same where there are no such lists
-- same.sh --
# Is the file the same one after a merge, with the same group and rights?
before=$(stat -c '%i %g %a' $1/ours)
nanoclaw merge-file $1/ours shared/base shared/theirs
[ "$before" = "$(stat -c '%i %g %a' $1/ours)" ] || ${2:-echo another file}
== run ==
# Only root can give a folder to a group that it is not in.
$ chgrp 1 shared 2> /dev/null && chmod g+s shared && sh same.sh shared || sh same.sh shared true
$ chgrp "$(id -g)" shared; chmod g-s shared
$ python3 acl.py; getfattr=$(python3 -c 'import os; print(os.listxattr("listed"))'); \
  case $getfattr in *acl_default*) sh same.sh listed ;; *) sh same.sh listed true ;; esac
$ python3 -c 'import os; [os.removexattr("listed", a) for a in os.listxattr("listed") if "acl" in a]'
== after ==
-- shared/ours --
yours
-- listed/ours --
yours
