/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns names and lines of a store's images into lines of a profile's locations. */
#ifndef USTACK_USER_SYMSTORE_LINES_H
#define USTACK_USER_SYMSTORE_LINES_H

#include "formats/names/style.h"
#include "profile/profile.h"
#include "symbols/symstore/symstore.h"

/*
 * How names are written for people: demangled, with short names for the C++ standard
 * library. The linker's names are kept beside them. Return: see names_new().
 */
struct names *symstore_names(void);

/* Bytes of a source file's path; a longer path is cut. */
#define SYMSTORE_PATH 4096u

/*
 * The name of a frame. A function without a name is named by its file and address, in the
 * buffer @text of @room bytes. Return: @name or @text.
 */
const char *symstore_frame_name(const struct symstore_image *image, const char *name,
				char *text, size_t room);

/* The path of a frame's source file. Return: @path or a string of @f. */
const char *symstore_frame_path(const struct gsym_frame *f, char path[SYMSTORE_PATH]);

/* Makes a line with a function of this name; @file is the number of a string of @p. */
struct profile_line symstore_line(struct profile *p, struct names *names, const char *name,
				  uint32_t file, uint32_t line);

/**
 * symstore_lines() - give a location its functions
 * @p: the profile; it remembers errors
 * @names: from symstore_names(), or NULL
 * @location: number of the location
 * @image: the location's file
 * @vaddr: link-time address in the file
 *
 * Return: whether the image has functions at the address.
 */
bool symstore_lines(struct profile *p, struct names *names, uint32_t location,
		    struct symstore_image *image, uint64_t vaddr);

/**
 * symstore_profile_key() - find the file of a profile's mapping
 * @p: the profile
 * @mapping: number of the mapping
 * @ret: path and build id of the file; borrows from @p
 *
 * Return: whether the build id is known.
 */
bool symstore_profile_key(const struct profile *p, uint32_t mapping, struct symstore_key *ret);

/**
 * symstore_profile_address() - find the link-time address of a location
 * @m: the location's mapping
 * @image: the mapping's file; the addresses of its debug file are the same
 * @address: address of the location
 * @ret: set if true is returned
 *
 * Return: false if neither the mapping nor the file determines it.
 */
bool symstore_profile_address(const struct profile_mapping *m, const struct symstore_image *image,
			      uint64_t address, uint64_t *ret);

/**
 * struct symstore_named - what symstore_profile() did
 * @locations: number of locations that had no names
 * @named: number of them that have names now
 * @unnamed: number of them in a function without a name, shown by its address
 * @images: number of files that they are in
 * @missing: number of these files that were not found
 */
struct symstore_named {
	uint32_t locations;
	uint32_t named;
	uint32_t unnamed;
	uint32_t images;
	uint32_t missing;
};

/**
 * symstore_profile() - name all locations of a profile that have no names, by build id
 * @store: finds the files
 * @p: the profile
 * @progress: see symstore_wait()
 * @arg: passed to @progress
 * @ret: set on success
 *
 * A location's address belongs to its mapping: the mapping's start corresponds to its
 * offset in the file (google/pprof, profile.proto).
 *
 * Return: 0; -EINTR; -ENOMEM.
 */
int symstore_profile(struct symstore *store, struct profile *p,
		     bool (*progress)(unsigned int done, unsigned int all, const char *path,
				      void *arg),
		     void *arg, struct symstore_named *ret);

#endif /* USTACK_USER_SYMSTORE_LINES_H */
