/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The budget limits how much memory a user's files may use for tables, and how
 * many builders run at once. The work that a user makes the module do is
 * charged to that user: so a hostile user uses up only his own share.
 *
 * Shares: an unprivileged user gets a quarter of the budget, all of them
 * together three quarters. Processes with CAP_SYS_ADMIN in the initial user
 * namespace share one account, which is limited only by the budget.
 */
#ifndef USTACK_BUDGET_H
#define USTACK_BUDGET_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

/**
 * struct ustack_payer - one user's account
 * @node: entry in the table of payers; protected by the budget's lock
 * @idle_tables: images without users whose tables are charged to this payer,
 *               oldest first; protected by images_lock
 * @uid: the user; for a process in a user namespace, the user who made the
 *       outermost one
 * @refs: number of references and charges; protected by the budget's lock
 * @bytes: bytes of the payer's tables; protected by the budget's lock
 * @idle_bytes: part of @bytes that belongs to images without users
 * @builds: number of running builds of files on local file systems
 * @remote_builds: number of running builds of files on network file systems
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
 * @evict: frees the table that has been idle longest: one of @payer; if that is
 *         NULL, one of any unprivileged payer; without @users_only also the
 *         machine's. Return: false if there is none. May sleep
 */
void ustack_budget_init(bool (*evict)(struct ustack_payer *payer,
				      bool users_only));

/**
 * ustack_payer_of() - find the payer for a process's mappings
 * @task: the process
 *
 * Context: process.
 * Return: the payer with a reference, which the caller puts; NULL without
 * memory.
 */
struct ustack_payer *ustack_payer_of(struct task_struct *task);

struct ustack_payer *ustack_payer_hold(struct ustack_payer *payer);
void ustack_payer_put(struct ustack_payer *payer);	/* NULL is ignored */

/**
 * ustack_budget_reserve() - charge a table before its memory is allocated
 * @payer: payer that is charged
 * @bytes: bytes of memory of the table
 *
 * Frees idle tables if that makes enough room, and none if it would not.
 *
 * Context: process, may sleep.
 * Return: false if there is no room; then nothing is charged.
 */
bool ustack_budget_reserve(struct ustack_payer *payer, u64 bytes);

/* Takes a charge back. Context: any but NMI and hard interrupt. */
void ustack_budget_release(struct ustack_payer *payer, u64 bytes);

/*
 * Moves @bytes of @payer's charge to the idle bytes, or back if negative.
 * Context: any but NMI and hard interrupt.
 */
void ustack_budget_idle(struct ustack_payer *payer, s64 bytes);

/*
 * Return: whether a reservation could succeed if idle tables were freed.
 * @payer: NULL for any payer. Context: any but NMI and hard interrupt.
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
 * @payer: payer of the build; the caller holds a reference until
 *         ustack_turn_give()
 * @bytes: bytes of the section
 * @remote: the file is on a network file system, whose server may not answer
 *
 * Only a few builds run at a time, only one of a large file, and only one for
 * each unprivileged payer: that bounds the memory for snapshots and scratch.
 * Builds of local files end soon, so this waits for them; it never waits for a
 * remote one.
 *
 * Context: process, may sleep; a fatal signal ends the wait.
 * Return: false if it is not this task's turn.
 */
bool ustack_turn_take(struct ustack_turn *turn, struct ustack_payer *payer,
		      u64 bytes, bool remote);
void ustack_turn_give(const struct ustack_turn *turn);

#endif /* USTACK_BUDGET_H */
