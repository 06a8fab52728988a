/* rs3_file.c: reads the XML. */
#include "rst/rs3_file.h"

#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/grow.h"
#include "rst/build.h"
#include "rst/xml_encoding.h"
#include "base/utf8.h"
#include "text/edus.h"

#define FILE_LIMIT ((size_t)64 << 20)

enum { DEPTH_LIMIT = 100, PIECE = 1 << 20 };

typedef struct reader {
	XML_Parser xml;
	hp_rs3_file *f;
	const char *name;
	int depth; /* of elements */
	int segment_depth; /* of the segment that is open; 0: none */
	bool declared, other; /* the file names its encoding; that is not UTF-8 */
	bool failed; /* ERR says why */
	hp_error *err;
} reader;

static long line_of(const reader *r)
{
	return (long)XML_GetCurrentLineNumber(r->xml);
}

static void HP_PRINTF(2, 3) refuse(reader *r, const char *fmt, ...)
{
	char text[512];
	va_list args;

	if (r->failed)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	(void)hp_fail_at(r->err, r->name, line_of(r), "%s", text);
	r->failed = true;
	XML_StopParser(r->xml, XML_FALSE);
}

static const char *attribute(const XML_Char **atts, const char *name)
{
	for (; *atts; atts += 2) {
		if (strcmp(atts[0], name) == 0)
			return atts[1];
	}
	return NULL;
}

/* Number of a name; -1 for none or an empty one. */
static int number_of(reader *r, hp_vocab *v, const char *name)
{
	int number;

	if (!name || *name == '\0')
		return -1;
	number = hp_vocab_add(v, name, strlen(name));
	if (number < 0 && strchr(name, '\n'))
		refuse(r, "a line end in the name '%.40s'", name);
	else if (number < 0)
		refuse(r, "out of memory");
	return number;
}

/* A relation without a type is as good as one that is not declared. */
static void declare(reader *r, const XML_Char **atts)
{
	hp_rs3_file *f = r->f;
	const char *type = attribute(atts, "type");
	int relation = number_of(r, f->relations, attribute(atts, "name"));

	if (relation < 0 || !type || *type == '\0')
		return;
	if (!hp_grow(&f->type, &f->type_capacity, relation + 1, 1)) {
		refuse(r, "out of memory");
		return;
	}
	while (f->types <= relation)
		f->type[f->types++] = 0;
	f->type[relation] |= strcasecmp(type, "multinuc") == 0 ? HP_RS3_DECLARED_MULTINUC : HP_RS3_DECLARED_RST;
}

static hp_rs3_kind kind_of(const char *element, const char *type)
{
	if (strcmp(element, "segment") == 0)
		return HP_RS3_SEGMENT;
	if (type && strcmp(type, "span") == 0)
		return HP_RS3_SPAN;
	return type && strcmp(type, "multinuc") == 0 ? HP_RS3_MULTINUC : HP_RS3_GROUP;
}

static void add_node(reader *r, const char *element, const XML_Char **atts)
{
	hp_rs3_file *f = r->f;
	const char *relation = attribute(atts, "relname");
	hp_rs3_node *node;

	if (!hp_grow(&f->node, &f->node_capacity, f->nodes + 1, sizeof(*f->node))) {
		refuse(r, "out of memory");
		return;
	}
	node = &f->node[f->nodes++];
	memset(node, 0, sizeof(*node));
	node->line = line_of(r);
	node->kind = kind_of(element, attribute(atts, "type"));
	node->id = number_of(r, f->ids, attribute(atts, "id"));
	node->parent = number_of(r, f->ids, attribute(atts, "parent"));
	node->relation = node->parent < 0 ? -1 : number_of(r, f->relations, relation);
	node->text = f->size;
	if (node->id < 0)
		refuse(r, "a %s without id", element);
	else if (node->relation >= 0 && !hp_rst_is_name(relation, strlen(relation)))
		refuse(r, "relname '%.40s', expected a name without blanks, brackets or a leading //", relation);
}

static bool append(reader *r, const char *s, size_t size)
{
	hp_rs3_file *f = r->f;

	if (!hp_grow(&f->text, &f->capacity, f->size + size, 1)) {
		refuse(r, "out of memory");
		return false;
	}
	memcpy(f->text + f->size, s, size);
	f->size += size;
	return true;
}

/* Appends an attribute in XML. */
static bool append_attribute(reader *r, const char *name, const char *value)
{
	bool done = append(r, " ", 1) && append(r, name, strlen(name)) && append(r, "=\"", 2);

	while (done && *value) {
		size_t plain;
		const char *entity = hp_rs3_entity(value, strlen(value), &plain);

		done = append(r, value, plain) && append(r, entity, strlen(entity));
		value += plain + (*entity != '\0');
	}
	return done && append(r, "\"", 1);
}

/* Keeps an element of .rs4. */
static void add_extra(reader *r, int kind, const XML_Char **atts)
{
	hp_rs3_file *f = r->f;
	bool edge = kind == HP_RS3_EDGE, done = true;
	const char *relation = edge ? attribute(atts, "relname") : NULL;
	hp_rs3_extra *e;

	if (r->segment_depth > 0) /* in the middle of a text */
		return;
	if (!hp_grow(&f->extra, &f->extra_capacity, f->extras + 1, sizeof(*f->extra))) {
		refuse(r, "out of memory");
		return;
	}
	e = &f->extra[f->extras++];
	*e = (hp_rs3_extra){.kind = kind, .attributes = f->size};
	e->id = edge ? number_of(r, f->ids, attribute(atts, "id")) : -1;
	e->source = kind == HP_RS3_SIGNAL_TYPE ? -1 : number_of(r, f->ids, attribute(atts, "source"));
	e->target = edge ? number_of(r, f->ids, attribute(atts, "target")) : -1;
	e->relation = relation && hp_rst_is_name(relation, strlen(relation)) ? number_of(r, f->relations, relation) : -1;
	for (; *atts && done; atts += 2) {
		bool own =
			edge && (strcmp(atts[0], "id") == 0 || strcmp(atts[0], "target") == 0 || strcmp(atts[0], "relname") == 0);

		if (!own && (kind == HP_RS3_SIGNAL_TYPE || strcmp(atts[0], "source") != 0))
			done = append_attribute(r, atts[0], atts[1]);
	}
	if (done)
		(void)append(r, "", 1);
}

static void XMLCALL start_element(void *arg, const XML_Char *element, const XML_Char **atts)
{
	reader *r = arg;

	if (r->failed)
		return;
	if (++r->depth > DEPTH_LIMIT)
		refuse(r, "elements nest more than %d deep", DEPTH_LIMIT);
	else if (r->depth == 1 && strcmp(element, "rst") != 0)
		refuse(r, "the outermost element is <%.40s>, expected <rst>", element);
	else if (strcmp(element, "rel") == 0)
		declare(r, atts);
	else if (r->segment_depth == 0 && (strcmp(element, "segment") == 0 || strcmp(element, "group") == 0))
		add_node(r, element, atts);
	else if (strcmp(element, "secedge") == 0)
		r->f->secedges++, add_extra(r, HP_RS3_EDGE, atts);
	else if (strcmp(element, "signal") == 0)
		r->f->signals++, add_extra(r, HP_RS3_SIGNAL, atts);
	else if (strcmp(element, "sig") == 0)
		add_extra(r, HP_RS3_SIGNAL_TYPE, atts);
	if (!r->failed && r->segment_depth == 0 && strcmp(element, "segment") == 0)
		r->segment_depth = r->depth;
}

static void end_segment(reader *r)
{
	hp_rs3_file *f = r->f;
	hp_rs3_node *node = &f->node[f->nodes - 1];

	if (f->size > node->text)
		node->text_size = hp_rst_squeeze(f->text + node->text, f->size - node->text, f->text + node->text);
	if (node->text_size > 0)
		node->text_size = hp_edus_cut_paragraph(f->text + node->text, node->text_size, &node->paragraph);
	f->size = node->text + node->text_size;
}

static void XMLCALL end_element(void *arg, const XML_Char *element)
{
	reader *r = arg;

	(void)element;
	if (r->failed)
		return;
	if (r->depth == r->segment_depth) {
		end_segment(r);
		r->segment_depth = 0;
	}
	r->depth--;
}

static void XMLCALL characters(void *arg, const XML_Char *s, int length)
{
	reader *r = arg;

	if (!r->failed && r->segment_depth > 0)
		(void)append(r, s, length);
}

/* Entities could make a small file endlessly long, and no .rs3 file needs its own. */
static void XMLCALL entity(void *arg, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                           const XML_Char *base, const XML_Char *system, const XML_Char *public,
                           const XML_Char *notation)
{
	(void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
	refuse(arg, "the entity '%.40s' is declared, which is not accepted", name);
}

/* One that an external DTD may declare; that is not read, and the text would lack what it stands for. */
static void XMLCALL skipped_entity(void *arg, const XML_Char *name, int is_parameter)
{
	(void)is_parameter;
	refuse(arg, "the entity '%.40s' is not declared here, and DTDs of their own are not read", name);
}

static void XMLCALL declaration(void *arg, const XML_Char *version, const XML_Char *encoding, int standalone)
{
	reader *r = arg;

	(void)version, (void)standalone;
	r->declared = encoding != NULL;
	r->other = encoding && strcasecmp(encoding, "UTF-8") != 0;
}

/* Whether expat, which shows what it is reading, stopped at bytes that are not UTF-8 where they had to be. */
static bool is_other_encoding(const reader *r)
{
	int at = 0, size = 0, length = 0;
	int32_t code;
	const char *data = XML_GetInputContext(r->xml, &at, &size);

	if (XML_GetErrorCode(r->xml) != XML_ERROR_INVALID_TOKEN || !data || at < 0 || at >= size || r->other)
		return false;
	length = hp_utf8_decode(data + at, size - at, &code);
	return length == 0 && (data[at] & 0x80);
}

static int parse_failed(reader *r)
{
	if (r->failed)
		return HP_FAIL;
	if (is_other_encoding(r))
		return hp_fail_at(r->err, r->name, line_of(r),
		                  r->declared
		                      ? "bytes that are not UTF-8, which is declared"
		                      : "bytes that are not UTF-8, and no encoding is declared; expected a first line such as "
		                        "<?xml version=\"1.0\" encoding=\"windows-1252\"?>");
	return hp_fail_at(r->err, r->name, line_of(r), "XML: %s", XML_ErrorString(XML_GetErrorCode(r->xml)));
}

static int feed(reader *r, hp_input *in)
{
	size_t total = 0;

	for (;;) {
		const char *data;
		size_t size;

		if (hp_input_peek(in, 1, &data, &size, r->err) != 0)
			return HP_FAIL;
		if (size > PIECE)
			size = PIECE;
		total += size;
		if (total > FILE_LIMIT)
			return hp_fail_at(r->err, r->name, line_of(r), "a file of more than %zu MiB", FILE_LIMIT >> 20);
		if (XML_Parse(r->xml, data, (int)size, size == 0) != XML_STATUS_OK)
			return parse_failed(r);
		if (size == 0)
			return 0;
		hp_input_skip(in, size);
	}
}

int hp_rs3_file_read(hp_input *in, hp_rs3_file *f, hp_error *err)
{
	reader r = {.f = f, .name = hp_input_name(in), .err = err};
	int status;

	memset(f, 0, sizeof(*f));
	f->ids = hp_vocab_new();
	f->relations = hp_vocab_new();
	r.xml = XML_ParserCreate(NULL);
	if (!f->ids || !f->relations || !r.xml) {
		XML_ParserFree(r.xml);
		return hp_fail_memory(err);
	}
	XML_SetUserData(r.xml, &r);
	XML_SetElementHandler(r.xml, start_element, end_element);
	XML_SetCharacterDataHandler(r.xml, characters);
	XML_SetEntityDeclHandler(r.xml, entity);
	XML_SetSkippedEntityHandler(r.xml, skipped_entity);
	XML_SetXmlDeclHandler(r.xml, declaration);
	XML_SetUnknownEncodingHandler(r.xml, hp_xml_encoding, NULL);
	status = feed(&r, in);
	XML_ParserFree(r.xml);
	return status;
}

void hp_rs3_file_free(hp_rs3_file *f)
{
	hp_vocab_destroy(f->ids);
	hp_vocab_destroy(f->relations);
	free(f->node);
	free(f->type);
	free(f->extra);
	free(f->text);
	memset(f, 0, sizeof(*f));
}
