/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USTACK_USER_ARRAY_H
#define USTACK_USER_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

#define ARRAY_FIRST_ROOM 64

/**
 * array_has_room() - make room for one more element
 * @array: lvalue; from malloc() or NULL, and moved when it grows
 * @nr: elements that it has
 * @room: lvalue of an unsigned type; elements that it has room for
 *
 * Return: false if there is no memory: nothing has changed then.
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
