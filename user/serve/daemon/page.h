/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The pages of user/serve/daemon/page, which page/build puts together, and their content security
 * policies.
 */
#ifndef USTACK_USER_DAEMON_PAGE_H
#define USTACK_USER_DAEMON_PAGE_H

extern const unsigned char daemon_page[];
extern const unsigned int daemon_page_len;
extern const char daemon_page_policy[];
extern const unsigned char daemon_login[];
extern const unsigned int daemon_login_len;
extern const char daemon_login_policy[];

#endif /* USTACK_USER_DAEMON_PAGE_H */
