# several requests in one message are done one after the other, and a sentence with 'and' is one
needs: sandbox
ignore: store data logs groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
== run ==
$ nanoclaw start
< remind me to call mom on 2035-02-17 at 5pm and add milk to shopping
< add cheese to shopping and remind me to shop on 2035-02-17 at 6pm
< remember milk, then remind me on 2035-02-17 at 9am to buy it
< añade leche a la compra y recuérdame el 17.2.2035 a las 9 llamar a Ana
< setz Milch auf die Einkaufsliste und erinnere mich am 17.2.2035 um 9 Uhr an Oma
< remind me to call mom on 2035-02-17 at 5pm and bring the cake
< yes
< remind me on 2035-02-17 at 9am to call Ann and cancel the flight
< yes
< remind me to call Ann on 2035-02-17 at 5pm and cancel mom
< no
< remind me at 9 and 18:30 every day to drink and to eat
< remind me on 2035-02-17 at 9am to take the bins out and put the car in the garage
< no, at 8am
< remind me on 2035-02-17 at 9am to eat. Then remind me on 2035-02-18 at 9am to sleep
< erinnere mich am 17.2.2035 um 9 Uhr an Oma und Opa
< every monday and friday at 9 remind me to run
< remind me to buy milk and eggs on 2035-02-17 at 9am
< cancel 1, then cancel 2 and add x to shopping
> I will remind you on Saturday, 17 February 2035 at 17:00 (UTC): call mom
> 'cancel 1' takes it back.
> 'milk' is now on the list 'shopping'.
> 'cheese' is now on the list 'shopping'.
> I will remind you on Saturday, 17 February 2035 at 18:00 (UTC): shop
> 'cancel 2' takes it back.
> Noted: milk
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): buy it
> 'cancel 3' takes it back.
> 'leche' is now on the list 'compra'.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): llamar a Ana
> If you meant something else, tell me: you did not say am or pm.
> 'cancel 4' takes it back.
> 'Milch' is now on the list 'Einkaufsliste'.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): Oma
> 'cancel 5' takes it back.
> Did you mean Saturday, 17 February 2035 at 17:00 (UTC): call mom on 2035-02-17 at 5pm and bring the cake?
> I ask because the time is in the middle of the text. Say 'yes', or for example 'no, at 5am'.
> I will remind you on Saturday, 17 February 2035 at 17:00 (UTC): call mom on 2035-02-17 at 5pm and bring the cake
> 'cancel 6' takes it back.
> Did you mean Saturday, 17 February 2035 at 09:00 (UTC): call Ann and cancel the flight?
> I ask because the end may be a request of its own. Say 'yes', or for example 'no, at 5am'.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): call Ann and cancel the flight
> 'cancel 7' takes it back.
> Did you mean Saturday, 17 February 2035 at 17:00 (UTC): call Ann on 2035-02-17 at 5pm and cancel mom?
> I ask because the time is in the middle of the text. Say 'yes', or for example 'no, at 5am'.
> OK, I changed nothing.
> I will remind you every day at 09:00 and 18:30, first [..] (UTC): drink and to eat
> 'cancel 8' takes it back.
> Did you mean Saturday, 17 February 2035 at 09:00 (UTC): take the bins out and put the car in the garage?
> I ask because the end may be a request of its own. Say 'yes', or for example 'no, at 5am'.
> I will remind you on Saturday, 17 February 2035 at 08:00 (UTC): take the bins out and put the car in the garage
> 'cancel 9' takes it back.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): eat
> 'cancel 10' takes it back.
> I will remind you on Sunday, 18 February 2035 at 09:00 (UTC): sleep
> 'cancel 11' takes it back.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): Oma und Opa
> 'cancel 12' takes it back.
> I will remind you every Monday and Friday at 09:00, first [..] (UTC): run
> If you meant something else, tell me: you did not say am or pm.
> 'cancel 13' takes it back.
> I will remind you on Saturday, 17 February 2035 at 09:00 (UTC): buy milk and eggs
> 'cancel 14' takes it back.
> Cancelled: call mom
> Cancelled: shop
> 'x' is now on the list 'shopping'.
