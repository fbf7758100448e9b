/* SPDX-License-Identifier: GPL-2.0-only */
/* The page of user/show/flame/page as the build put it together: data go between the two. */
#ifndef USTACK_USER_FLAME_PAGE_H
#define USTACK_USER_FLAME_PAGE_H

extern const unsigned char flame_page_head[];
extern const unsigned int flame_page_head_len;
extern const unsigned char flame_page_tail[];
extern const unsigned int flame_page_tail_len;

#endif /* USTACK_USER_FLAME_PAGE_H */
