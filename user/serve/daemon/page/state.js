/* SPDX-License-Identifier: GPL-2.0-only */
/* What the reader has chosen. It is also in the page's address after '#', so it can be shared. */

const PLAIN = {
	span: "1h",	/* length of the time up to now; "" if from and to are used */
	from: 0, to: 0,	/* ms */
	by: null,	/* label of the chart, "" for none; null chooses one, see App.by */
	value: "cpu",
	select: "",
	now: null,	/* [ms, ms): the chosen range, null for all that is shown */
	before: null,	/* [ms, ms): the range that it is compared with, or null */
	query: "",
	ends: "binary",
	follow: false,	/* load again automatically */
	theme: "",
	flame: "icicle=1",	/* the part after '#' in the flame graph's address */
};

const MOST_MS = 16725225599000;	/* the latest time that the server accepts */

function pairText(pair) {
	return pair ? pair.map(ms => ms / 1000).join("-") : "";
}

/* Parses a range of the address, which may have any text; an invalid one counts as absent. */
function pairOf(text) {
	const m = /^(\d{1,11}(?:\.\d{1,3})?)-(\d{1,11}(?:\.\d{1,3})?)$/.exec(text || "");
	const pair = m && [Number(m[1]) * 1000, Number(m[2]) * 1000];

	return pair && pair[0] < pair[1] && pair[1] <= MOST_MS ? pair : null;
}

function stateToHash(state) {
	const words = new URLSearchParams();

	for (const key of ["span", "by", "value", "select", "query", "ends", "theme", "flame"])
		if (state[key] !== PLAIN[key])
			words.set(key, state[key]);
	if (state.follow)
		words.set("follow", "1");
	if (!state.span)
		words.set("time", pairText([state.from, state.to]));
	for (const key of ["now", "before"])
		if (state[key])
			words.set(key, pairText(state[key]));
	return words.toString();
}

function hashToState(hash) {
	const words = new URLSearchParams(hash.replace(/^#/, ""));
	const text = key => words.has(key) ? words.get(key).slice(0, 4000) : PLAIN[key];
	const time = pairOf(words.get("time")), span = text("span");
	const state = { ...PLAIN };

	for (const key of ["by", "value", "select", "query", "ends", "flame"])
		state[key] = text(key);
	state.theme = ["dark", "light"].includes(text("theme")) ? text("theme") : "";
	if (time)
		Object.assign(state, { span: "", from: time[0], to: time[1] });
	else if (spanMs(span))
		state.span = span;
	state.follow = words.get("follow") === "1";
	state.now = pairOf(words.get("now"));
	state.before = pairOf(words.get("before"));
	return state;
}

/* The range that is shown, in ms. */
function shownRange(state) {
	const now = Date.now();

	return state.span ? [now - spanMs(state.span), now] : [state.from, state.to];
}
