/* SPDX-License-Identifier: GPL-2.0-only */
/* Starts the page. */

function start() {
	const app = new App(JSON.parse(byId("data").textContent));

	byId("data").remove();
	listenTools(app);
	listenKeys(app);
	listenPointers(app);
	showRecorded(app.data, app.base);
	app.canvas.resize();
	app.load();
	new ResizeObserver(() => app.resized()).observe(byId("scroll"));
	addEventListener("popstate", () => app.load());
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		app.applyTheme();
		app.show();
	});
	performance.mark("ready");
	/* for tests and for consoles */
	window.flame = app;
}

start();
