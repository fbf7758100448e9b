/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader's choices, and their form after the page's '#', so that a link
 * contains them.
 */

const VIEWS = ["calls", "callers", "sandwich", "list"];

function firstState(data) {
	return {
		view: data.callers ? "callers" : "calls",
		icicle: false,
		recursion: 0,
		colour: data.before ? "change" : "kind",
		side: 0,
		query: "",
		regex: false,
		theme: "",
		symbol: -1,	/* function of the sandwich */
		zoom: [0, 0],	/* part, node */
		focus: null,	/* part, node */
	};
}

/*
 * Numbers of nodes and symbols belong to this page; a page of the same profile
 * has the same.
 */
function stateToHash(state, first) {
	const words = new URLSearchParams();
	const put = (key, value, plain) => {
		if (value !== plain)
			words.set(key, value);
	};

	put("view", state.view, first.view);
	put("icicle", Number(state.icicle), Number(first.icicle));
	put("recursion", state.recursion, 0);
	put("colour", state.colour, first.colour);
	put("side", state.side, 0);
	put("search", state.query, "");
	put("regex", Number(state.regex), 0);
	put("theme", state.theme, "");
	put("symbol", state.symbol, -1);
	put("zoom", state.zoom.join("."), "0.0");
	put("focus", state.focus ? state.focus.join(".") : "", "");
	return words.toString();
}

function oneOf(value, all, otherwise) {
	return all.includes(value) ? value : otherwise;
}

function numbersOf(text) {
	const m = /^(\d{1,2})\.(\d{1,9})$/.exec(text || "");

	return m ? [Number(m[1]), Number(m[2])] : null;
}

/* The text may be anything; parts that are not understood are ignored. */
function hashToState(hash, first, nrSymbols, colours) {
	const words = new URLSearchParams(hash.replace(/^#/, ""));
	const flag = (key, plain) => words.has(key) ? words.get(key) === "1" : plain;
	const symbol = words.has("symbol") ? Number(words.get("symbol")) : -1;

	return {
		view: oneOf(words.get("view"), VIEWS, first.view),
		icicle: flag("icicle", first.icicle),
		recursion: oneOf(Number(words.get("recursion")), [0, 1, 2], 0),
		colour: oneOf(words.get("colour"), colours, first.colour),
		side: first.colour === "change" && words.get("side") === "1" ? 1 : 0,
		query: (words.get("search") || "").slice(0, 1000),
		regex: flag("regex", false),
		theme: oneOf(words.get("theme"), ["dark", "light"], ""),
		symbol: Number.isInteger(symbol) && symbol >= 0 && symbol < nrSymbols ? symbol : -1,
		zoom: numbersOf(words.get("zoom")) || [0, 0],
		focus: numbersOf(words.get("focus")),
	};
}
