/* SPDX-License-Identifier: GPL-2.0-only */
/* Words and numbers for readers. */

/*
 * Characters by which a hostile name could look like another, or reorder its
 * line: control characters, marks of direction, and characters without width.
 */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function cleanText(s) {
	return s.replace(UNSEEN, c => {
		const n = c.charCodeAt(0);

		return n < 256 ? "\\x" + n.toString(16).padStart(2, "0") :
			"\\u" + n.toString(16).padStart(4, "0");
	});
}

/*
 * Numbers have the same form everywhere, whatever the reader's browser is set
 * to.
 */
function withCommas(n) {
	return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
}

function scaled(n, steps, digits) {
	for (const [size, unit] of steps)
		if (Math.abs(n) >= size)
			return (n / size).toFixed(digits) + " " + unit;
	return null;
}

const TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
const SIZES = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [1024, "KiB"]];

function amount(n, unit) {
	if (unit === "nanoseconds")
		return scaled(n, TIMES, 3) || n + " ns";
	if (unit === "microseconds" || unit === "milliseconds" || unit === "seconds")
		return amount(n * { microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 }[unit],
			      "nanoseconds");
	if (unit === "bytes")
		return scaled(n, SIZES, 1) || n + " bytes";
	return withCommas(n) + (unit && unit !== "count" ? " " + unit : "");
}

/* @share: between 0 and 1. */
function percent(share) {
	const p = share * 100;

	return (p > 0 && p < 0.01 ? "< 0.01" : p >= 99.995 && share < 1 ? "99.99" : p.toFixed(2)) + " %";
}

/*
 * Sums up complete stacks, by the definition in user/profile/whole.h. @reasons:
 * pairs of a reason and its value. The result's share is null if there are no
 * stacks.
 */
function wholeOf(reasons) {
	const none = name => name === "kernel" || name === "no_mm";
	const sum = pass => reasons.reduce((all, [name, value]) => pass(name) ? all + value : all, 0);
	const stacks = sum(name => !none(name)), complete = sum(name => name === "complete");
	const guessed = sum(name => name === "guessed");

	return { none, stacks, guessed, share: stacks > 0 ? complete / stacks : null };
}

/* Rounds down, so that only all of it is 100 %, as in the commands. */
function wholeText({ share, guessed, stacks }) {
	const down = part => (Math.floor(part * 10000 + 1e-9) / 100).toFixed(2) + " %";

	return share === null ? "" : `${down(share)} of stacks complete` +
		(guessed ? `, ${down(guessed / stacks)} guessed` : "");
}

function points(share) {
	return (share > 0 ? "+" : share < 0 ? "\u2212" : "\u00b1") +
		Math.abs(share * 100).toFixed(2) + " points";
}

/* Returns a name that fits into @n letters. */
function fitName(symbol, n) {
	if (symbol.name.length <= n)
		return symbol.name;
	symbol.short = symbol.short || shortNames(symbol.name);
	const name = symbol.short.find(s => s.length <= n) || symbol.short[symbol.short.length - 1];

	return name.length <= n ? name : name.slice(0, n - 1) + "\u2026";
}

/* FNV-1a: the same words get the same colour in every page. */
function hashText(s) {
	let h = 0x811c9dc5;

	for (let i = 0; i < s.length; i++)
		h = Math.imul(h ^ s.charCodeAt(i), 0x01000193);
	h ^= h >>> 15;
	return Math.imul(h, 0x2c1b3c6d) >>> 0;
}

/*
 * Makes an element. Texts of the profile go into text only, never into markup.
 */
function element(tag, properties, ...children) {
	const e = document.createElement(tag);

	for (const [key, value] of Object.entries(properties || {}))
		if (key.includes("-"))
			e.setAttribute(key, value);
		else
			e[key] = value;
	e.append(...children);
	return e;
}

function byId(id) {
	return document.getElementById(id);
}
