/*
 * Several bots: the setting TELEGRAM_BOTS names them, separated by commas. The token of the bot
 * "work" is in TELEGRAM_BOT_TOKEN_WORK.
 */
#ifndef CHANNELS_TELEGRAM_BOTS_H
#define CHANNELS_TELEGRAM_BOTS_H

/*
 * Call `each` with each name and the name of the setting with its token. `bots` may be NULL. Names
 * that are not made of small letters and digits are left out, with a warning.
 */
void telegram_bots_each(const char *bots,
	void (*each)(const char *name, const char *token_setting, void *data), void *data);

#endif
