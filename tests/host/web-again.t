# a dashboard makes its socket again if somebody removes it or its folder, and gives links by it
ignore: **
== run ==
$ : >log; (nanoclaw web --socket >>log 2>&1 &); tail -f -n +1 log | grep -m1 -o 'dashboard is running'
> dashboard is running
$ rm -rf data/run; tail -f -n +1 log | grep -m1 -o 'socket .* made again'
> socket 'web.sock' was gone and is made again
$ nanoclaw web | grep -c '#code='
> 1
2> the link works once, for a minute; 'nanoclaw web' prints another
$ rm data/run/web.sock; tail -f -n +1 log | grep -m2 -o 'socket .* made again'
> socket 'web.sock' was gone and is made again
> socket 'web.sock' was gone and is made again
$ nanoclaw web | grep -c '#code='
> 1
2> the link works once, for a minute; 'nanoclaw web' prints another
