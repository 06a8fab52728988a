/* xml_encoding.h: XML in an encoding that expat does not know itself.  Private to lib/rst. */
#ifndef HP_XML_ENCODING_H
#define HP_XML_ENCODING_H
#include <expat.h>

/* An XML_UnknownEncodingHandler: whatever iconv knows that is ASCII in its lower half and has at most two bytes a
 * character, such as ISO-8859-15, windows-1252, KOI8-R, EUC-KR.  ARG is not used. */
int hp_xml_encoding(void *arg, const XML_Char *name, XML_Encoding *encoding);

#endif
