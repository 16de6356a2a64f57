# a backup keeps no key behind a quote that is never closed, no half of a model's settings; a restore changes no setting of ours
ignore: store groups data
-- .env --
ASSISTANT_NAME="Andy
ANTHROPIC_API_KEY=sk-1
TZ="UTC
NANOCLAW_AGENT=native
NANOCLAW_PROVIDER=custom
NANOCLAW_MODEL=llama
NANOCLAW_MODEL_URL=https://ann.example.org/v1
NANOCLAW_TURN_TRIES=5
-- kept [755] --
#!/bin/sh
# The settings that a backup keeps.
nanoclaw -q backup store/backups/b.tar.gz --force >/dev/null && tar xzOf store/backups/b.tar.gz .env
-- restored [755] --
#!/bin/sh
# What becomes of this .env.
printf "$1" >.env && nanoclaw restore store/backups/b.tar.gz 2>&1 >/dev/null | grep 'stays as'
cat .env
== run ==
$ mv .env bad; nanoclaw -q group add slack:C1 Dev --folder dev >/dev/null; mkdir store/backups; mv bad .env; ./kept
> NANOCLAW_TURN_TRIES=5
# The address is what makes it a secret: without one they are all kept, and come back all together.
$ sed -i '2,3d; /_URL/d; s/^ASS.*/TZ=UTC/' .env; ./kept
> TZ=UTC
> NANOCLAW_AGENT=native
> NANOCLAW_PROVIDER=custom
> NANOCLAW_MODEL=llama
> NANOCLAW_TURN_TRIES=5
$ ./restored 'NANOCLAW_TURN_TRIES=7\n'
> NANOCLAW_TURN_TRIES=7
> TZ=UTC
> NANOCLAW_AGENT=native
> NANOCLAW_PROVIDER=custom
> NANOCLAW_MODEL=llama
$ ./restored 'ANTHROPIC_BASE_URL=https://example.org\nTZ=UTC\n'
> ANTHROPIC_BASE_URL=https://example.org
> TZ=UTC
> NANOCLAW_TURN_TRIES=5
# A line in a value of several lines is no setting.
$ ./restored 'KEY="one\nTZ=two\nthree"\nNANOCLAW_AGENT=offline\n'
> KEY="one
> TZ=two
> three"
> NANOCLAW_AGENT=offline
> TZ=UTC
> NANOCLAW_TURN_TRIES=5
# A quote that is never closed would take in what is added behind it.
$ printf 'ASSISTANT_NAME="Tom\047s Ann"\nNANOCLAW_TURN_TRIES=5\n' >.env; ./kept; ./restored 'KEY="one\nNANOCLAW_AGENT=offline\n'
> ASSISTANT_NAME="Tom's Ann"
> NANOCLAW_TURN_TRIES=5
> warning: '.env' stays as it is: it would change KEY in '.env'; look for quotes that are not closed
> KEY="one
> NANOCLAW_AGENT=offline
== after ==
-- .env [600] --
KEY="one
NANOCLAW_AGENT=offline
