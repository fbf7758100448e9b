/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the data in the page; user/show/flame/data.h describes its format. */

const KIND = { USER: 0, KERNEL: 1, INLINED: 2, JIT: 3, UNKNOWN: 4, LABEL: 5, END: 6 };

/*
 * Returns a function that reads the next number: LEB128 in base64, as
 * user/show/flame/pack.h writes it.
 */
function unpacker(text) {
	const bytes = atob(text);
	let at = 0;

	return () => {
		let number = 0, unit = 1, byte;

		do {
			byte = bytes.charCodeAt(at++);
			number += (byte & 127) * unit;
			unit *= 128;
		} while (byte & 128);
		return number;
	};
}

/*
 * Labels for why a stack ends are in brackets; the names of reasons tell them
 * from other labels.
 */
function endReasons(data) {
	const names = new Set();

	for (const recorded of [data.recorded, data.before])
		for (const [name] of recorded ? recorded.reasons : [])
			names.add("[" + name + "]");
	return names;
}

function readSymbols(data) {
	const next = unpacker(data.symbols), ends = endReasons(data);
	const strings = data.strings.map(cleanText), symbols = [];

	for (let i = 0; i < data.nr_symbols; i++) {
		const name = next(), file = next(), image = next(), line = next();
		let kind = next();

		if (kind === KIND.LABEL && ends.has(data.strings[name]))
			kind = KIND.END;
		symbols.push({ name: strings[name], file: strings[file], image: strings[image],
			       line, kind });
	}
	/* the root is not in the profile */
	symbols.push({ name: "all", file: "", image: "", line: 0, kind: KIND.LABEL });
	return symbols;
}

function readTree(data) {
	const n = data.nr_nodes + 1, next = unpacker(data.nodes);
	const tree = newTree(n, data.scale.length);
	let depth = 0;
	const open = [0];

	tree.sym[0] = data.nr_symbols;
	data.root_self.forEach((self, k) => {
		tree.self[k][0] = self * data.scale[k];
	});
	for (let i = 1; i < n; i++) {
		depth += 1 - next();
		tree.parent[i] = open[depth - 1];
		tree.depth[i] = depth;
		open[depth] = i;
		tree.sym[i] = next();
		for (let k = 0; k < data.scale.length; k++)
			tree.self[k][i] = next() * data.scale[k];
	}
	return sumTree(tree);
}
