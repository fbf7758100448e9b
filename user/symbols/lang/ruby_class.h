/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Classes of Ruby's methods. The BPF programs find the class of a frame, and the string
 * that is its name; here that string is read, and a process's classes are compared with
 * the layout that the programs assume.
 */
#ifndef USTACK_USER_LANG_RUBY_CLASS_H
#define USTACK_USER_LANG_RUBY_CLASS_H

#include "lang.h"
#include "symbols/lang/memory.h"
#include "symbols/lang/ruby_function.h"
#include "symbols/lang/ruby_text.h"

/**
 * ruby_class_check() - find out how classes and their names are read
 * @m: the process's memory
 * @d: structures of its version, with the address of the symbol table; gets @classes, and
 *     for 3.1 the numbers of the variables
 * @object: address of the class Object
 *
 * Object must be named "Object", and the object of its singleton class must be Object.
 * Else the structures are not those of the version, and methods are shown without their
 * classes.
 */
void ruby_class_check(const struct lang_memory *m, struct lang_ruby *d, uint64_t object);

/**
 * ruby_class_name() - read the name of a class that was sampled
 * @m: the process's memory
 * @d: structures of its version
 * @first: first word of the pair
 * @second: second word of the pair, with a fingerprint of the name
 * @ret: the name, as ruby_text() writes it
 *
 * Return: RUBY_FUNCTION_READ; RUBY_FUNCTION_STALE if another string, or none, is there;
 * RUBY_FUNCTION_UNREADABLE if the memory is missing.
 */
enum ruby_function_state ruby_class_name(const struct lang_memory *m, const struct lang_ruby *d,
					 uint64_t first, uint64_t second,
					 char ret[RUBY_TEXT_BYTES]);

#endif /* USTACK_USER_LANG_RUBY_CLASS_H */
