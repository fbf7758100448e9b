/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Search: finds symbols first, then nodes with these symbols in the trees that
 * are shown.
 */

/*
 * Returns a function of text, null for an empty query; throws if the regular
 * expression is wrong.
 */
function matcher(query, regex) {
	if (!query)
		return null;
	if (regex) {
		const expression = new RegExp(query, "iu");

		return s => expression.test(s);
	}
	const words = query.toLowerCase();

	return s => s.toLowerCase().includes(words);
}

/* Returns a flag for each symbol, or null. */
function matchSymbols(symbols, query, regex) {
	const matches = matcher(query, regex);

	return matches && Uint8Array.from(symbols, s => matches(s.name) || matches(s.file) ||
					  matches(s.image) ? 1 : 0);
}

/* Returns the matches in a scene, in the order of a walk: [{ part, node }] */
function findMatches(scene, flags) {
	const found = [];

	for (const part of scene.parts)
		eachOutermost(part.tree, i => flags[part.tree.sym[i]], node => {
			if (part.tree.total[scene.side][node] > 0)
				found.push({ part, node });
		});
	return found;
}

/* Returns the value of samples that have a match anywhere in their stack. */
function sumMatches(tree, flags, side) {
	let sum = 0;

	eachOutermost(tree, i => flags[tree.sym[i]], node => {
		sum += tree.total[side][node];
	});
	return sum;
}
