/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call trees, and trees made from them. Nodes are numbered in the order of a
 * walk that visits callers first and larger siblings first: nodes below node i
 * are i + 1 up to end[i] - 1.
 */

function newTree(n, values) {
	const doubles = () => Array.from({ length: values }, () => new Float64Array(n));

	return {
		n, values, maxDepth: 0,
		parent: new Int32Array(n), sym: new Int32Array(n), depth: new Int32Array(n),
		end: new Int32Array(n), self: doubles(), total: doubles(), x: [],
	};
}

/* Computes what follows from parents and own values. */
function sumTree(t) {
	for (let k = 0; k < t.values; k++)
		t.total[k].set(t.self[k]);
	for (let i = t.n - 1; i >= 0; i--) {
		const parent = t.parent[i];

		t.end[i] = Math.max(t.end[i], i + 1);
		if (!i)
			break;
		t.end[parent] = Math.max(t.end[parent], t.end[i]);
		for (let k = 0; k < t.values; k++)
			t.total[k][parent] += t.total[k][i];
		t.maxDepth = Math.max(t.maxDepth, t.depth[i]);
	}
	return t;
}

/*
 * Returns where nodes begin, in units of the value; their widths are their
 * totals.
 */
function positions(t, side) {
	if (!t.x[side]) {
		const x = new Float64Array(t.n), used = new Float64Array(t.n);

		for (let i = 1; i < t.n; i++) {
			const parent = t.parent[i];

			x[i] = x[parent] + used[parent];
			used[parent] += t.total[side][i];
		}
		t.x[side] = x;
	}
	return t.x[side];
}

/* Builds a tree; children are found by their symbol. */
class Builder {
	constructor(values, rootSymbol) {
		this.values = values;
		this.n = 0;
		this.room = 1024;
		this.parent = new Int32Array(this.room);
		this.sym = new Int32Array(this.room);
		this.self = Array.from({ length: values }, () => new Float64Array(this.room));
		this.slots = new Int32Array(4 * this.room);
		this.append(0, rootSymbol);
	}

	append(parent, sym) {
		if (this.n === this.room)
			this.grow();
		this.parent[this.n] = parent;
		this.sym[this.n] = sym;
		return this.n++;
	}

	grow() {
		const larger = (Type, old) => {
			const array = new Type(2 * this.room);

			array.set(old);
			return array;
		};

		this.parent = larger(Int32Array, this.parent);
		this.sym = larger(Int32Array, this.sym);
		this.self = this.self.map(old => larger(Float64Array, old));
		this.room *= 2;
		this.slots = new Int32Array(4 * this.room);
		for (let i = 1; i < this.n; i++)
			this.slots[this.find(this.parent[i], this.sym[i])] = i;
	}

	/* Returns the slot of a child, or the free slot that it would have. */
	find(parent, sym) {
		const mask = this.slots.length - 1;
		let h = Math.imul(parent, 0x9e3779b1) ^ Math.imul(sym + 1, 0x85ebca6b);

		h ^= h >>> 15;
		for (let at = h & mask; ; at = (at + 1) & mask) {
			const i = this.slots[at];

			if (!i || (this.parent[i] === parent && this.sym[i] === sym))
				return at;
		}
	}

	child(parent, sym) {
		const at = this.find(parent, sym), old = this.slots[at];
		const room = this.room;

		if (old)
			return old;
		const i = this.append(parent, sym);

		/* if the arrays have grown, the slot is another one */
		this.slots[room === this.room ? at : this.find(parent, sym)] = i;
		return i;
	}

	add(node, from, i, what) {
		for (let k = 0; k < this.values; k++)
			this.self[k][node] += from[what][k][i];
	}

	/*
	 * Links the children of each node, the largest first: first child of
	 * each, and next sibling. Nodes whose value became 0 are left out.
	 */
	lists(total) {
		const first = new Int32Array(this.n), next = new Int32Array(this.n);
		const size = i => total.reduce((sum, t) => sum + t[i], 0);
		let n = 1;

		for (let i = this.n - 1; i > 0; i--) {
			if (!size(i))
				continue;
			n++;
			next[i] = first[this.parent[i]];
			first[this.parent[i]] = i;
		}
		for (let i = 0; i < this.n; i++) {
			if (!first[i] || !next[first[i]])
				continue;
			const all = [];

			for (let c = first[i]; c; c = next[c])
				all.push(c);
			all.sort((a, b) => size(b) - size(a) || this.sym[a] - this.sym[b]);
			first[i] = all[0];
			all.forEach((c, k) => {
				next[c] = k + 1 < all.length ? all[k + 1] : 0;
			});
		}
		return { first, next, n };
	}

	finish() {
		const total = this.self.map(self => self.slice(0, this.n));

		for (let i = this.n - 1; i > 0; i--)
			for (const t of total)
				t[this.parent[i]] += t[i];
		const { first, next, n } = this.lists(total);
		const tree = newTree(n, this.values), number = new Int32Array(this.n);
		let old = 0;

		for (let i = 0; i < n; i++) {
			number[old] = i;
			tree.sym[i] = this.sym[old];
			if (i) {
				tree.parent[i] = number[this.parent[old]];
				tree.depth[i] = tree.depth[tree.parent[i]] + 1;
			}
			for (let k = 0; k < this.values; k++)
				tree.self[k][i] = this.self[k][old];
			if (first[old]) {
				old = first[old];
			} else {
				while (old && !next[old])
					old = this.parent[old];
				old = next[old];
			}
		}
		return sumTree(tree);
	}
}

/*
 * Limit for following callers. Callers of many deep stacks could be more than a
 * browser has room for: a million frames of recursion with a sample at each
 * level would make 5 * 10^11.
 */
const MAX_STEPS = 2 ** 23;

/* Returns how many callers of each node can be followed. */
function callersWithin(t, nodes) {
	const steps = nodes.reduce((sum, i) => sum + t.depth[i], 0);

	return steps <= MAX_STEPS ? Infinity : Math.max(1, Math.floor(MAX_STEPS / nodes.length));
}

/* Adds the callers of @nodes to a builder, the nearest first. */
function addCallers(b, t, nodes, own, what) {
	const most = callersWithin(t, nodes);

	for (const i of nodes) {
		let node = 0, left = most;

		for (let j = own ? i : t.parent[i]; j && left; j = t.parent[j], left--)
			node = b.child(node, t.sym[j]);
		b.add(node, t, i, what);
	}
	return most;
}

/* Returns the tree of callers, from the innermost functions on. */
function invertTree(t) {
	const b = new Builder(t.values, t.sym[0]), nodes = [];

	for (let i = 0; i < t.n; i++)
		if (t.self.some(self => self[i]))
			nodes.push(i);
	const most = addCallers(b, t, nodes, true, "self");

	return Object.assign(b.finish(), { cut: most });
}

/*
 * Merges recursion: a function that calls itself is one frame. With @all, also
 * a function that calls itself through others; the frames in between are left
 * out, as in a loop-erased walk.
 */
function mergeTree(t, all) {
	const b = new Builder(t.values, t.sym[0]), became = new Int32Array(t.n);

	b.add(0, t, 0, "self");
	for (let i = 1; i < t.n; i++) {
		const parent = became[t.parent[i]];
		let node = parent;

		while (all && node && b.sym[node] !== t.sym[i])
			node = b.parent[node];
		if (b.sym[node] !== t.sym[i])
			node = b.child(parent, t.sym[i]);
		became[i] = node;
		b.add(node, t, i, "self");
	}
	return b.finish();
}

/*
 * Returns the callers and the callees of one function. Recursion counts once,
 * at its outermost call.
 */
function sandwichTrees(t, sym) {
	const callers = new Builder(t.values, sym), callees = new Builder(t.values, sym);
	const became = new Int32Array(t.n), nodes = [];

	for (let i = 1; i < t.n;) {
		if (t.sym[i] !== sym) {
			i++;
			continue;
		}
		nodes.push(i);
		callees.add(0, t, i, "self");
		for (let j = i + 1; j < t.end[i]; j++) {
			const parent = t.parent[j] === i ? 0 : became[t.parent[j]];

			became[j] = callees.child(parent, t.sym[j]);
			callees.add(became[j], t, j, "self");
		}
		i = t.end[i];
	}
	const most = addCallers(callers, t, nodes, false, "total");

	return { callers: Object.assign(callers.finish(), { cut: most }), callees: callees.finish() };
}

/*
 * Calls visit(i) for nodes for which has(i) is true, except those below such a
 * node, so that their sum counts everything once.
 */
function eachOutermost(t, has, visit) {
	for (let i = 1; i < t.n;)
		if (has(i)) {
			visit(i);
			i = t.end[i];
		} else {
			i++;
		}
}

/*
 * Returns for each symbol its own values, and those of all samples that have it
 * in their stack.
 */
function flatTable(t, nrSymbols) {
	const doubles = () => Array.from({ length: t.values }, () => new Float64Array(nrSymbols));
	const flat = { self: doubles(), total: doubles() };
	const within = new Int32Array(nrSymbols), open = [];

	for (let i = 1; i < t.n; i++) {
		while (open.length && t.end[open[open.length - 1]] <= i)
			within[t.sym[open.pop()]]--;
		for (let k = 0; k < t.values; k++) {
			flat.self[k][t.sym[i]] += t.self[k][i];
			if (!within[t.sym[i]])
				flat.total[k][t.sym[i]] += t.total[k][i];
		}
		within[t.sym[i]]++;
		open.push(i);
	}
	return flat;
}
