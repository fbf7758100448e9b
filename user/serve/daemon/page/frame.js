/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flame graph: the server makes the page of ustack flame for the range, and a frame shows it.
 * The frame has the same origin, so this page can read and keep what is chosen in it.
 */

const DOWNLOADS = [["pprof", "pprof"], ["folded", "folded"], ["speedscope", "speedscope"]];

/* The choices of a graph that also make sense in another graph. */
function carriedHash(hash, theme) {
	const words = new URLSearchParams(hash);

	for (const key of ["zoom", "focus", "symbol", "side", "theme"])
		words.delete(key);
	if (words.get("view") === "sandwich")
		words.delete("view");
	if (theme)
		words.set("theme", theme);
	return words.toString();
}

class Frame {
	constructor(app) {
		this.app = app;
		this.box = byId("frame");
		this.section = byId("flame");
	}

	params() {
		const { state, range } = this.app;

		return { ...rangeParams(state.now || range), select: state.select, value: state.value,
			 ...(state.before ? rangeParams(state.before, "before_") : {}) };
	}

	title() {
		const { state, range } = this.app;
		const when = rangeText(state.now || range);

		return (state.select || "All samples") + ", " + when +
			(state.before ? ", and before: " + rangeText(state.before) : "");
	}

	/*
	 * Makes a new frame each time, because a new address of a frame would be an entry of the
	 * history.
	 */
	load() {
		const { state } = this.app, query = Api.query({ ...this.params(), title: this.title() });

		if (query === this.query)
			return;
		const hash = this.query === undefined ? state.flame : carriedHash(state.flame, state.theme);
		const frame = element("iframe", { title: "Flame graph of " + cleanText(this.title()),
						  src: "/flame?" + query + (hash && "#" + hash) });

		this.query = query;
		this.graph = null;
		this.section.setAttribute("aria-busy", "true");
		byId("flame-state").textContent = "loading ...";
		frame.addEventListener("load", () => this.loaded(frame));
		this.box.replaceChildren(frame);
		this.showDownloads();
	}

	/* Whether a new graph would disturb the reader, or one is being made already. */
	isInUse() {
		return this.section.hasAttribute("aria-busy") ||
			document.activeElement === this.box.firstElementChild ||
			carriedHash(this.app.state.flame) !== new URLSearchParams(this.app.state.flame).toString();
	}

	loaded(frame) {
		if (frame.parentNode !== this.box)
			return;
		this.section.removeAttribute("aria-busy");
		this.graph = frame.contentWindow.flame || null;
		if (!this.graph) {
			this.failed(frame);
			return;
		}
		const { graph, app } = this, save = graph.save.bind(graph);
		const keep = () => app.keepFlame(frame.contentWindow.location.hash.slice(1));

		graph.save = go => {
			save(go);
			keep();
		};
		frame.contentWindow.addEventListener("popstate", keep);
		if (app.state.theme && graph.state.theme !== app.state.theme)
			graph.set({ theme: app.state.theme });
		const words = frame.contentDocument.getElementById("summary").textContent;

		byId("flame-state").textContent = words;
		if (!this.app.quiet)
			byId("live").textContent = "Flame graph: " + words;
	}

	/* Shows the server's error, which is JSON. */
	failed(frame) {
		let text = "The server did not answer";

		try {
			text = JSON.parse(frame.contentDocument.body.textContent).error.message;
		} catch (e) {
			/* not an answer of our server: it came from a proxy, or none came */
		}
		byId("flame-state").textContent = "";
		this.box.replaceChildren(element("p", { role: "alert", textContent: cleanText(text) }));
	}

	theme(theme) {
		if (this.graph)
			this.graph.set({ theme });
	}

	/* Shows callers and callees of a function. Returns false if the graph does not have it. */
	sandwich(name, image) {
		const { graph } = this;
		const i = graph ? graph.symbols.findIndex(s => s.name === cleanText(name) &&
							       s.image === cleanText(image)) : -1;

		if (i < 0)
			return false;
		graph.sandwich(i);
		this.section.scrollIntoView({ block: "start" });
		this.box.firstChild.focus();
		return true;
	}

	showDownloads() {
		const query = Api.query(this.params());
		const links = DOWNLOADS.map(([format, text]) =>
			element("a", { href: `/api/v1/profile?${query}&format=${format}`, download: "", textContent: text }));
		const own = element("a", { href: "/flame?" + this.query, target: "_blank", rel: "noopener",
					   textContent: "in its own page" });

		byId("downloads").replaceChildren(own, "save as", ...links.flatMap(l => [l]));
	}
}
