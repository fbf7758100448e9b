/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of the canvas: one tree, or the two trees of a sandwich, each
 * with its own visible range of values. Rows count from the top.
 */

const ROW = 18;

/* share now - share before, in all that was recorded */
function changeOf(tree, i) {
	const [now, before] = tree.whole;

	return (now ? tree.total[0][i] / now : 0) - (before ? tree.total[1][i] / before : 0);
}

function measureChange(tree, whole) {
	tree.whole = whole;
	tree.mostChange = 0;
	if (whole.length < 2)
		return;
	for (let i = 1; i < tree.n; i++)
		tree.mostChange = Math.max(tree.mostChange, Math.abs(changeOf(tree, i)));
}

/*
 * @dir: 1 if callees are below; @row: row of the root; @first: first node to
 * draw
 */
function newPart(tree, dir, row, first) {
	return { tree, dir, row, first, zoom: 0, view: null };
}

/* @icicle turns a single tree over. A sandwich always has its callers above. */
function newScene(trees, icicle, side) {
	const parts = [], [a, b] = trees;

	if (b) {
		parts.push(newPart(b, 1, a.maxDepth, 0), newPart(a, -1, a.maxDepth, 1));
	} else {
		parts.push(newPart(a, icicle ? 1 : -1, icicle ? 0 : a.maxDepth, 0));
	}
	const scene = { parts, side, rows: a.maxDepth + 1 + (b ? b.maxDepth : 0) };

	for (const part of parts)
		part.view = wholeView(scene, part, 0);
	return scene;
}

function wholeView(scene, part, node) {
	return { x: positions(part.tree, scene.side)[node], w: part.tree.total[scene.side][node] };
}

function rowOf(part, node) {
	return part.row + part.dir * part.tree.depth[node];
}

/*
 * Returns left edge and width on a canvas of @width, cut to the visible part.
 */
function extent(scene, part, node, width) {
	const scale = part.view.w ? width / part.view.w : 0;
	const left = (positions(part.tree, scene.side)[node] - part.view.x) * scale;
	const right = left + part.tree.total[scene.side][node] * scale;
	const from = Math.max(0, left);

	return { x: from, w: Math.min(width, right) - from };
}

/* Frames narrower than this are drawn together, as a strip without names. */
const NARROW = 0.6;

/*
 * Calls frame(node, x, w, row) for visible frames in the rows @top to @bottom,
 * and strip(x, w, row) for frames that are too narrow.
 */
function visitVisible(scene, part, width, top, bottom, frame, strip) {
	const { tree, view, dir } = part, x = positions(tree, scene.side);
	const total = tree.total[scene.side], scale = view.w ? width / view.w : 0;
	let from = 0, to = 0, depth = -1;
	const flush = () => {
		const row = part.row + dir * depth;

		if (to - from >= NARROW / 2 && row >= top && row <= bottom)
			strip(from, to - from, row);
		depth = -1;
	};

	for (let i = part.first; i < tree.n;) {
		const left = (x[i] - view.x) * scale, w = total[i] * scale;
		const row = part.row + dir * tree.depth[i];

		if (left >= width || left + w <= 0 || (dir > 0 ? row > bottom : row < top)) {
			i = tree.end[i];
		} else if (w < NARROW) {
			if (depth !== tree.depth[i] || left > to + 0.01) {
				flush();
				depth = tree.depth[i];
				from = left;
			}
			to = left + w;
			i = tree.end[i];
		} else {
			if (row >= top && row <= bottom) {
				const at = Math.max(0, left);

				frame(i, at, Math.min(width, left + w) - at, row);
			}
			i++;
		}
	}
	flush();
}

/* Returns the node at a place, { part, node }, or null. */
function hit(scene, px, row, width) {
	for (const part of scene.parts) {
		const depth = (row - part.row) * part.dir;
		const value = part.view.x + px / width * part.view.w;

		if (depth < part.first || depth > part.tree.maxDepth || !(part.view.w > 0))
			continue;
		const node = nodeAt(part.tree, scene.side, depth, value);

		if (node >= part.first)
			return { part, node };
	}
	return null;
}

/* Returns the node at @depth whose range contains @value, or -1. */
function nodeAt(tree, side, depth, value) {
	const x = positions(tree, side), total = tree.total[side];
	let node = 0;

	if (value < 0 || value >= total[0])
		return -1;
	while (tree.depth[node] < depth) {
		const end = tree.end[node];
		let c = node + 1;

		while (c < end && !(value >= x[c] && value < x[c] + total[c]))
			c = tree.end[c];
		if (c >= end)
			return -1;
		node = c;
	}
	return node;
}

function childrenOf(tree, node) {
	const all = [];

	for (let c = node + 1; c < tree.end[node]; c = tree.end[c])
		all.push(c);
	return all;
}

/* Returns the nodes from the root to this one. */
function wayTo(tree, node) {
	const way = [node];

	while (node)
		way.push(node = tree.parent[node]);
	return way.reverse();
}
