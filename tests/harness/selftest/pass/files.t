# files are there with exact bytes, modes and targets
-- plain --
text
-- deep/er/tool [755] --
#!/bin/sh
echo ran
-- bytes [hex] --
00 ff
0a
-- open [no-newline] --
x
-- dos [crlf] --
x
-- both [600 crlf no-newline] --
x
y
-- nothing --
-- folder/ [700] --
-- link -> deep/er/tool --
-- name with [brackets] and spaces [644] --
== run ==
$ od -An -tx1 bytes open dos both | tr '\n' ' '
>  00 ff 0a 78 78 0d 0a 78 0d 0a 79 [no-newline]
$ ./link
> ran
$ stat -c '%a %s %F' plain both nothing folder link
> 644 5 regular file
> 600 4 regular file
> 644 0 regular empty file
> 700 [..] directory
> 777 12 symbolic link
$ ls | grep name
> name with [brackets] and spaces
