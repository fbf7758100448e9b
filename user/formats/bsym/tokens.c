// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tokens of Symbian's tool: texts that its programs' names are full of.
 * Each file contains its own list of tokens, so any other list would work, too.
 */
#include "formats/bsym/build.h"

#include "util/poison.h"

const char *const bsym_default_tokens[] = {
	"void", "char", "unsigned", "long", "int", "const", " const", " stub", "TDesC8",
	"TDesC16", "TRequestStatus", "Cancel", "unsigned char", "unsigned int",
	"unsigned long", "_E32Dll", "_E32Dll_Body", "_E32Startup", "void *", "void*",
	"void const *", "const void*", "const TDesC16&", "TDesC16 const &",
	"const TDesC8&", "TDesC8 const &", "ConstructL", "thunk{", "thunk{-", "} to ",
	"operator [](", "operator new(", "operator ==(", "TAlignedBuf8(",
	"ResetAndDestroy()", "CleanupClosePushL<", "Image$$ER_RO$$Base",
	"__cpp_initialize__aeabi_", "__DLL_Export_Table__", "TRefByValue<const TDesC8>)",
	"TRefByValue<const TDesC16>)", "TRefByValue<TDesC8 const>)",
	"TRefByValue<TDesC16 const>)", "TRefByValue<const TDesC8>, ...)",
	"TRefByValue<const TDesC16>, ...)", "TRefByValue<TDesC8 const>,...)",
	"TRefByValue<TDesC16 const>,...)", "__deallocating()", "__sub_object(",
	"typeinfo for ", "typeinfo name for ", "vtable for ", " virtual table",
	"\\epoc32\\release\\", "\\epoc32\\release\\gcce\\urel\\",
	"\\epoc32\\release\\armv5\\urel\\", "\\epoc32\\release\\armv5.",
	"\\epoc32\\release\\armv5smp\\urel\\", "\\sys\\bin\\", "z:\\sys\\bin\\", " (EXPORTED)",
	NULL,
};
