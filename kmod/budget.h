/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Budget: whose files may use how much memory for tables, and who may build one
 * now. What one user makes the module do is charged to that user, so that it is
 * his own share that a hostile one uses up.
 *
 * Shares: an unprivileged user gets a quarter of the budget, all of them together
 * three quarters. Processes with CAP_SYS_ADMIN in the initial user namespace share
 * one account, which is limited by the budget alone.
 */
#ifndef USTACK_BUDGET_H
#define USTACK_BUDGET_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

/**
 * struct ustack_payer - one user's account
 * @node: in the table of payers; the budget's lock
 * @idle_tables: images without users whose tables are charged to this payer,
 *               oldest first; images_lock
 * @uid: the user; of a process in a user namespace, who made the outermost one
 * @refs: references and charges; the budget's lock
 * @bytes: of tables; the budget's lock
 * @idle_bytes: of @bytes, those of images that nobody uses
 * @builds: running builds of files on local file systems
 * @remote_builds: the same on network file systems
 */
struct ustack_payer {
	struct hlist_node node;
	struct list_head idle_tables;
	kuid_t uid;
	unsigned int refs;
	u64 bytes;
	u64 idle_bytes;
	unsigned int builds;
	unsigned int remote_builds;
};

extern unsigned int ustack_budget_mb;	/* module parameter */

/* The account of privileged processes and of the kernel itself. */
extern struct ustack_payer ustack_machine;

/**
 * ustack_budget_init() - start with nothing charged
 * @evict: gives up the table that has been idle longest: of @payer; if that is NULL,
 *         of any unprivileged payer; without @users_only also the machine's.
 *         Return: false if there is none. May sleep.
 */
void ustack_budget_init(bool (*evict)(struct ustack_payer *payer,
				      bool users_only));

/**
 * ustack_payer_of() - who pays for what a process maps
 * @task: the process
 *
 * Context: process.
 * Return: the payer with a reference, to be put; NULL without memory.
 */
struct ustack_payer *ustack_payer_of(struct task_struct *task);

struct ustack_payer *ustack_payer_hold(struct ustack_payer *payer);
void ustack_payer_put(struct ustack_payer *payer);	/* NULL is ignored */

/**
 * ustack_budget_reserve() - charge a table before its memory is allocated
 * @payer: who pays
 * @bytes: memory of the table
 *
 * Gives up idle tables where that makes enough room, and none where it would not.
 *
 * Context: process, may sleep.
 * Return: false if there is no room; nothing is charged then.
 */
bool ustack_budget_reserve(struct ustack_payer *payer, u64 bytes);

/* Takes a charge back. Context: any but NMI and hard interrupt. */
void ustack_budget_release(struct ustack_payer *payer, u64 bytes);

/* Moves @bytes of @payer's charge to or from what is idle. Context: as above. */
void ustack_budget_idle(struct ustack_payer *payer, s64 bytes);

/* Whether a reservation could succeed, if idle tables are given up. Context: any
 * but NMI and hard interrupt. @payer NULL: for anybody.
 */
bool ustack_budget_has_room(const struct ustack_payer *payer, u64 bytes);

/* Bytes charged to all payers. Context: any. */
u64 ustack_budget_bytes(void);

/* One running build. */
struct ustack_turn {
	struct ustack_payer *payer;
	bool remote;
	bool large;
};

/**
 * ustack_turn_take() - wait for the right to build
 * @turn: filled on success
 * @payer: who pays; referenced by the caller until ustack_turn_give()
 * @bytes: of the section
 * @remote: the file's server may not answer
 *
 * Few build at a time, one of them a large file, and one for each unprivileged
 * payer: that bounds what snapshots and scratch memory take. Builds of local files
 * end soon and are waited for; a remote one is never waited for.
 *
 * Context: process, may sleep; a fatal signal ends it.
 * Return: false if it is not this task's turn.
 */
bool ustack_turn_take(struct ustack_turn *turn, struct ustack_payer *payer,
		      u64 bytes, bool remote);
void ustack_turn_give(const struct ustack_turn *turn);

#endif /* USTACK_BUDGET_H */
