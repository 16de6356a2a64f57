# merge-file takes and refuses options as git does
needs: git
-- ours --
mine
=======
-- base --
old
-- theirs --
yours
-- same.sh --
# The same bytes and the same exit code?
git merge-file "$@" ours base theirs > git.out 2> /dev/null
git_code=$?
nanoclaw merge-file "$@" ours base theirs > our.out 2> /dev/null
our_code=$?
cmp git.out our.out && echo "$* $git_code $our_code"
rm git.out our.out
== run ==
$ for size in 0 -4 65535 65536 70000 4294967296 4294967299 -4294967290 99999999999999999999; do \
      sh same.sh -p --marker-size=$size; sh same.sh -p --diff3 --marker-size=$size; \
  done
> -p --marker-size=0 1 1
> -p --diff3 --marker-size=0 1 1
> -p --marker-size=-4 1 1
> -p --diff3 --marker-size=-4 1 1
> -p --marker-size=65535 1 1
> -p --diff3 --marker-size=65535 1 1
> -p --marker-size=65536 1 1
> -p --diff3 --marker-size=65536 1 1
> -p --marker-size=70000 1 1
> -p --diff3 --marker-size=70000 1 1
> -p --marker-size=4294967296 1 1
> -p --diff3 --marker-size=4294967296 1 1
> -p --marker-size=4294967299 1 1
> -p --diff3 --marker-size=4294967299 1 1
> -p --marker-size=-4294967290 1 1
> -p --diff3 --marker-size=-4294967290 1 1
> -p --marker-size=99999999999999999999 1 1
> -p --diff3 --marker-size=99999999999999999999 1 1
$ for option in --qui --no-q --quiet -q --end-of-options; do sh same.sh -p $option; done
> -p --qui 1 1
> -p --no-q 1 1
> -p --quiet 1 1
> -p -q 1 1
> -p --end-of-options 1 1
$ for option in --no --no- --n --js --no-c --=x; do \
      git merge-file -p $option ours base theirs > /dev/null 2>&1; echo $option $?; \
  done
> --no 129
> --no- 129
> --n 129
> --js 129
> --no-c 129
> --=x 129
$ for option in --no --no- --n --js --no-c --=x; do nanoclaw merge-file -p $option ours base theirs; done
? 129
2> error: option '--no' could be '--no-stdout' or '--no-marker-size'
2> hint: 'nanoclaw merge-file --help' shows the options
2> error: option '--no-' could be '--no-stdout' or '--no-marker-size'
2> hint: 'nanoclaw merge-file --help' shows the options
2> error: option '--n' could be '--no-stdout' or '--no-marker-size'
2> hint: 'nanoclaw merge-file --help' shows the options
2> error: unknown option '--js'
2> hint: did you mean '--json'?
2> error: unknown option '--no-c'
2> hint: did you mean '--no-color'?
2> error: option '--' could be '--stdout' or '--no-marker-size'
2> hint: 'nanoclaw merge-file --help' shows the options
$ nanoclaw merge-file -h | head -n 1
> nanoclaw merge-file: merge three versions of a file, like git merge-file
$ nanoclaw merge-file -h > help.out; echo $?; rm help.out
> 129
$ nanoclaw merge-file -p --end-of-options ours base theirs
? 1
> <<<<<<< ours
> mine
> =======
> =======
> yours
> >>>>>>> theirs
$ nanoclaw merge-file --marker-size=2000000000 ours base theirs
? 255
2> error: conflict markers of 2000000000 characters are too long: the maximum is 1048576
