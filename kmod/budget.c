// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounts of payers, and turns of builders. One lock protects both: it is held
 * for a few instructions when a table is added, removed or becomes idle, never
 * by a sample.
 */
#include "budget.h"

#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <linux/wait.h>

#include "limits.h"

/* Nests inside images_lock. */
static DEFINE_SPINLOCK(budget_lock);
static struct hlist_head payers[1 << USTACK_PAYER_HASH_BITS];
static bool (*evict_one)(struct ustack_payer *payer, bool users_only);

/* Sums over all payers, ustack_machine included. */
static u64 total_bytes;
static u64 total_idle;

struct ustack_payer ustack_machine = {
	.idle_tables = LIST_HEAD_INIT(ustack_machine.idle_tables),
	.refs = 1,
};

static DECLARE_WAIT_QUEUE_HEAD(turns);
static unsigned int local_turns, remote_turns;
static bool large_turn;

void ustack_budget_init(bool (*evict)(struct ustack_payer *payer,
				      bool users_only))
{
	evict_one = evict;
}

static bool is_machine(const struct ustack_payer *payer)
{
	return payer == &ustack_machine;
}

/* ---- payers ---------------------------------------------------------------- */

/*
 * Finds the user who pays for a process with @cred. A user may have many ids in
 * a user namespace that he has made: all of them are charged to him, the owner
 * of the outermost namespace. Return: false for a privileged process, for which
 * the machine pays.
 */
static bool pays_for_himself(const struct cred *cred, kuid_t *uid)
{
	const struct user_namespace *ns = cred->user_ns;

	if (ns == &init_user_ns) {
		*uid = cred->uid;
		return !cap_raised(cred->cap_effective, CAP_SYS_ADMIN);
	}
	while (ns->parent && ns->parent != &init_user_ns)
		ns = ns->parent;
	*uid = ns->owner;
	return true;
}

static struct hlist_head *bucket_of(kuid_t uid)
{
	return &payers[hash_32(__kuid_val(uid), USTACK_PAYER_HASH_BITS)];
}

static struct ustack_payer *find_payer(kuid_t uid)
{
	struct ustack_payer *payer;

	lockdep_assert_held(&budget_lock);
	hlist_for_each_entry(payer, bucket_of(uid), node)
		if (uid_eq(payer->uid, uid))
			return payer;
	return NULL;
}

/*
 * Takes a reference to the user's payer. If there is none, *@fresh becomes it,
 * and is NULL then.
 */
static struct ustack_payer *hold_payer(kuid_t uid, struct ustack_payer **fresh)
{
	struct ustack_payer *payer;

	spin_lock_bh(&budget_lock);
	payer = find_payer(uid);
	if (!payer && *fresh) {
		swap(payer, *fresh);
		payer->uid = uid;
		INIT_LIST_HEAD(&payer->idle_tables);
		hlist_add_head(&payer->node, bucket_of(uid));
	}
	if (payer)
		payer->refs++;
	spin_unlock_bh(&budget_lock);
	return payer;
}

static struct ustack_payer *payer_of_uid(kuid_t uid)
{
	struct ustack_payer *payer, *fresh = NULL;

	payer = hold_payer(uid, &fresh);
	if (payer)
		return payer;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return NULL;
	payer = hold_payer(uid, &fresh);
	kfree(fresh);
	return payer;
}

struct ustack_payer *ustack_payer_of(struct task_struct *task)
{
	bool himself;
	kuid_t uid;

	rcu_read_lock();
	himself = pays_for_himself(__task_cred(task), &uid);
	rcu_read_unlock();
	return himself ? payer_of_uid(uid) : ustack_payer_hold(&ustack_machine);
}

struct ustack_payer *ustack_payer_hold(struct ustack_payer *payer)
{
	spin_lock_bh(&budget_lock);
	payer->refs++;
	spin_unlock_bh(&budget_lock);
	return payer;
}

static bool put_locked(struct ustack_payer *payer)
{
	lockdep_assert_held(&budget_lock);
	if (--payer->refs)
		return false;
	WARN_ON_ONCE(payer->bytes || payer->builds || payer->remote_builds);
	hlist_del(&payer->node);
	return true;
}

void ustack_payer_put(struct ustack_payer *payer)
{
	bool gone;

	if (!payer)
		return;
	spin_lock_bh(&budget_lock);
	gone = put_locked(payer);
	spin_unlock_bh(&budget_lock);
	if (gone)
		kfree(payer);
}

/* ---- bytes ------------------------------------------------------------------- */

enum lack { LACKS_NOTHING, LACKS_SHARE, LACKS_USERS, LACKS_TOTAL };

static u64 budget(void)
{
	return (u64)READ_ONCE(ustack_budget_mb) << 20;
}

/*
 * Return: the limit that a charge of @bytes to @payer would exceed.
 * @without_idle: count as if all idle tables had been freed.
 */
static enum lack lacking(const struct ustack_payer *payer, u64 bytes,
			 bool without_idle)
{
	u64 total = total_bytes, own = payer->bytes;
	u64 users = total - ustack_machine.bytes;

	lockdep_assert_held(&budget_lock);
	if (without_idle) {
		total -= total_idle;
		own -= payer->idle_bytes;
		users -= total_idle - ustack_machine.idle_bytes;
	}
	if (!is_machine(payer)) {
		if (own + bytes > budget() / USTACK_SHARE_OF_BUDGET)
			return LACKS_SHARE;
		if (users + bytes > budget() - budget() / USTACK_SHARE_OF_BUDGET)
			return LACKS_USERS;
	}
	return total + bytes > budget() ? LACKS_TOTAL : LACKS_NOTHING;
}

static enum lack try_reserve(struct ustack_payer *payer, u64 bytes, bool *hopeless)
{
	enum lack lack;

	spin_lock_bh(&budget_lock);
	*hopeless = lacking(payer, bytes, true);
	lack = lacking(payer, bytes, false);
	if (!lack) {
		payer->bytes += bytes;
		payer->refs++;
		WRITE_ONCE(total_bytes, total_bytes + bytes);
	}
	spin_unlock_bh(&budget_lock);
	return lack;
}

bool ustack_budget_reserve(struct ustack_payer *payer, u64 bytes)
{
	bool hopeless, evicted = false;
	enum lack lack;

	might_sleep();
	while ((lack = try_reserve(payer, bytes, &hopeless))) {
		if (hopeless ||
		    !evict_one(lack == LACKS_SHARE ? payer : NULL,
			       lack != LACKS_TOTAL))
			return false;
		evicted = true;
		cond_resched();
	}
	/* RCU frees the evicted tables: wait until their memory is free. */
	if (evicted)
		synchronize_rcu();
	return true;
}

void ustack_budget_release(struct ustack_payer *payer, u64 bytes)
{
	bool gone;

	spin_lock_bh(&budget_lock);
	payer->bytes -= bytes;
	WRITE_ONCE(total_bytes, total_bytes - bytes);
	gone = put_locked(payer);
	spin_unlock_bh(&budget_lock);
	if (gone)
		kfree(payer);
}

void ustack_budget_idle(struct ustack_payer *payer, s64 bytes)
{
	spin_lock_bh(&budget_lock);
	payer->idle_bytes += bytes;
	total_idle += bytes;
	spin_unlock_bh(&budget_lock);
}

bool ustack_budget_has_room(const struct ustack_payer *payer, u64 bytes)
{
	bool room;

	spin_lock_bh(&budget_lock);
	room = !lacking(payer ?: &ustack_machine, bytes, true);
	spin_unlock_bh(&budget_lock);
	return room;
}

u64 ustack_budget_bytes(void)
{
	return READ_ONCE(total_bytes);
}

/* ---- turns -------------------------------------------------------------------- */

static bool may_build(const struct ustack_turn *turn)
{
	const struct ustack_payer *payer = turn->payer;

	lockdep_assert_held(&budget_lock);
	if (turn->remote)
		return remote_turns < USTACK_REMOTE_BUILDS &&
		       !payer->remote_builds;
	if (turn->large && large_turn)
		return false;
	return local_turns < USTACK_LOCAL_BUILDS &&
	       (is_machine(payer) || !payer->builds);
}

static bool try_turn(const struct ustack_turn *turn)
{
	struct ustack_payer *payer = turn->payer;
	bool taken;

	spin_lock_bh(&budget_lock);
	taken = may_build(turn);
	if (taken && turn->remote) {
		remote_turns++;
		payer->remote_builds++;
	} else if (taken) {
		local_turns++;
		payer->builds++;
		large_turn |= turn->large;
	}
	spin_unlock_bh(&budget_lock);
	return taken;
}

bool ustack_turn_take(struct ustack_turn *turn, struct ustack_payer *payer,
		      u64 bytes, bool remote)
{
	might_sleep();
	*turn = (struct ustack_turn){
		.payer = payer,
		.remote = remote,
		.large = !remote && bytes > USTACK_LARGE_SECTION,
	};
	if (remote)
		return try_turn(turn);
	return !wait_event_killable(turns, try_turn(turn));
}

void ustack_turn_give(const struct ustack_turn *turn)
{
	spin_lock_bh(&budget_lock);
	if (turn->remote) {
		remote_turns--;
		turn->payer->remote_builds--;
	} else {
		local_turns--;
		turn->payer->builds--;
		if (turn->large)
			large_turn = false;
	}
	spin_unlock_bh(&budget_lock);
	wake_up_all(&turns);
}
