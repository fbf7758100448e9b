/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the page: connects buttons, fields and keys to the App. */

function showKeys() {
	const box = byId("keys"), list = element("dl");

	for (const [key, what] of KEYS)
		list.append(element("dt", {}, element("kbd", { textContent: key })),
			    element("dd", { textContent: what }));
	box.replaceChildren(list, element("p", { textContent: "The flame graph has its own keys: press ? in it." }),
			    element("button", { type: "button", textContent: "Close", onclick: () => box.close() }));
	box.showModal();
}

/* Handles keys that work anywhere in the page, except in fields. Returns whether it is one. */
function pageKey(app, key) {
	switch (key) {
	case "/":
		byId("select").focus();
		return true;
	case "f":
		byId("query").focus();
		return true;
	case "c":
		app.compare();
		return true;
	case "r":
		app.again();
		return true;
	case "l":
		app.toggleFollow();
		return true;
	case "Escape":
		app.escape();
		return true;
	case "?":
		showKeys();
		return true;
	}
	return false;
}

function listen(app) {
	const on = (id, type, run) => byId(id).addEventListener(type, run);

	on("span", "change", e => app.set({ span: e.target.value, now: null, before: null }));
	on("earlier", "click", () => app.shift(-1));
	on("later", "click", () => app.shift(1));
	on("again", "click", () => app.again());
	on("follow", "click", () => app.toggleFollow());
	on("theme", "click", () => app.toggleTheme());
	on("help", "click", () => showKeys());
	on("by", "change", e => app.set({ by: e.target.value.trim() }, ["chart", "services"]));
	on("value", "change", e => app.set({ value: e.target.value }));
	on("whole", "click", () => app.setRange({ now: null }));
	on("zoom", "click", () => app.zoom());
	on("compare", "click", () => app.compare());
	on("previous-period", "click", () => app.justBefore());
	on("swap", "click", () => app.swap());
	for (const button of document.querySelectorAll("[data-pick]"))
		button.addEventListener("click", () => {
			app.brush.pick = button.dataset.pick;
			app.showTools();
		});
	addEventListener("keydown", e => {
		if (e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented || byId("keys").open)
			return;
		if (["INPUT", "SELECT", "TEXTAREA"].includes(e.target.tagName))
			return;
		if (pageKey(app, e.key))
			e.preventDefault();
	});
}

function main() {
	const app = new App();

	listen(app);
	new ResizeObserver(() => {
		app.chart.draw();
		app.outcomes.chart.draw();
		app.functions.fit();
		if (app.chart.data)
			app.brush.place(Boolean(app.state.before));
	}).observe(byId("chart"));
	addEventListener("popstate", () => app.start());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => app.applyTheme());
	app.start();
	/* for tests and the browser's console */
	window.ustack = app;
}

main();
