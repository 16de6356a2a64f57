# a first start creates no second assistant below another, and none in somebody's git project
needs: sandbox git
ignore: .git store data groups logs container other/.git other/store other/data other/groups other/logs other/container apart/.nanoclaw apart/store apart/data apart/groups apart/logs apart/container
-- other/main.c --
int main;
-- apart/VERSION --
1.0.0
== run ==
$ cd other; git init -q; nanoclaw start
? 2
2> error: '[dir]/other' is a git project, and not a clone of NanoClaw; an assistant would create 'store', 'groups', 'data', 'container' and 'logs' in it. Not a terminal, cannot ask
2> hint: start it in a folder of its own, or with '--yes'
$ cd other; TERM=xterm script -qec 'nanoclaw start' /dev/null </dev/null | head -3; ls # nothing was created
> '[..]/other' is a git project, [..] in it.[0d]
>   [1] keep it (recommended)[0d]
>   [2] create an assistant here[0d]
> main.c
$ cd other; echo notes | nanoclaw --yes start; echo notes | nanoclaw start
> There are no notes yet. Say 'remember …' to make one.
> There are no notes yet. Say 'remember …' to make one.
$ echo notes | nanoclaw start
> There are no notes yet. Say 'remember …' to make one.
$ cd groups/main; nanoclaw start
? 2
2> error: '[dir]/groups/main' has no assistant, but is in the folder of one: '[dir]'
2> hint: 'nanoclaw -C [dir] start' talks to it; 'nanoclaw init' makes this folder a project of its own
$ cd apart; nanoclaw -q init; echo notes | nanoclaw start
> There are no notes yet. Say 'remember …' to make one.
== after ==
