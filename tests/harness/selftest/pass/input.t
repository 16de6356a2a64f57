# a command gets its input, and goes on in the next line
== run ==
$ tr a-z \
  A-Z
< one
<
< two
> ONE
>
> TWO
