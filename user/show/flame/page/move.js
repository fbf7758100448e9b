/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moves in the graph: zoom, focus and matches. These are methods of class App.
 */

const ZOOM_MS = 180;

const Moves = {
	zoomTo(part, node) {
		this.state.zoom = [this.scene.parts.indexOf(part), node];
		this.focus = { part, node };
		this.state.focus = null;
		for (const other of this.scene.parts) {
			other.zoom = other === part ? node : 0;
			this.glide(other, wholeView(this.scene, other, other.zoom));
		}
		this.canvas.reveal(rowOf(part, node));
		this.save(true);
		this.show();
	},

	/*
	 * Moves to another range of values; at once for readers who prefer
	 * reduced motion.
	 */
	glide(part, to) {
		if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
			part.view = to;
			part.move = null;
		} else {
			part.move = { from: part.view, to, start: 0 };
		}
		this.drawSoon();
	},

	step(now) {
		for (const part of this.scene.parts) {
			const m = part.move;

			if (!m)
				continue;
			m.start = m.start || now;
			const t = Math.min(1, (now - m.start) / ZOOM_MS), s = t * (2 - t);

			part.view = { x: m.from.x + (m.to.x - m.from.x) * s,
				      w: m.from.w + (m.to.w - m.from.w) * s };
			if (t === 1) {
				part.view = m.to;
				part.move = null;
			} else {
				this.drawSoon();
			}
		}
	},

	/* Zooms around a place, by wheel or fingers. @px: x on the canvas. */
	zoomBy(part, factor, px) {
		const all = part.tree.total[this.scene.side][0], { x, w } = part.view;
		const at = px / this.canvas.width, width = Math.min(all, Math.max(all * 1e-7, w * factor));

		part.move = null;
		part.view = { w: width, x: Math.min(all - width, Math.max(0, x + (w - width) * at)) };
		this.drawSoon();
	},

	panBy(part, px) {
		const all = part.tree.total[this.scene.side][0], { x, w } = part.view;

		part.move = null;
		part.view = { w, x: Math.min(all - w, Math.max(0, x + px * w / this.canvas.width)) };
		this.drawSoon();
	},

	focusOn(at, quiet) {
		this.focus = at;
		this.state.focus = this.pairOf(at);
		if (at) {
			this.canvas.reveal(rowOf(at.part, at.node));
			if (!quiet)
				sayFrame(this, at);
		}
		this.save(false);
		showDetail(this, at || this.zoomed());
		this.drawSoon();
	},

	visible(part, node) {
		return extent(this.scene, part, node, this.canvas.width).w >= NARROW;
	},

	/*
	 * Returns the next visible frame in the same row, to the right if @step
	 * is 1, else to the left.
	 */
	beside(part, node, step) {
		const t = part.tree;

		for (let i = step > 0 ? t.end[node] : node - 1; i >= part.first && i < t.n; i += step)
			if (t.depth[i] === t.depth[node] && this.visible(part, i))
				return i;
		return node;
	},

	moveFocus(dx, dy) {
		const at = this.focus || this.zoomed();
		let { part, node } = at;

		if (dx) {
			node = this.beside(part, node, dx);
		} else if (this.scene.parts.length > 1 && !node && dy < 0) {
			part = this.scene.parts[1];
			node = childrenOf(part.tree, 0).find(c => this.visible(part, c)) || 0;
		} else if (dy === part.dir) {
			const child = childrenOf(part.tree, node).find(c => this.visible(part, c));

			node = child === undefined ? node : child;
		} else {
			node = part.tree.parent[node];
		}
		if (!node)
			part = this.scene.parts[0];
		this.focusOn({ part, node });
	},

	/*
	 * Leaves the zoom or the search. Returns whether there was something to
	 * leave.
	 */
	leave() {
		const { part, node } = this.zoomed();

		if (node || part.view.w < part.tree.total[this.scene.side][0]) {
			this.zoomTo(this.scene.parts[0], 0);
			return true;
		}
		if (!this.state.query)
			return false;
		byId("query").value = "";
		this.search("");
		return true;
	},

	zoomOut() {
		const { part, node } = this.zoomed();

		this.zoomTo(part, part.tree.parent[node]);
	},

	/* @quiet: only set the state, because nothing is shown yet. */
	search(query, quiet) {
		const input = byId("query");

		this.state.query = query;
		input.removeAttribute("aria-invalid");
		this.wrong = "";
		try {
			this.flags = matchSymbols(this.symbols, query, this.state.regex);
			if (this.flags)
				this.flags[this.rootSymbol] = 0;
		} catch (e) {
			this.flags = null;
			this.wrong = "no regular expression";
			input.setAttribute("aria-invalid", "true");
		}
		if (quiet)
			return;
		this.save(false);
		this.findAgain();
		this.show();
	},

	findAgain() {
		this.found = this.flags ? findMatches(this.scene, this.flags) : [];
		this.matchAt = -1;
		this.matched = this.flags ? sumMatches(this.base, this.flags, this.state.side) /
			this.whole[this.state.side] : 0;
		this.sayMatched();
	},

	sayMatched() {
		const out = byId("matched");
		const nth = this.matchAt >= 0 ? `${withCommas(this.matchAt + 1)} of ` : "";

		out.className = this.wrong ? "bad" : "";
		out.textContent = this.wrong || (!this.flags ? "" : !this.matched ? "no match" :
			`matched ${percent(this.matched)} (${nth}${withCommas(this.found.length)})`);
		byId("previous").disabled = byId("next").disabled = !this.found.length;
	},

	/* Goes to the next match, and zooms out if it is not visible. */
	nextMatch(step) {
		const n = this.found.length;

		if (!n || this.state.view === "list")
			return;
		this.matchAt = this.matchAt < 0 ? (step > 0 ? 0 : n - 1) : (this.matchAt + step + n) % n;
		const at = this.found[this.matchAt];

		if (!this.visible(at.part, at.node))
			this.zoomAround(at);
		this.focusOn(at);
		this.sayMatched();
	},

	/*
	 * Zooms to the nearest caller of a frame in which the frame is wide
	 * enough to be seen.
	 */
	zoomAround({ part, node }) {
		const width = part.tree.total[this.scene.side], want = this.canvas.width / 40;
		let i = node;

		while (i && width[part.tree.parent[i]] <= width[node] * want)
			i = part.tree.parent[i];
		this.zoomTo(part, i);
	},
};

Object.assign(App.prototype, Moves);
