/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Growing arrays: one macro that makes room for one more element. The caller
 * keeps pointer, number of elements and room in variables of its own.
 */
#ifndef USTACK_USER_ARRAY_H
#define USTACK_USER_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

#define ARRAY_FIRST_ROOM 64

/**
 * array_has_room() - make room for one more element
 * @array: lvalue; from malloc() or NULL; it moves when the array grows
 * @nr: number of elements in @array
 * @room: lvalue of an unsigned type; number of elements that @array has room
 *        for
 *
 * Return: false if there is no memory; nothing has changed then.
 */
#define array_has_room(array, nr, room)						\
({										\
	size_t more_ = (room) ? 2 * (size_t)(room) : ARRAY_FIRST_ROOM;		\
	void *new_ = (array);							\
										\
	if ((nr) == (room)) {							\
		new_ = reallocarray((array), more_, sizeof(*(array)));		\
		if (new_) {							\
			(array) = new_;						\
			(room) = more_;						\
		}								\
	}									\
	new_ != NULL;								\
})

#endif /* USTACK_USER_ARRAY_H */
