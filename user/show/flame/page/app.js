/* SPDX-License-Identifier: GPL-2.0-only */
/* The page: its data, the reader's choices, and what changes when these do. */

class App {
	constructor(data) {
		this.data = data;
		this.symbols = readSymbols(data);
		this.code = readCode(data);
		this.base = readTree(data);
		this.rootSymbol = this.base.sym[0];
		this.whole = this.base.total.map(t => t[0]);
		this.kept = new Map();
		this.colours = data.before ? ["change", "kind", "image", "name"] : ["kind", "image", "name"];
		this.first = firstState(data);
		this.canvas = new Canvas(byId("canvas"), byId("scroll"), byId("sizer"));
		this.flags = null;
		this.found = [];
		this.matchAt = -1;
		this.focus = this.hover = null;
		this.listNode = 0;
		this.sort = "self";
		this.frameTimes = [];
	}

	dark() {
		return document.documentElement.dataset.theme === "dark";
	}

	/*
	 * Trees are kept once they are made, because switches go back and
	 * forth.
	 */
	keep(key, make) {
		if (!this.kept.has(key))
			this.kept.set(key, make());
		return this.kept.get(key);
	}

	/*
	 * The same for trees that exist once for each function: only the last
	 * one is kept.
	 */
	keepOne(key, make) {
		if (this.one !== key)
			this.kept.delete(this.one);
		this.one = key;
		return this.keep(key, make);
	}

	measured(tree) {
		measureChange(tree, this.whole);
		return tree;
	}

	/* The tree with callers first, with recursion merged as chosen. */
	get main() {
		const how = this.state.recursion;

		return this.keep("main" + how, () =>
			this.measured(how ? mergeTree(this.base, how === 2) : this.base));
	}

	/* Sums of functions do not depend on how recursion is shown. */
	flat() {
		return this.keep("flat", () => flatTable(this.base, this.symbols.length));
	}

	trees() {
		const how = this.state.recursion, symbol = this.state.symbol;

		if (this.state.view === "callers")
			return [this.keep("callers" + how, () => {
				const tree = this.measured(invertTree(this.main));

				tree.calledBy = true;
				return tree;
			})];
		if (this.state.view !== "sandwich" || symbol < 0)
			return [this.main];
		return this.keepOne(`sandwich${how}.${symbol}`, () => {
			const { callers, callees } = sandwichTrees(this.base, symbol);
			const both = [callers, callees].map(t =>
				this.measured(how ? Object.assign(mergeTree(t, how === 2), { cut: t.cut }) : t));

			both[0].calledBy = true;
			return both;
		});
	}

	/*
	 * Builds the scene again after a change of view, recursion or widths.
	 */
	rebuild() {
		const { state } = this, [part, node] = state.zoom;

		this.scene = newScene(this.trees(), state.icicle, state.side);
		this.hover = null;
		this.focus = this.placeOf(state.focus);
		if (part < this.scene.parts.length && node < this.scene.parts[part].tree.n) {
			this.scene.parts[part].zoom = node;
			this.scene.parts[part].view = wholeView(this.scene, this.scene.parts[part], node);
		} else {
			state.zoom = [0, 0];
		}
		this.findAgain();
		this.show();
		if (this.shown()) {
			this.canvas.resize();
			this.canvas.layout(this.scene);
			this.canvas.scroll.scrollTop = this.firstScroll();
		}
	}

	/* Whether the graph is visible, and not a table. */
	shown() {
		return !byId("scroll").hidden;
	}

	/*
	 * The room for the graph has changed its size: what was in view stays
	 * in view.
	 */
	resized() {
		const { canvas, scene } = this;
		const atEnd = canvas.scroll.scrollTop + canvas.height >= canvas.scroll.scrollHeight - 2;

		if (!canvas.scroll.clientWidth)
			return;
		canvas.resize();
		canvas.layout(scene);
		if (atEnd && scene.parts[0].dir < 0)
			canvas.scroll.scrollTop = 1e9;
		else if (scene.parts.length > 1 && !this.focus)
			canvas.scroll.scrollTop = this.firstScroll();
		else if (this.focus)
			canvas.reveal(rowOf(this.focus.part, this.focus.node));
		this.draw();
	}

	placeOf(pair) {
		const part = pair && this.scene.parts[pair[0]];

		return part && pair[1] < part.tree.n ? { part, node: pair[1] } : null;
	}

	pairOf(at) {
		return at ? [this.scene.parts.indexOf(at.part), at.node] : null;
	}

	firstScroll() {
		const at = this.focus || this.zoomed(), row = rowOf(at.part, at.node);

		if (!at.node && this.scene.parts.length === 1)
			return at.part.dir < 0 ? 1e9 : 0;
		return Math.max(0, (row + 0.5) * ROW + this.canvas.lead - this.canvas.height / 2);
	}

	zoomed() {
		const [part, node] = this.state.zoom;

		return { part: this.scene.parts[part], node };
	}

	/* Shows the graph and everything around it. */
	show() {
		const { state } = this, choose = state.view === "sandwich" && state.symbol < 0;
		const list = state.view === "list" || choose, nothing = !this.whole.some(w => w > 0);

		byId("scroll").hidden = list || nothing;
		byId("list").hidden = !list || nothing;
		for (const id of ["path", "detail", "legend"])
			byId(id).hidden = list || nothing;
		byId("empty").hidden = !nothing;
		byId("empty").textContent = "There are no samples in this profile.";
		if (nothing)
			return;
		if (list)
			showList(this, choose);
		showTools(this);
		showPath(this);
		showLegend(this);
		showDetail(this, list ? null : this.focus || this.zoomed());
		this.paint = painter(this.symbols, state.colour, this.dark());
		this.drawSoon();
	}

	drawSoon() {
		if (this.due)
			return;
		this.due = requestAnimationFrame(now => {
			this.due = 0;
			this.step(now);
			this.draw();
		});
	}

	draw() {
		const start = performance.now();

		this.canvas.draw({
			scene: this.scene, symbols: this.symbols, paint: this.paint,
			matches: this.flags, matchPaint: matchPaint(this.dark()),
			focus: this.focus, hover: this.hover, dark: this.dark(),
		});
		this.frameTimes.push(performance.now() - start);
		if (this.frameTimes.length > 500)
			this.frameTimes.shift();
	}

	/*
	 * Puts the state into the address; @go: as a step that the reader can
	 * go back from.
	 */
	save(go) {
		const hash = "#" + stateToHash(this.state, this.first);

		if (hash === (location.hash || "#"))
			return;
		try {
			history[go ? "pushState" : "replaceState"](null, "", hash);
		} catch (e) {
			/* browsers limit the number of calls in a time */
		}
	}

	load() {
		this.state = hashToState(location.hash, this.first, this.rootSymbol, this.colours);
		byId("query").value = this.state.query;
		this.applyTheme();
		this.search(this.state.query, true);
		this.rebuild();
	}

	applyTheme() {
		const dark = this.state.theme ? this.state.theme === "dark" :
			matchMedia("(prefers-color-scheme: dark)").matches;

		document.documentElement.dataset.theme = dark ? "dark" : "light";
	}

	set(change, go) {
		Object.assign(this.state, change);
		if ("view" in change || "recursion" in change || "symbol" in change) {
			this.state.zoom = [0, 0];
			this.state.focus = null;
		}
		if ("recursion" in change)
			this.listNode = 0;
		this.applyTheme();
		this.save(go);
		/* colours do not change what is in view */
		if (Object.keys(change).every(key => key === "colour" || key === "theme"))
			this.show();
		else
			this.rebuild();
	}

	sandwich(symbol) {
		this.set({ view: "sandwich", symbol }, true);
		byId("canvas").focus({ preventScroll: true });
	}

	/* Chooses a view; a sandwich shows the function in focus. */
	choose(view) {
		const at = this.focus, change = { view };

		if (view === "sandwich" && at && at.part.tree.sym[at.node] !== this.rootSymbol)
			change.symbol = at.part.tree.sym[at.node];
		else if (view === "sandwich" && this.state.view === "sandwich")
			change.symbol = -1;
		if (view === "list" && at && at.part.tree === this.main)
			this.listNode = at.node;
		this.set(change, true);
	}

	listTo(node) {
		this.listNode = node;
		showList(this, false);
		const current = byId("list").querySelector('[aria-current="true"]');

		if (current)
			current.focus();
	}

	sortBy(name) {
		this.sort = name;
		this.show();
	}

	async copyStack(at) {
		const way = wayTo(at.part.tree, at.node).filter(i => i || !at.part.tree.calledBy);
		const names = way.map(i => {
			const s = this.symbols[at.part.tree.sym[i]];

			return s.name + (s.image ? ` (${s.image})` : "") + (sourceOf(s) ? ` ${sourceOf(s)}` : "");
		});

		/* innermost first, as debuggers print them */
		if (!at.part.tree.calledBy)
			names.reverse();
		const done = await copyText(names.join("\n") + "\n");

		byId("live").textContent = done ? "Stack copied" : "The browser does not let the page copy";
	}

	saveSvg() {
		const rows = this.scene;

		saveText("flame.svg", "image/svg+xml", sceneToSvg({
			scene: rows, symbols: this.symbols, paint: this.paint, matches: this.flags,
			matchPaint: matchPaint(this.dark()), dark: this.dark(),
			width: this.canvas.width, charWidth: this.canvas.charWidth,
			title: document.title,
			text: (part, i) => this.symbols[part.tree.sym[i]].name + "\n" +
				frameFacts(this, part, i).map(f => f.join(" ")).join("\n"),
		}));
	}
}

async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch (e) {
		/*
		 * some browsers do not allow this for files, but the older way
		 */
	}
	const area = element("textarea", { value: text, className: "unseen" });
	const focused = document.activeElement;

	document.body.append(area);
	area.select();
	const done = document.execCommand("copy");

	area.remove();
	if (focused)
		focused.focus({ preventScroll: true });
	return done;
}
