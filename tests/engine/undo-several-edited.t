# undo of several operations names the one that left the edited file
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
1
2
3
4
5
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
adds: [x.txt]
-- skills/x/modify/a.txt --
x
1
2
3
4
5
-- skills/x/add/x.txt --
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
1
2
3
4
5
y
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y; nanoclaw -q skill remove y
> x 1.0.0 applied
> y 1.0.0 applied
> y 1.0.0 removed
$ cp x.txt x; echo edited >> x.txt
$ nanoclaw undo 3
? 2
2> error: 'x.txt' has changed since 'skill apply'
2> hint: nothing was changed; 'nanoclaw undo 3 --set-aside' does it, and puts your version in '.nanoclaw/kept'
$ mv x x.txt; cp a.txt a; echo edited >> a.txt
$ nanoclaw undo 3
? 2
2> error: 'a.txt' has changed since 'skill remove'
2> hint: nothing was changed; 'nanoclaw undo 3 --set-aside' does it, and puts your version in '.nanoclaw/kept'
$ mv a a.txt
$ nanoclaw undo 3
> 'skill remove y' is undone
> 'skill apply y' is undone
> 'skill apply x' is undone
>   restored  a.txt
>   removed   x.txt
