#include "markup/dialect.h"

#include <string.h>

#define RULE "\u2014\u2014\u2014"

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
			.styles =
				{
					[STYLE_STRONG] = {"<b>", "</b>"},
					[STYLE_EMPHASIS] = {"<i>", "</i>"},
					[STYLE_DELETED] = {"<s>", "</s>"},
					[STYLE_CODE] = {"<code>", "</code>"},
				},
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
			.styles =
				{
					[STYLE_STRONG] = {"*", "*"},
					[STYLE_EMPHASIS] = {"_", "_"},
					[STYLE_DELETED] = {"~", "~"},
					[STYLE_CODE] = {"`", "`"},
				},
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
			.styles =
				{
					[STYLE_STRONG] = {"*", "*"},
					[STYLE_EMPHASIS] = {"_", "_"},
					[STYLE_DELETED] = {"~", "~"},
					[STYLE_CODE] = {"`", "`"},
				},
			.code_block = {"```\n", "\n```"},
			.quote_line = "> ",
			.bullet = "- ",
			.rule = RULE,
			.bounded = true,
		},
	[MARKUP_DISCORD] =
		{
			.name = "discord",
			.styles =
				{
					[STYLE_STRONG] = {"**", "**"},
					[STYLE_EMPHASIS] = {"*", "*"},
					[STYLE_DELETED] = {"~~", "~~"},
					[STYLE_CODE] = {"`", "`"},
				},
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
			.styles =
				{
					[STYLE_STRONG] = {"\x02", "\x02"},
					[STYLE_EMPHASIS] = {"\x1d", "\x1d"},
					[STYLE_DELETED] = {"\x1e", "\x1e"},
					[STYLE_CODE] = {"\x11", "\x11"},
				},
			.code_block = {"", ""},
			.quote_line = "> ",
			.bullet = "- ",
			.rule = RULE,
		},
	[MARKUP_HTML] =
		{
			.name = "html",
			.styles =
				{
					[STYLE_STRONG] = {"<strong>", "</strong>"},
					[STYLE_EMPHASIS] = {"<em>", "</em>"},
					[STYLE_DELETED] = {"<del>", "</del>"},
					[STYLE_CODE] = {"<code>", "</code>"},
				},
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
			.styles =
				{
					[STYLE_STRONG] = {"\033[1m", "\033[22m"},
					[STYLE_EMPHASIS] = {"\033[3m", "\033[23m"},
					[STYLE_DELETED] = {"\033[9m", "\033[29m"},
					[STYLE_CODE] = {"\033[33m", "\033[39m"},
				},
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
