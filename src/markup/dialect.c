#include "markup/dialect.h"

#include <string.h>

#define RULE "\u2014\u2014\u2014"

/* The styles are strong, emphasis, deleted and code, in this order. */
static const struct dialect dialects[] = {
	[MARKUP_SOURCE] = {.name = "markdown"},
	[MARKUP_PLAIN] =
		{
			.name = "plain",
			.code_block = {"", ""},
			.quote_line = "> ",
			.bullet = "- ",
			.rule = RULE,
		},
	[MARKUP_TELEGRAM] =
		{
			.name = "telegram",
			.styles = {{"<b>", "</b>"}, {"<i>", "</i>"}, {"<s>", "</s>"},
				{"<code>", "</code>"}},
			.code_block = {"<pre>", "</pre>"},
			.code_language = {"<pre><code class=\"language-", "</code></pre>"},
			.code_language_end = "\">",
			.quote = {"<blockquote>", "</blockquote>"},
			.bullet = "\u2022 ",
			.rule = RULE,
			.escaping = ESCAPE_XML,
			.link = LINK_TAG,
		},
	[MARKUP_SLACK] =
		{
			.name = "slack",
			.styles = {{"*", "*"}, {"_", "_"}, {"~", "~"}, {"`", "`"}},
			.code_block = {"```\n", "\n```"},
			.quote_line = "> ",
			.bullet = "\u2022 ",
			.rule = RULE,
			.escaping = ESCAPE_XML,
			.link = LINK_ANGLES,
			.bounded = true,
		},
	[MARKUP_WHATSAPP] =
		{
			.name = "whatsapp",
			.styles = {{"*", "*"}, {"_", "_"}, {"~", "~"}, {"`", "`"}},
			.code_block = {"```\n", "\n```"},
			.quote_line = "> ",
			.bullet = "- ",
			.rule = RULE,
			.bounded = true,
		},
	[MARKUP_DISCORD] =
		{
			.name = "discord",
			.styles = {{"**", "**"}, {"*", "*"}, {"~~", "~~"}, {"`", "`"}},
			.code_block = {"```\n", "\n```"},
			.code_language = {"```", "\n```"},
			.code_language_end = "\n",
			.quote_line = "> ",
			.bullet = "- ",
			.rule = RULE,
			.escaping = ESCAPE_BACKSLASH,
			.link = LINK_BRACKETS,
		},
	[MARKUP_IRC] =
		{
			.name = "irc",
			.styles = {{"\x02", "\x02"}, {"\x1d", "\x1d"}, {"\x1e", "\x1e"},
				{"\x11", "\x11"}},
			.code_block = {"", ""},
			.quote_line = "> ",
			.bullet = "- ",
			.rule = RULE,
		},
	[MARKUP_HTML] =
		{
			.name = "html",
			.styles = {{"<strong>", "</strong>"}, {"<em>", "</em>"},
				{"<del>", "</del>"}, {"<code>", "</code>"}},
			.code_block = {"<pre><code>", "\n</code></pre>\n"},
			.code_language = {"<pre><code class=\"language-", "\n</code></pre>\n"},
			.code_language_end = "\">",
			.quote = {"<blockquote>\n", "</blockquote>\n"},
			.bullet = "",
			.rule = "<hr>\n",
			.escaping = ESCAPE_XML,
			.link = LINK_TAG,
			.blocks = true,
			.nests = true,
		},
	[MARKUP_TERMINAL] =
		{
			.name = "terminal",
			.styles = {{"\033[1m", "\033[22m"}, {"\033[3m", "\033[23m"},
				{"\033[9m", "\033[29m"}, {"\033[33m", "\033[39m"}},
			.code_block = {"", ""},
			.code_indent = "    ",
			.quote_line = "\u2502 ",
			.bullet = "\u2022 ",
			.rule = RULE,
		},
	[MARKUP_TERMINAL_PLAIN] =
		{
			.name = "terminal-plain",
			.styles = {[STYLE_CODE] = {"`", "`"}},
			.code_block = {"", ""},
			.code_indent = "    ",
			.quote_line = "\u2502 ",
			.bullet = "\u2022 ",
			.rule = RULE,
		},
};

const struct dialect *dialect_get(enum markup_dialect dialect)
{
	return &dialects[dialect];
}

bool markup_dialect_find(const char *name, enum markup_dialect *ret_dialect)
{
	for (size_t i = 0; i < MARKUP_TERMINAL; i++)
		if (!strcmp(name, dialects[i].name)) {
			*ret_dialect = (enum markup_dialect)i;
			return true;
		}
	return false;
}
