/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the GSYM format: Documentation/formats/gsym.md; for LLVM's
 * versions
 * llvm/include/llvm/DebugInfo/GSYM/{Header,HeaderV2,GlobalData,FunctionInfo}.h.
 */
#ifndef USTACK_USER_GSYM_FORMAT_H
#define USTACK_USER_GSYM_FORMAT_H

#define GSYM_MAGIC 0x4753594du

/*
 * Bytes of the headers. All of them begin with: magic u32, version u16, bytes
 * of an address offset u8, one byte (length of the UUID in LLVM's version 1,
 * otherwise 0), base address u64, number of addresses u32.
 */
#define GSYM_HEADER_LLVM_1 48u
#define GSYM_HEADER_PROTOTYPE 28u
#define GSYM_HEADER_LLVM_2 20u

/* LLVM's version 2: entries after the header, up to one of type 0. */
#define GSYM_GLOBAL_SIZE 20u	/* type u32, offset u64, size u64 */
enum gsym_global {
	GSYM_GLOBAL_END,
	GSYM_GLOBAL_ADDR_OFFSETS,
	GSYM_GLOBAL_INFO_OFFSETS,
	GSYM_GLOBAL_STRINGS,
	GSYM_GLOBAL_FILES,
	GSYM_GLOBAL_FUNCTIONS,
	GSYM_GLOBAL_UUID,
	GSYM_NR_GLOBALS,
};

/* Entries of a function: type u32, length u32, data. */
enum gsym_info_type {
	GSYM_INFO_END,
	GSYM_INFO_LINES,
	GSYM_INFO_INLINES,
	GSYM_INFO_MERGED,
	GSYM_INFO_SITES,
};

/* Opcodes of a line table. */
enum gsym_line_op {
	GSYM_LINE_END,
	GSYM_LINE_FILE,		/* uleb128 number of a file */
	GSYM_LINE_PC,		/* uleb128 number of bytes; makes a row */
	GSYM_LINE_LINE,		/* sleb128 number of lines */
	/* this and all above advance both and make a row */
	GSYM_LINE_SPECIAL,
};

#endif /* USTACK_USER_GSYM_FORMAT_H */
