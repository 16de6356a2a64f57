/* PDF files, by pdftotext. */
#include <string.h>
#include <strings.h>

#include "host/reading/reader.h"

static bool pdf_takes(const struct attachment_arrival *about)
{
	const char *dot = about->name ? strrchr(about->name, '.') : NULL;

	return reader_is_type(about, "application/pdf") || (dot && !strcasecmp(dot, ".pdf"));
}

READER(pdf_reader) = {
	.name = "pdf-reader",
	.setting = "READ_PDF",
	.command = "pdftotext -enc UTF-8 -nopgbrk - -",
	.takes = pdf_takes,
};
