# files that nobody may read are compared like any other
-- secret [000] --
text
-- locked/ [500] --
-- locked/file --
-- dark/ [000] --
-- dark/file --
== run ==
$ stat -c '%a %n' secret locked dark
> 0 secret
> 500 locked
> 0 dark
$ chmod 600 secret; chmod 700 locked; echo new >locked/file; echo new >secret; chmod 0 secret
== after ==
-- secret [000] --
new
-- locked/ [700] --
-- locked/file --
new
