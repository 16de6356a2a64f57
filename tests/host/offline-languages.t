# what is coming up is asked without apostrophes, in German and in Spanish; a number without a unit is asked about
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw start
< remind me on 2035-02-18 at 8am to run
< erinnere mich am 17.2.2035 um halb 18 an Oma
< dont let me forget the rent on 2035-02-17 at 9am
< tasks
< show me my tasks
< zeig mir meine Aufgaben
< zeig mir alle Erinnerungen
< muéstrame mis tareas, por favor
< whats on 2035-02-17
< what do I have on 2035-02-17?
< was steht am 17.2.2035 an?
< Was habe ich am 17.2.2035 vor?
< ¿qué tengo el 17 de febrero de 2035?
< muéstrame el 17 de febrero de 2035
< whats on tomorrow
< was steht morgen an?
< zeig mir heute
< remind me in 5 to call mum
< hours
< remind me every friday the 13th to hide
< lösche die Erinnerung an Oma
< borra el recordatorio de run
< cancel rent
< remind me on 2035-02-17 at 9am
< to sing
< stell den Wecker auf 7 Uhr
< cancel the alarm
< delete all my reminders
< ja
> I will remind you on Sunday, 18 February 2035 at 08:00 (UTC): run
> 'cancel 1' takes it back.
> I will remind you on Saturday, 17 February 2035 at 17:30 (UTC): Oma
> 'cancel 2' takes it back.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): the rent
> 'cancel 3' takes it back.
> 3: the rent (Saturday, 17 February 2035 at 09:00)
> 2: Oma (Saturday, 17 February 2035 at 17:30)
> 1: run (Sunday, 18 February 2035 at 08:00)
> 3: the rent (Saturday, 17 February 2035 at 09:00)
> 2: Oma (Saturday, 17 February 2035 at 17:30)
> 1: run (Sunday, 18 February 2035 at 08:00)
> 3: the rent (Saturday, 17 February 2035 at 09:00)
> 2: Oma (Saturday, 17 February 2035 at 17:30)
> 1: run (Sunday, 18 February 2035 at 08:00)
> 3: the rent (Saturday, 17 February 2035 at 09:00)
> 2: Oma (Saturday, 17 February 2035 at 17:30)
> 1: run (Sunday, 18 February 2035 at 08:00)
> 3: the rent (Saturday, 17 February 2035 at 09:00)
> 2: Oma (Saturday, 17 February 2035 at 17:30)
> 1: run (Sunday, 18 February 2035 at 08:00)
> Saturday, 17 February 2035 at 09:00: the rent (3)
> Saturday, 17 February 2035 at 17:30: Oma (2)
> Saturday, 17 February 2035 at 09:00: the rent (3)
> Saturday, 17 February 2035 at 17:30: Oma (2)
> Saturday, 17 February 2035 at 09:00: the rent (3)
> Saturday, 17 February 2035 at 17:30: Oma (2)
> Saturday, 17 February 2035 at 09:00: the rent (3)
> Saturday, 17 February 2035 at 17:30: Oma (2)
> Saturday, 17 February 2035 at 09:00: the rent (3)
> Saturday, 17 February 2035 at 17:30: Oma (2)
> Saturday, 17 February 2035 at 09:00: the rent (3)
> Saturday, 17 February 2035 at 17:30: Oma (2)
> Nothing.
> Nothing.
> Nothing.
> Did you mean [..] (UTC): call mum?
> I ask because you did not say minutes or hours. Say 'yes', or for example 'hours'.
> I will remind you [..] (UTC): call mum
> 'cancel 4' takes it back.
> I did not set that. I can repeat days of the week or a day of the month, such as 'every Friday' or 'every 13th', but not both at once.
> Cancelled: Oma
> Cancelled: run
> Cancelled: the rent
> What should I remind you of? Say, for example, 'remind me to call mum tomorrow at 9'.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): sing
> 'cancel 5' takes it back.
> I will remind you [..] (UTC): wake up
> 'cancel 6' takes it back.
> Cancelled: wake up
> That cancels all of these:
> 4: call mum ([..])
> 5: sing (Saturday, 17 February 2035 at 09:00)
> If you are sure, say 'yes' or 'yes, cancel all'.
> Cancelled: call mum
> Cancelled: sing
