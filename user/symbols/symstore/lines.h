/* SPDX-License-Identifier: GPL-2.0-only */
/* From a file's names to the lines of a profile's locations. */
#ifndef USTACK_USER_SYMSTORE_LINES_H
#define USTACK_USER_SYMSTORE_LINES_H

#include "formats/names/style.h"
#include "profile/profile.h"
#include "symbols/symstore/symstore.h"

/* Names as people read them: demangled, and those of the C++ standard library short. The
 * linker's are kept beside them. Return: see names_new().
 */
struct names *symstore_names(void);

/* Room for a path of a source file; a longer one is cut. */
#define SYMSTORE_PATH 4096u

/* A frame's name: a function without a name is called by its file and address, in @text, which has
 * @room bytes. Return: @name or @text.
 */
const char *symstore_frame_name(const struct symstore_image *image, const char *name,
				char *text, size_t room);

/* The path of a frame's source. Return: @path or what @f has. */
const char *symstore_frame_path(const struct gsym_frame *f, char path[SYMSTORE_PATH]);

/* A line with a function of that name; @file is a string of @p. */
struct profile_line symstore_line(struct profile *p, struct names *names, const char *name,
				  uint32_t file, uint32_t line);

/**
 * symstore_lines() - give a location its functions
 * @p: its errors stick
 * @names: from symstore_names(), or NULL
 * @location: number
 * @image: its file
 * @vaddr: link-time address there
 *
 * Return: whether there are any.
 */
bool symstore_lines(struct profile *p, struct names *names, uint32_t location,
		    struct symstore_image *image, uint64_t vaddr);

/**
 * symstore_profile_key() - which file a mapping of a profile is
 * @p: the profile
 * @mapping: number
 * @ret: its path, and its build id; borrows from @p
 *
 * Return: whether its build id is known.
 */
bool symstore_profile_key(const struct profile *p, uint32_t mapping, struct symstore_key *ret);

/**
 * symstore_profile_address() - the link-time address of a location's address
 * @m: its mapping
 * @image: the mapping's file; of a debug file alone the addresses are the same
 * @address: the location's
 * @ret: on true
 *
 * Return: false if neither the mapping nor the file says it.
 */
bool symstore_profile_address(const struct profile_mapping *m, const struct symstore_image *image,
			      uint64_t address, uint64_t *ret);

/**
 * struct symstore_named - what symstore_profile() did
 * @locations: without names before
 * @named: of them, by now
 * @unnamed: of them, those in a function of which only its place in the file is known
 * @images: files that they are in
 * @missing: of these, not found
 */
struct symstore_named {
	uint32_t locations;
	uint32_t named;
	uint32_t unnamed;
	uint32_t images;
	uint32_t missing;
};

/**
 * symstore_profile() - give all locations without names theirs, by build id
 * @store: finds the files
 * @p: the profile
 * @progress: see symstore_wait()
 * @arg: for @progress
 * @ret: on 0
 *
 * An address of a location is of its mapping: what is at its start is at its offset of the
 * file (google/pprof, profile.proto).
 *
 * Return: 0; -EINTR; -ENOMEM.
 */
int symstore_profile(struct symstore *store, struct profile *p,
		     bool (*progress)(unsigned int done, unsigned int all, const char *path,
				      void *arg),
		     void *arg, struct symstore_named *ret);

#endif /* USTACK_USER_SYMSTORE_LINES_H */
