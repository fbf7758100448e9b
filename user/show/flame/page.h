/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page as the build makes it from user/show/flame/page: the data goes
 * between head and tail.
 */
#ifndef USTACK_USER_FLAME_PAGE_H
#define USTACK_USER_FLAME_PAGE_H

extern const unsigned char flame_page_head[];
extern const unsigned int flame_page_head_len;
extern const unsigned char flame_page_tail[];
extern const unsigned int flame_page_tail_len;

#endif /* USTACK_USER_FLAME_PAGE_H */
