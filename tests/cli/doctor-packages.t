# doctor asks the package manager once which packages are missing
-- bin/dpkg-query [755] --
#!/bin/sh
printf '%s\n' "$@" > asked
echo 'curl installed'
echo 'half config-files'
echo 'dpkg-query: no packages found matching jq' >&2
exit 1
-- rpm/rpm [755] --
#!/bin/sh
echo 'curl installed'
echo 'package jq is not installed'
exit 1
-- pacman/pacman [755] --
#!/bin/sh
echo 'curl 8.0-1'
exit 1
-- apk/apk [755] --
#!/bin/sh
echo curl
-- fine/dpkg-query [755] --
#!/bin/sh
printf '%s installed\n' curl half jq
-- hangs/dpkg-query [755] --
#!/bin/sh
kill -9 $$
-- system-packages.txt --
# from skills
curl
half
jq # for the feed
-o nothing
== run ==
$ PATH="$PWD/bin:$PATH" nanoclaw -q doctor
? 1
> problem  packages     packages required by skills are not installed: half, jq
>                       try: [..]apt-get install half jq
$ cat asked; rm asked
> -W
> -f
> ${Package} ${db:Status-Status}\n
> curl
> half
> jq
$ PATH="$PWD/bin:$PATH" nanoclaw --json doctor | grep -c '"fix": ".*apt-get install half jq"'; rm asked
> 1
$ PATH="$PWD/fine:$PATH" nanoclaw doctor | grep packages
> ok       packages     all required packages are installed: 3
$ for m in rpm pacman apk none; do PATH="$PWD/$m" "$(command -v nanoclaw)" -q doctor; done
> warning  commands     commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
> problem  packages     packages required by skills are not installed: half, jq
>                       try: [..]dnf install half jq
> warning  commands     commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
> problem  packages     packages required by skills are not installed: half, jq
>                       try: [..]pacman -S half jq
> warning  commands     commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
> problem  packages     packages required by skills are not installed: half, jq
>                       try: [..]apk add half jq
> warning  commands     commands of packages run without a sandbox, and can read '.env' and keys: 'unshare' and 'bwrap' do not work here
> warning  packages     cannot check which packages in 'system-packages.txt' are installed: no known package manager was found
$ PATH="$PWD/hangs:$PATH" nanoclaw -q doctor
> warning  packages     cannot check which packages in 'system-packages.txt' are installed: 'dpkg-query' did not answer
$ mv system-packages.txt list; ln -s list system-packages.txt; nanoclaw -q doctor
> warning  packages     cannot open 'system-packages.txt': a symbolic link is in the way
$ rm system-packages.txt; nanoclaw doctor | grep packages; mv list system-packages.txt
> ok       packages     none required
