#include "cli/output.h"

#include <stdio.h>

#include "util/json.h"
#include "util/log.h"

void output_json(json_t *document)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	json_write_ours(document, true, &text);
	fwrite(text.data, 1, text.len, stdout);
	json_decref(document);
}

void output_error(const struct cli *cli, const struct error *err)
{
	log_error("%s", err->message);
	if (err->hint)
		log_hint("%s", err->hint);
	if (cli->json)
		output_json(json_pack("{s:b, s:s, s:s*}", "success", false, "error",
			err->message, "hint", err->hint));
}

const char *output_color(const struct cli *cli, const char *code)
{
	return cli->color ? code : "";
}
