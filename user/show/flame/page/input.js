/* SPDX-License-Identifier: GPL-2.0-only */
/* Handles mouse, touch and keys. */

const KEYS = [
	["\u2190 \u2191 \u2192 \u2193", "move to the frame there"],
	["Enter", "zoom into the frame in focus"],
	["Backspace", "zoom out to its caller"],
	["Escape", "leave the zoom, then the search"],
	["Home", "to the root"],
	["/", "search"],
	["n, N", "next, previous match"],
	["s", "sandwich: callers and callees of the function in focus"],
	["a", "annotate: the instructions of the function in focus, if the page has them"],
	["c", "copy the stack"],
	["i", "turn over: roots at the top or at the bottom"],
	["1 2 3 4", "calls, callers, sandwich, list"],
	["+ \u2212", "widen and narrow; also Ctrl and wheel, or two fingers"],
	["?", "these keys"],
];

function showTools(app) {
	const { state } = app;
	const pressed = (button, yes) => button.setAttribute("aria-pressed", String(yes));

	for (const button of document.querySelectorAll("[data-view]"))
		pressed(button, button.dataset.view === state.view);
	for (const button of document.querySelectorAll("[data-side]"))
		pressed(button, Number(button.dataset.side) === state.side);
	pressed(byId("regex"), state.regex);
	pressed(byId("icicle"), state.icicle);
	byId("icicle").disabled = state.view === "sandwich" || state.view === "list";
	byId("colour").value = state.colour;
	byId("recursion").value = state.recursion;
}

function toggleTheme(app) {
	app.set({ theme: app.dark() ? "light" : "dark" });
}

function listenTools(app) {
	const names = { change: "change", kind: "kind", image: "file", name: "function" };
	const on = (id, type, run) => byId(id).addEventListener(type, run);

	for (const colour of app.colours)
		byId("colour").append(element("option", { value: colour, textContent: names[colour] }));
	byId("before-group").hidden = !app.data.before;
	for (const button of document.querySelectorAll("[data-view]"))
		button.addEventListener("click", () => app.choose(button.dataset.view));
	for (const button of document.querySelectorAll("[data-side]"))
		button.addEventListener("click", () => app.set({ side: Number(button.dataset.side) }));
	on("colour", "change", e => app.set({ colour: e.target.value }));
	on("recursion", "change", e => app.set({ recursion: Number(e.target.value) }));
	on("icicle", "click", () => app.set({ icicle: !app.state.icicle }));
	on("theme", "click", () => toggleTheme(app));
	on("svg", "click", () => app.saveSvg());
	on("help", "click", () => showKeys());
	on("previous", "click", () => app.nextMatch(-1));
	on("next", "click", () => app.nextMatch(1));
	on("regex", "click", () => {
		app.state.regex = !app.state.regex;
		app.search(app.state.query);
	});
	on("search", "submit", e => e.preventDefault());
	listenQuery(app);
}

function listenQuery(app) {
	const query = byId("query");
	let timer = 0;

	/*
	 * not at every letter, because searching 300,000 frames takes a moment
	 */
	query.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(() => app.search(query.value), 120);
	});
	query.addEventListener("keydown", e => {
		if (e.key !== "Enter" && e.key !== "Escape")
			return;
		e.preventDefault();
		clearTimeout(timer);
		if (e.key === "Escape")
			query.value = "";
		if (app.state.query !== query.value)
			app.search(query.value);
		if (e.key === "Escape")
			byId("canvas").focus();
		else
			app.nextMatch(e.shiftKey ? -1 : 1);
	});
}

function showKeys() {
	const box = byId("keys"), list = element("dl");

	for (const [key, what] of KEYS)
		list.append(element("dt", {}, element("kbd", { textContent: key })),
			    element("dd", { textContent: what }));
	box.replaceChildren(list, element("button", { type: "button", textContent: "Close",
						      onclick: () => box.close() }));
	box.showModal();
}

/*
 * Handles keys that work wherever the focus is, except in fields. Returns
 * whether it knew the key.
 */
function pageKey(app, key) {
	const at = app.focus || app.zoomed();

	switch (key) {
	case "/":
		byId("query").focus();
		byId("query").select();
		return true;
	case "n":
	case "N":
		app.nextMatch(key === "n" ? 1 : -1);
		return true;
	case "i":
		if (!byId("icicle").disabled)
			app.set({ icicle: !app.state.icicle });
		return true;
	case "s":
		app.choose("sandwich");
		return true;
	case "a":
		showCode(app, at);
		return true;
	case "c":
		app.copyStack(at);
		return true;
	case "?":
		showKeys();
		return true;
	case "1":
	case "2":
	case "3":
	case "4":
		app.choose(VIEWS[Number(key) - 1]);
		return true;
	case "Escape":
		return app.leave();
	}
	return false;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/* Handles keys of the graph. Returns whether it knew the key. */
function graphKey(app, key) {
	const at = app.focus || app.zoomed();

	if (ARROWS[key])
		app.moveFocus(...ARROWS[key]);
	else if (key === "Enter" || key === " ")
		app.zoomTo(at.part, at.node);
	else if (key === "Backspace")
		app.zoomOut();
	else if (key === "Home")
		app.zoomTo(app.scene.parts[0], 0);
	else if (key === "+" || key === "=" || key === "-")
		app.zoomBy(at.part, key === "-" ? 1.5 : 1 / 1.5, app.canvas.width / 2);
	else
		return false;
	return true;
}

function listenKeys(app) {
	document.addEventListener("keydown", e => {
		if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]"))
			return;
		const field = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
		const graph = e.target === byId("canvas");

		if (!field && ((graph && graphKey(app, e.key)) || pageKey(app, e.key)))
			e.preventDefault();
	});
}

/*
 * Handles a click. By touch the first click focuses a frame and a second one
 * zooms.
 */
function press(app, at, touch) {
	if (!at)
		return;
	const again = app.focus && app.focus.part === at.part && app.focus.node === at.node;

	if (touch && !again)
		app.focusOn(at);
	else
		app.zoomTo(at.part, at.node);
}

class Pointers {
	constructor(app) {
		this.app = app;
		this.down = new Map();
		this.moved = false;
	}

	place(e) {
		const box = this.app.canvas.canvas.getBoundingClientRect();
		const x = e.clientX - box.left, y = e.clientY - box.top;

		return { x, at: hit(this.app.scene, x, this.app.canvas.rowAt(y), this.app.canvas.width) };
	}

	start(e) {
		if (e.button)
			return;
		this.down.set(e.pointerId, { x: e.clientX, first: e.clientX, y: e.clientY });
		this.moved = this.down.size > 1;
		this.part = (this.place(e).at || this.app.zoomed()).part;
	}

	move(e) {
		const was = this.down.get(e.pointerId), others = [...this.down.keys()].filter(k => k !== e.pointerId);

		if (!was) {
			this.hover(e);
			return;
		}
		if (others.length) {
			const other = this.down.get(others[0]).x, box = this.app.canvas.canvas.getBoundingClientRect();
			const before = Math.abs(was.x - other), now = Math.abs(e.clientX - other);

			if (before > 10 && now > 10)
				this.app.zoomBy(this.part, before / now, (other + e.clientX) / 2 - box.left);
		} else if (this.moved || Math.abs(e.clientX - was.first) > 5) {
			if (!this.moved)
				this.app.canvas.canvas.setPointerCapture(e.pointerId);
			this.moved = true;
			this.app.panBy(this.part, was.x - e.clientX);
		}
		was.x = e.clientX;
	}

	hover(e) {
		const { at } = this.place(e), { app } = this, old = app.hover;

		if (e.pointerType === "touch")
			return;
		showTip(app, at, e.clientX, e.clientY);
		if ((old && old.node) === (at && at.node) && (old && old.part) === (at && at.part))
			return;
		app.hover = at;
		app.drawSoon();
	}

	leave() {
		this.app.hover = null;
		showTip(this.app, null);
		this.app.drawSoon();
	}

	end(e, cancelled) {
		const was = this.down.get(e.pointerId);

		this.down.delete(e.pointerId);
		if (!was || cancelled || this.moved || Math.abs(e.clientY - was.y) > 8)
			return;
		showTip(this.app, null);
		press(this.app, this.place(e).at, e.pointerType === "touch");
	}

	wheel(e) {
		const { x, at } = this.place(e), part = (at || this.app.zoomed()).part;

		if (e.ctrlKey || e.metaKey)
			this.app.zoomBy(part, Math.exp(Math.max(-1, Math.min(1, e.deltaY / 200))), x);
		else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
			this.app.panBy(part, e.deltaX || e.deltaY);
		else
			return;
		e.preventDefault();
	}
}

function listenPointers(app) {
	const pointers = new Pointers(app), canvas = byId("canvas");
	const on = (type, run) => canvas.addEventListener(type, run);

	on("pointerdown", e => pointers.start(e));
	on("pointermove", e => pointers.move(e));
	on("pointerup", e => pointers.end(e, false));
	on("pointercancel", e => pointers.end(e, true));
	on("pointerleave", () => pointers.leave());
	canvas.addEventListener("wheel", e => pointers.wheel(e), { passive: false });
	byId("scroll").addEventListener("scroll", () => {
		showTip(app, null);
		app.drawSoon();
	});
}
