/* show.c: records and tensors as text, for hp-cat. */
#include "show.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

void show_text(FILE *out, const char *text, size_t size, size_t most)
{
	size_t i = 0;

	while (i < size) {
		int32_t code = 0;
		int length = hp_utf8_decode(text + i, size - i, &code);

		if (i + (size_t)(length > 0 ? length : 1) > most) {
			fputs("...", out);
			return;
		}
		if (length == 0 || hp_is_control(code)) {
			if (length == 1 && (code == '\n' || code == '\t'))
				fputs(code == '\n' ? "\\n" : "\\t", out);
			else
				for (int k = 0; k < (length > 0 ? length : 1); k++)
					fprintf(out, "\\x%02X", (unsigned char)text[i + (size_t)k]);
		} else {
			fwrite(text + i, 1, (size_t)length, out);
		}
		i += (size_t)(length > 0 ? length : 1);
	}
}

bool show_is_text(const hp_tensor *tensor)
{
	return tensor->dtype == HP_U8 && tensor->rank == 1 &&
	       hp_utf8_valid_prefix(tensor->data, tensor->bytes) == tensor->bytes;
}

/* Whether values of DTYPE, floats of at most 8 bits, are shown as their bits: those that models have are not. */
static bool is_code(hp_dtype dtype)
{
	return dtype > HP_F8_E4M3 && dtype <= HP_F4;
}

/* Bits of value number I: values follow each other from the lowest bit of the first byte on. */
static unsigned code_at(const hp_tensor *tensor, int64_t i)
{
	const uint8_t *bytes = tensor->data;
	size_t bits = hp_dtype_bits(tensor->dtype), at = (size_t)i % 8 * bits; /* eight values fill whole bytes */
	const uint8_t *first = bytes + (size_t)i / 8 * bits + at / 8;
	unsigned two = first[0];

	if (at % 8 + bits > 8)
		two |= (unsigned)first[1] << 8;
	return two >> at % 8 & ((1u << bits) - 1);
}

/* Value number I of types that doubles can stand for; NaN for the others. */
static double value_at(const hp_tensor *tensor, int64_t i)
{
	const void *data = tensor->data;
	float value;

	switch (tensor->dtype) {
	case HP_F64:
		return ((const double *)data)[i];
	case HP_F32:
	case HP_F16:
	case HP_BF16:
	case HP_F8_E4M3:
		return hp_tensor_to_float(tensor, i, 1, &value) == 0 ? (double)value : NAN;
	case HP_BOOL:
	case HP_U8:
		return ((const uint8_t *)data)[i];
	case HP_I8:
		return ((const int8_t *)data)[i];
	case HP_I16:
		return ((const int16_t *)data)[i];
	case HP_U16:
		return ((const uint16_t *)data)[i];
	case HP_I32:
		return ((const int32_t *)data)[i];
	case HP_U32:
		return ((const uint32_t *)data)[i];
	case HP_I64:
		return (double)((const int64_t *)data)[i];
	case HP_U64:
		return (double)((const uint64_t *)data)[i];
	default:
		return NAN;
	}
}

/* Most digits that a value of DTYPE can be told apart by. */
static int all_digits(hp_dtype dtype)
{
	if (dtype == HP_F8_E4M3)
		return 3;
	return dtype == HP_F64 ? 17 : dtype == HP_F16 || dtype == HP_BF16 ? 5 : 9;
}

static void format_value(char *text, size_t size, const hp_tensor *tensor, int64_t i, int digits)
{
	const float *complex = tensor->data;

	if (digits == 0)
		digits = all_digits(tensor->dtype);
	if (is_code(tensor->dtype)) {
		snprintf(text, size, "0x%0*x", hp_dtype_bits(tensor->dtype) > 4 ? 2 : 1, code_at(tensor, i));
		return;
	}
	switch (tensor->dtype) {
	case HP_I64:
		snprintf(text, size, "%" PRId64, ((const int64_t *)tensor->data)[i]);
		break;
	case HP_U64:
		snprintf(text, size, "%" PRIu64, ((const uint64_t *)tensor->data)[i]);
		break;
	case HP_C64:
		snprintf(text, size, "%.*g%+.*gi", digits, (double)complex[2 * i], digits, (double)complex[2 * i + 1]);
		break;
	case HP_F64:
	case HP_F32:
	case HP_F16:
	case HP_BF16:
	case HP_F8_E4M3:
		snprintf(text, size, "%.*g", digits, value_at(tensor, i));
		break;
	default:
		snprintf(text, size, "%.0f", value_at(tensor, i));
	}
}

void show_values(FILE *out, const hp_tensor *tensor, const char *indent, char separator, int digits)
{
	if (tensor->count == 0) /* other dimensions may then be of any size */
		return;
	int64_t row = tensor->rank > 0 ? tensor->shape[tensor->rank - 1] : 1;
	int64_t matrix = tensor->rank > 1 ? tensor->shape[tensor->rank - 2] * row : 0;

	for (int64_t i = 0; i < tensor->count; i++) {
		char text[64];

		if (i > 0 && matrix > 0 && i % matrix == 0)
			fputc('\n', out);
		if (i % row == 0)
			fputs(indent, out);
		format_value(text, sizeof(text), tensor, i, digits);
		fputs(text, out);
		fputc(i % row == row - 1 ? '\n' : separator, out);
	}
}

void show_stats(FILE *out, const hp_tensor *tensor)
{
	double least = INFINITY, most = -INFINITY, sum = 0;
	int64_t finite = 0;

	if (is_code(tensor->dtype) || tensor->dtype == HP_C64) {
		fputs("no numbers", out);
		return;
	}
	for (int64_t i = 0; i < tensor->count; i++) {
		double value = value_at(tensor, i);

		if (!isfinite(value))
			continue;
		least = value < least ? value : least;
		most = value > most ? value : most;
		sum += value;
		finite++;
	}
	if (finite > 0)
		fprintf(out, "min %.6g mean %.6g max %.6g", least, sum / (double)finite, most);
	if (finite < tensor->count)
		fprintf(out, "%s%" PRId64 " not finite", finite > 0 ? ", " : "", tensor->count - finite);
}

void show_shape(FILE *out, const hp_tensor *tensor)
{
	fputc('[', out);
	for (int i = 0; i < tensor->rank; i++)
		fprintf(out, "%s%" PRId64, i > 0 ? ", " : "", tensor->shape[i]);
	fputc(']', out);
}

static void json_text(FILE *out, const char *text, size_t size)
{
	static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";

	fputc('"', out);
	for (size_t i = 0; i < size; i++) {
		const char *found = text[i] ? strchr(named, text[i]) : NULL;

		if (found)
			fprintf(out, "\\%c", letters[found - named]);
		else if ((unsigned char)text[i] < 0x20)
			fprintf(out, "\\u%04X", (unsigned char)text[i]);
		else
			fputc(text[i], out);
	}
	fputc('"', out);
}

/* JSON has no words for what is not finite, nor for the types that are only passed on. */
static void json_value(FILE *out, const hp_tensor *tensor, int64_t i)
{
	char text[64];
	bool plain = tensor->dtype != HP_C64 && !is_code(tensor->dtype);

	format_value(text, sizeof(text), tensor, i, 0);
	if (!plain)
		fprintf(out, "\"%s\"", text);
	else
		fputs(isfinite(value_at(tensor, i)) ? text : "null", out);
}

/* Values from *NEXT on as nested arrays of the dimensions from DIMENSION on. */
static void json_values(FILE *out, const hp_tensor *tensor, int dimension, int64_t *next)
{
	if (dimension == tensor->rank) {
		json_value(out, tensor, (*next)++);
		return;
	}
	fputc('[', out);
	if (tensor->count > 0) {
		for (int64_t i = 0; i < tensor->shape[dimension]; i++) {
			if (i > 0)
				fputc(',', out);
			json_values(out, tensor, dimension + 1, next);
		}
	}
	fputc(']', out);
}

static void json_tensor(FILE *out, const hp_tensor *tensor, bool values)
{
	int64_t next = 0;

	json_text(out, tensor->name, strlen(tensor->name));
	fprintf(out, ":{\"dtype\":\"%s\",\"shape\":", hp_dtype_name(tensor->dtype));
	show_shape(out, tensor);
	if (values && show_is_text(tensor)) {
		fputs(",\"text\":", out);
		json_text(out, tensor->data, tensor->bytes);
	} else if (values) {
		fputs(",\"values\":", out);
		json_values(out, tensor, 0, &next);
	}
	fputc('}', out);
}

static void json_metadata(FILE *out, const hp_safetensors *st)
{
	for (int i = 0; i < hp_safetensors_meta_count(st); i++) {
		const char *key, *value;

		hp_safetensors_meta_at(st, i, &key, &value);
		if (i > 0)
			fputc(',', out);
		json_text(out, key, strlen(key));
		fputc(':', out);
		json_text(out, value, strlen(value));
	}
}

void show_json(FILE *out, const char *file, long number, const char *kind, const hp_safetensors *st,
               bool (*wanted)(const char *name), bool values)
{
	const char *comma = "";
	hp_error name;

	hp_fail(&name, "%s", file); /* file names need not be UTF-8 */
	fputs("{\"file\":", out);
	json_text(out, name.text, strlen(name.text));
	if (number > 0)
		fprintf(out, ",\"record\":%ld", number);
	fprintf(out, ",\"kind\":\"%s\",\"metadata\":{", kind);
	json_metadata(out, st);
	fputs("},\"tensors\":{", out);
	for (int i = 0; i < hp_safetensors_count(st); i++) {
		if (!wanted(hp_safetensors_at(st, i)->name))
			continue;
		fputs(comma, out);
		json_tensor(out, hp_safetensors_at(st, i), values);
		comma = ",";
	}
	fputs("}}\n", out);
}
