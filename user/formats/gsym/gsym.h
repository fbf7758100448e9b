/* SPDX-License-Identifier: MIT */
/*
 * libgsym: reads GSYM files. They say which function, source file, line and
 * inlined calls an address belongs to. LLVM defines the format; `ustack gsym
 * convert` and `llvm-gsymutil` make such files from DWARF.
 *
 *	struct gsym_frame frames[GSYM_MAX_FRAMES];
 *	struct gsym_reader *reader;
 *	struct gsym_error error;
 *	int i, nr;
 *
 *	if (gsym_reader_open("program.gsym", &reader, &error))
 *		errx(1, "%s: %s", error.file, error.reason);
 *	nr = gsym_reader_lookup(reader, 0x401131, frames, GSYM_MAX_FRAMES, &error);
 *	for (i = 0; i < nr; i++)
 *		printf("%s %s:%u\n", frames[i].function, frames[i].file, frames[i].line);
 *	gsym_reader_close(reader);
 *
 * The library reads versions 1 and 2 of LLVM's format and the layout of its
 * prototype, in either byte order, alone or in the section .gsym of an ELF file
 * or __gsym of a Mach-O file. A file may hold anything: damage is an error,
 * never a wrong access. The library prints nothing, ends no process, starts no
 * thread, handles no signal and has no global variable.
 *
 * Addresses are link-time addresses: for a position-independent program the
 * caller subtracts the address where it is loaded. For a frame other than the
 * interrupted one the caller passes the return address minus 1.
 *
 * Threads: any number of threads may call functions for one reader at once,
 * except gsym_reader_close(). Functions that take a const reader may also be
 * called in a signal handler if @error is NULL.
 *
 * Memory: gsym_reader_open() and gsym_reader_open_memory() allocate,
 * gsym_reader_close() frees, and no other function does either. Returned
 * strings belong to the reader and are valid until it is closed. Structures
 * that a function fills belong to the caller.
 *
 * Errors: functions return a negative errno value, and fill the caller's struct
 * gsym_error unless it is NULL. On success it is not touched.
 *
 * ABI: the functions are versioned symbols of libgsym.so.0 (libgsym.map).
 * Structures of this header keep their members and sizes for as long as the
 * library has this name.
 */
#ifndef GSYM_H
#define GSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#define GSYM_API __attribute__((__visibility__("default")))
#else
#define GSYM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Most frames that one address has: a function and 256 calls inlined into one another. */
#define GSYM_MAX_FRAMES 257u

#define GSYM_NO_OFFSET UINT64_MAX

/**
 * struct gsym_error - why a function failed
 * @code: positive errno value; EBADMSG if the file is damaged or is not a GSYM
 *        file
 * @offset: bytes from the start of the file to the damage; GSYM_NO_OFFSET if
 *          the failure has no place
 * @file: path or name that the reader was opened with, its first 255 bytes
 * @reason: one sentence without a full stop, in English; for errors of the
 *          system, the text of strerror(3). It may contain names of the file's
 *          functions, with '?' for control characters
 */
struct gsym_error {
	int code;
	uint64_t offset;
	char file[256];
	char reason[256];
};

/**
 * struct gsym_frame - one function at an address
 * @function: name of the function as the file has it; it may be a mangled name
 * @dir: folder of the source file, "" if there is none
 * @file: name of the source file without the folder, "" if it is not known
 * @line: line in @file, 0 if it is not known
 * @inlined: this is an inlined copy: the next frame is the function that it was inlined into
 * @offset: bytes from the start of the function, or of this inlined copy of it, to the address
 */
struct gsym_frame {
	const char *function;
	const char *dir;
	const char *file;
	uint32_t line;
	bool inlined;
	uint64_t offset;
};

/**
 * struct gsym_symbol - name and addresses of one function of the file
 * @start: first address
 * @size: bytes; 0 if the file does not say it: then the function reaches to the next one
 * @name: name of the function as the file has it; it may be a mangled name
 */
struct gsym_symbol {
	uint64_t start;
	uint64_t size;
	const char *name;
};

/* An open file. */
struct gsym_reader;

/**
 * gsym_reader_open() - open a file by its path
 * @path: a regular file: a GSYM file, or an ELF or Mach-O file with a section
 *        that is one
 * @ret: on success the reader, which the caller passes to gsym_reader_close()
 *       at the end
 * @error: filled on failure; may be NULL
 *
 * The file is mapped, and pages are read when they are used, so opening takes
 * the same time for any size. If another process truncates the file while it is
 * open, the next access raises SIGBUS, so files must be replaced by renaming.
 * Callers that cannot rely on that read the file and use
 * gsym_reader_open_memory().
 *
 * Return: 0; -EBADMSG if it is not a GSYM file or its header is damaged;
 * -EINVAL if it is not a regular file; -ENOMEM; another negative errno value of
 * open(2) or mmap(2).
 */
GSYM_API int gsym_reader_open(const char *path, struct gsym_reader **ret, struct gsym_error *error);

/**
 * gsym_reader_open_memory() - open a file in memory
 * @bytes: the whole file, of any alignment; borrowed and not changed until gsym_reader_close()
 * @size: number of bytes in @bytes
 * @name: name for @file of errors; copied
 * @ret: see gsym_reader_open()
 * @error: filled on failure; may be NULL
 *
 * Return: 0; -EBADMSG; -ENOMEM.
 */
GSYM_API int gsym_reader_open_memory(const void *bytes, size_t size, const char *name,
				     struct gsym_reader **ret, struct gsym_error *error);

/**
 * gsym_reader_close() - release a reader and all that it has returned
 * @reader: no other thread may use it; NULL is ignored
 */
GSYM_API void gsym_reader_close(struct gsym_reader *reader);

/**
 * gsym_reader_uuid() - the build id of the program that the file describes
 * @reader: open
 * @size: set to its number of bytes, 0 to 20; 0 if the file has none
 *
 * For ELF this is the descriptor of the note NT_GNU_BUILD_ID, for Mach-O that of LC_UUID.
 *
 * Return: bytes of the build id, which belong to the reader; never NULL.
 */
GSYM_API const uint8_t *gsym_reader_uuid(const struct gsym_reader *reader, size_t *size);

/**
 * gsym_reader_lookup() - find the functions, files and lines at an address
 * @reader: open
 * @address: link-time address
 * @frames: filled, innermost function first; the last one is the function that
 *          was not inlined
 * @room: number of structures in @frames; frames beyond that are counted and
 *        not written. 0 with @frames NULL only counts
 * @error: filled on failure; may be NULL
 *
 * A function without a line at the address has one frame, whose @file is "" and
 * @line 0.
 *
 * Return: number of frames, at most GSYM_MAX_FRAMES; 0 if no function has the
 * address; -EBADMSG if the file is damaged there.
 */
GSYM_API int gsym_reader_lookup(const struct gsym_reader *reader, uint64_t address,
				struct gsym_frame *frames, size_t room, struct gsym_error *error);

/**
 * gsym_reader_symbol_at() - find the function at an address, without lines and inlined calls
 * @reader: open
 * @address: link-time address
 * @ret: filled on 1
 * @error: filled on failure; may be NULL
 *
 * This takes less time than gsym_reader_lookup().
 *
 * Return: 1; 0 if no function has the address; -EBADMSG if the file is damaged there.
 */
GSYM_API int gsym_reader_symbol_at(const struct gsym_reader *reader, uint64_t address,
				   struct gsym_symbol *ret, struct gsym_error *error);

/**
 * gsym_reader_nr_symbols() - count the functions of the file
 * @reader: open
 *
 * Return: number of functions; indexes of gsym_reader_symbol() are below it.
 */
GSYM_API uint32_t gsym_reader_nr_symbols(const struct gsym_reader *reader);

/**
 * gsym_reader_symbol() - get a function by its number
 * @reader: open
 * @index: from 0 on, below gsym_reader_nr_symbols(); functions ascend by address
 * @ret: filled on success
 * @error: filled on failure; may be NULL
 *
 * After a damaged function the caller may still ask for the next one.
 *
 * Return: 0; -EINVAL if @index is too large; -EBADMSG if the function is damaged.
 */
GSYM_API int gsym_reader_symbol(const struct gsym_reader *reader, uint32_t index,
				struct gsym_symbol *ret, struct gsym_error *error);

#ifdef __cplusplus
}
#endif

#endif /* GSYM_H */
