# doctor reports missing time zones, an invalid TZ, and an '.env' that others can read
-- empty/ --
-- open/.env [644] --
TZ=Europe/Berlin
KEY=geheim
-- closed/.env [600] --
KEY=geheim
-- link/.env -> ../open/.env --
== run ==
$ TZDIR=$PWD/empty nanoclaw -q doctor | head -n 1
> problem  zone         time zones are missing: install or repair the package 'tzdata'
$ TZ=Mars/Olympus nanoclaw -q doctor
> warning  zone         the variable TZ is not a time zone name such as 'Europe/Berlin'
$ nanoclaw -q -C closed doctor
$ nanoclaw -q -C open doctor
> warning  env          others can read '.env' (its mode is 644)
>                       try: nanoclaw doctor --fix
$ nanoclaw -q -C link doctor --fix
> warning  env          cannot open '.env': a symbolic link is in the way
$! nanoclaw -q -C open doctor --fix
$ nanoclaw -C open doctor --fix | grep env
> ok       env          nobody else can read '.env'
== after ==
-- open/.env [600] --
TZ=Europe/Berlin
KEY=geheim
