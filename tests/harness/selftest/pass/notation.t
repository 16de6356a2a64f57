# output that is no plain text has a notation
== run ==
$ printf 'one\r\n\001\377 \303\274\n'
> one[0d]
> [01][ff] ü
$ printf 'no end'
> no end[no-newline]
$ pwd
> [dir]
$ echo '[..] [dir] [0d] [x]'; echo ...
> [5b]..] [5b]dir] [5b]0d] [x]
> [2e]..
$ echo
>
