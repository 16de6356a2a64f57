# usage is shown by group, model and day, with the budgets and what is left of them
needs: sqlite3
ignore: store data groups
-- .env [600] --
TZ=Europe/Berlin
NANOCLAW_DAILY_DOLLARS=2
NANOCLAW_TOTAL_MONTHLY_DOLLARS=20
NANOCLAW_AGENT=claude
-- fill [755] --
#!/bin/sh
# Four days of three groups, one of which is gone.
sqlite3 store/nanoclaw.db <<'SQL'
INSERT INTO usage_days VALUES
 ('2026-11-02', 'main', 'claude-opus-5-5', 9, 9000, 4000, 100000, 20000, 3000000, 0, 0),
 ('2026-11-14', 'main', 'claude-sonnet-5-5', 12, 12345, 2345, 120000, 20000, 451200, 0, 0),
 ('2026-11-15', 'family', 'claude-sonnet-5-5', 3, 1200, 800, 0, 0, 10400, 0, 0),
 ('2026-11-15', 'old', 'claude-haiku-4-5', 1, 100, 50, 0, 0, 350, 0, 0),
 ('2026-11-16', 'main', 'claude-opus-5-5', 30, 40000, 90000, 2000000, 100000, 2500000, 0, 0),
 ('2026-11-16', 'family', 'local-model', 2, 5000, 600, 0, 0, 0, 2, 0),
 ('2026-11-16', 'family', 'claude-sonnet-5-5', 20, 1000000, 34000, 0, 0, 1704000, 0, 0);
SQL
== run ==
$ nanoclaw usage
? 2
2> error: this project has no usage yet
2> hint: 'nanoclaw start' starts the assistant
$ nanoclaw -q group add local:family Family --folder family
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
$ nanoclaw usage --month 13
? 2
2> error: '--month' is this month, and takes no number
2> hint: '--days 60' shows more
$ nanoclaw usage
> nothing was used from 2001-01-28 to 2001-02-03 (UTC)
>
> budgets
>   all groups  $0.00 of $20.00 this month  0 %
>   main        $0.00 of $2.00 today        0 %
>   family      $0.00 of $2.00 today        0 %
$ ./fill
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage
> from 2026-11-10 to 2026-11-16 (UTC)
>
> group   requests         in      out  cache read  cache write         cost
> main          42     52,345   92,345   2,120,000      120,000        $2.95  ####################
> family        25  1,006,200   35,400           0            0  up to $1.71  ############
> old            1        100       50           0            0      $0.0004  #
> total         68  1,058,645  127,795   2,120,000      120,000  up to $4.67
>
> Some models have no price, and count like the dearest one:
> 'nanoclaw usage --by model' shows which. Set their prices in 'data/prices.json'.
>
> budgets
>   all groups  $7.67 of $20.00 this month   38 %  ########
>   main        $2.50 of $2.00 today        125 %  ####################  paused until 2026-11-17 00:00 (UTC)
>   family      $1.70 of $2.00 today         85 %  #################
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage --by model --month
> from 2026-11-01 to 2026-11-16 (UTC)
>
> model              requests         in      out  cache read  cache write         cost
> claude-opus-5-5          39     49,000   94,000   2,100,000      120,000        $5.50  ####################
> claude-sonnet-5-5        35  1,013,545   37,145     120,000       20,000        $2.17  ########
> claude-haiku-4-5          1        100       50           0            0      $0.0004  #
> local-model               2      5,000      600           0            0      unknown
> total                    77  1,067,645  131,795   2,220,000      140,000  up to $7.67
>
> Some models have no price, and count like the dearest one:
> 'nanoclaw usage --by model' shows which. Set their prices in 'data/prices.json'.
>
> budgets
>   all groups  $7.67 of $20.00 this month   38 %  ########
>   main        $2.50 of $2.00 today        125 %  ####################  paused until 2026-11-17 00:00 (UTC)
>   family      $1.70 of $2.00 today         85 %  #################
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage family
> from 2026-11-10 to 2026-11-16 (UTC)
>
> day         requests         in     out  cache read  cache write         cost
> 2026-11-15         3      1,200     800           0            0      $0.0104  #
> 2026-11-16        22  1,005,000  34,600           0            0  up to $1.70  ####################
> total             25  1,006,200  35,400           0            0  up to $1.71
>
> Some models have no price, and count like the dearest one:
> 'nanoclaw usage --by model' shows which. Set their prices in 'data/prices.json'.
>
> budgets
>   all groups  $7.67 of $20.00 this month  38 %  ########
>   family      $1.70 of $2.00 today        85 %  #################
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage --by day --days 2
> from 2026-11-15 to 2026-11-16 (UTC)
>
> day         requests         in      out  cache read  cache write         cost
> 2026-11-15         4      1,300      850           0            0      $0.0108  #
> 2026-11-16        52  1,045,000  124,600   2,000,000      100,000  up to $4.20  ####################
> total             56  1,046,300  125,450   2,000,000      100,000  up to $4.21
>
> Some models have no price, and count like the dearest one:
> 'nanoclaw usage --by model' shows which. Set their prices in 'data/prices.json'.
>
> budgets
>   all groups  $7.67 of $20.00 this month   38 %  ########
>   main        $2.50 of $2.00 today        125 %  ####################  paused until 2026-11-17 00:00 (UTC)
>   family      $1.70 of $2.00 today         85 %  #################
# A group that is gone has used what it has used.
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage old
> from 2026-11-10 to 2026-11-16 (UTC)
>
> day         requests   in  out  cache read  cache write     cost
> 2026-11-15         1  100   50           0            0  $0.0004  ####################
>
> budgets
>   all groups  $7.67 of $20.00 this month  38 %  ########
$ nanoclaw usage nobody
? 2
2> error: there is no group 'nobody'
2> hint: 'nanoclaw group list' lists them
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw --json usage family --days 1 --by model
> {
>   "budgets": [
>     {
>       "amount": 20000000,
>       "group": null,
>       "limit": "monthlyDollars",
>       "percent": 38,
>       "state": "ok",
>       "unit": "microUsd",
>       "until": "2026-12-01T00:00:00.000Z",
>       "used": 7665950
>     },
>     {
>       "amount": 2000000,
>       "group": "family",
>       "limit": "dailyDollars",
>       "percent": 85,
>       "state": "low",
>       "unit": "microUsd",
>       "until": "2026-11-17T00:00:00.000Z",
>       "used": 1704000
>     }
>   ],
>   "by": "model",
>   "from": "2026-11-16",
>   "rows": [
>     {
>       "cacheReadTokens": 0,
>       "cacheWriteTokens": 0,
>       "costMicroUsd": 1704000,
>       "estimatedRequests": 0,
>       "inputTokens": 1000000,
>       "model": "claude-sonnet-5-5",
>       "outputTokens": 34000,
>       "requests": 20,
>       "unpricedRequests": 0
>     },
>     {
>       "cacheReadTokens": 0,
>       "cacheWriteTokens": 0,
>       "costMicroUsd": null,
>       "estimatedRequests": 0,
>       "inputTokens": 5000,
>       "model": "local-model",
>       "outputTokens": 600,
>       "requests": 2,
>       "unpricedRequests": 2
>     }
>   ],
>   "success": true,
>   "timeZone": "UTC",
>   "to": "2026-11-16",
>   "total": {
>     "cacheReadTokens": 0,
>     "cacheWriteTokens": 0,
>     "costMicroUsd": 1704000,
>     "estimatedRequests": 0,
>     "inputTokens": 1005000,
>     "outputTokens": 34600,
>     "requests": 22,
>     "unpricedRequests": 2
>   }
> }
# The day begins where the installation is: in Berlin it is the 17th already.
$ export SOURCE_DATE_EPOCH=1794870000; env -u TZ nanoclaw usage --days 1
> nothing was used from 2026-11-17 to 2026-11-17 (Europe/Berlin)
>
> budgets
>   all groups  $7.67 of $20.00 this month  38 %  ########
>   main        $0.00 of $2.00 today         0 %
>   family      $0.00 of $2.00 today         0 %
# A limit of a group goes before that of all, and can be none.
$ nanoclaw -q group config main budget.dailyDollars none
> 'budget.dailyDollars' of 'main' is set
$ nanoclaw -q group config main budget.dailyTokens 2300000
> 'budget.dailyTokens' of 'main' is set
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage main --days 1; nanoclaw status
> from 2026-11-16 to 2026-11-16 (UTC)
>
> day         requests      in     out  cache read  cache write   cost
> 2026-11-16        30  40,000  90,000   2,000,000      100,000  $2.50  ####################
>
> budgets
>   all groups  $7.67 of $20.00 this month           38 %  ########
>   main        2,230,000 of 2,300,000 tokens today  96 %  ###################
> no skills have been applied here
> assistant: not running ('nanoclaw start' starts it)
>   groups 2, messages 0, waiting 0, being answered 0
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw doctor | grep -e budgets -e prices
> ok       budgets      no group is paused by its budget
> warning  prices       the price of the model 'local-model' is unknown, and it counts like the dearest: set it in 'data/prices.json'
$ echo '{"local-model": {"input": 0.1}}' >data/prices.json; nanoclaw doctor | grep prices
> problem  prices       data/prices.json: 'local-model': 'input' and 'output' are needed; the default prices are used
# What a server did not tell is an estimate, and marked.
$ sqlite3 store/nanoclaw.db "UPDATE usage_days SET estimated = 2 WHERE model = 'local-model'"
$ export SOURCE_DATE_EPOCH=1794844800; nanoclaw usage family --by model --days 1
> from 2026-11-16 to 2026-11-16 (UTC)
>
> model              requests          in      out  cache read  cache write         cost
> claude-sonnet-5-5        20   1,000,000   34,000           0            0        $1.70  ####################
> local-model               2      ~5,000     ~600           0            0      unknown
> total                    22  ~1,005,000  ~34,600           0            0  up to $1.70
>
> Some models have no price, and count like the dearest one:
> 'nanoclaw usage --by model' shows which. Set their prices in 'data/prices.json'.
>
> ~ includes estimates: the server did not say how many tokens 2 requests took.
>
> budgets
>   all groups  about $7.67 of $20.00 this month  38 %  ########
>   family      about $1.70 of $2.00 today        85 %  #################
# What is asked for wrongly.
$ nanoclaw usage --by week
? 2
2> error: '--by' must be group, model or day, not 'week'
$ nanoclaw usage --days 0
? 2
2> error: '--days' takes a number from 1 to 3660, not '0'
$ nanoclaw usage --days 3 --month
? 2
2> error: '--days' and '--month' cannot be used together
$ NANOCLAW_DAILY_TOKENS=many nanoclaw usage
? 2
2> error: NANOCLAW_DAILY_TOKENS is 'many', and must be a number of tokens, or 'none'
2> hint: change it in '.env' or in the environment
