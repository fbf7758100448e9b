/* SPDX-License-Identifier: GPL-2.0-only */
/* Colours of frames, and the labels of the legend. */

/*
 * Hue, saturation, and lightness in the light and in the dark theme. Kinds
 * differ in lightness or are far apart in hue, also for people who do not see
 * red or green.
 */
const KINDS = [
	{ kind: KIND.USER, label: "user", hue: 36, sat: 88, light: 70, dark: 33, spread: 11 },
	{ kind: KIND.INLINED, label: "inlined", hue: 56, sat: 72, light: 83, dark: 24, spread: 4 },
	{ kind: KIND.KERNEL, label: "kernel", hue: 205, sat: 62, light: 72, dark: 32, spread: 8 },
	{ kind: KIND.JIT, label: "JIT", hue: 282, sat: 50, light: 77, dark: 38, spread: 8 },
	{ kind: KIND.UNKNOWN, label: "unknown", hue: 0, sat: 0, light: 78, dark: 36, spread: 0 },
	{ kind: KIND.END, label: "stack not complete", hue: 8, sat: 70, light: 45, dark: 62, spread: 0 },
	{ kind: KIND.LABEL, label: "command", hue: 215, sat: 24, light: 79, dark: 29, spread: 0 },
];

/*
 * Less and more are blue and orange, which all eyes can tell apart; no change
 * is grey.
 */
const LESS = { light: [38, 106, 190], dark: [96, 165, 250] };
const MORE = { light: [217, 95, 2], dark: [251, 146, 60] };
const SAME = { light: [236, 236, 236], dark: [64, 68, 75] };

function hslToRgb(h, s, l) {
	const a = s / 100 * Math.min(l / 100, 1 - l / 100);
	const channel = n => {
		const k = (n + h / 30) % 12;

		return Math.round(255 * (l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
	};

	return [channel(0), channel(8), channel(4)];
}

/*
 * Returns a fill colour, and a text colour that can be read on it (WCAG's
 * relative luminance).
 */
function paint([r, g, b]) {
	const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	const luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

	return { fill: `rgb(${r},${g},${b})`, text: luminance > 0.18 ? "#111418" : "#ffffff" };
}

function kindPaint(kind, dark, image, name) {
	const k = KINDS.find(one => one.kind === kind);
	const swing = image % 1000 / 500 - 1, shade = name % 1000 / 500 - 1;

	return paint(hslToRgb((k.hue + k.spread * swing + 360) % 360, k.sat,
			      (dark ? k.dark : k.light) + (k.spread ? 3 : 0) * shade));
}

function hashPaint(hash, dark) {
	return paint(hslToRgb(hash % 360, dark ? 38 : 62, (dark ? 30 : 72) + (hash >>> 9) % 8));
}

/* Labels and ends always have the colour of their kind. */
function symbolPaint(symbol, how, dark) {
	const image = hashText(symbol.image);

	if (how === "kind" || symbol.kind === KIND.LABEL || symbol.kind === KIND.END)
		return kindPaint(symbol.kind, dark, image, hashText(symbol.name));
	if (how === "image")
		return symbol.image ? hashPaint(image, dark) : kindPaint(KIND.UNKNOWN, dark, 0, 0);
	return hashPaint(hashText(symbol.name), dark);
}

/* @t: from -1, less, to 1, more. */
function changePaint(t, dark) {
	const theme = dark ? "dark" : "light", to = (t < 0 ? LESS : MORE)[theme];

	return paint(SAME[theme].map((c, i) => Math.round(c + (to[i] - c) * Math.abs(t))));
}

/* The square root makes small changes visible beside large ones. */
function changeScale(change, most) {
	return most ? Math.sign(change) * Math.sqrt(Math.min(1, Math.abs(change) / most)) : 0;
}

const CHANGE_STEPS = 8;

/*
 * Returns a function that gives the colour of a node: by symbol, or by change
 * in steps.
 */
function painter(symbols, how, dark) {
	if (how !== "change") {
		const paints = [];

		return (tree, i) => {
			const s = tree.sym[i];

			return paints[s] || (paints[s] = symbolPaint(symbols[s], how, dark));
		};
	}
	const steps = [];

	for (let i = -CHANGE_STEPS; i <= CHANGE_STEPS; i++)
		steps.push(changePaint(i / CHANGE_STEPS, dark));
	return (tree, i) => {
		const t = changeScale(changeOf(tree, i), tree.mostChange);

		return steps[CHANGE_STEPS + Math.round(t * CHANGE_STEPS)];
	};
}

/* The colour of strips: frames that are too narrow to be drawn alone. */
function stripFill(dark) {
	return dark ? "#565a60" : "#d3d3d0";
}

function matchPaint(dark) {
	return dark ? { fill: "#ff6fb1", text: "#14060d" } : { fill: "#c2186b", text: "#ffffff" };
}
