/* SPDX-License-Identifier: GPL-2.0 */

function start() {
	const app = new App(JSON.parse(byId("data").textContent));

	byId("data").remove();
	listenTools(app);
	listenKeys(app);
	listenPointers(app);
	app.canvas.resize();
	app.load();
	showRecorded(app.data, app.base);
	new ResizeObserver(() => {
		const atEnd = app.canvas.scroll.scrollTop + app.canvas.height >= app.canvas.scroll.scrollHeight - 2;

		if (!byId("scroll").clientWidth)
			return;
		app.canvas.resize();
		app.canvas.layout(app.scene);
		if (atEnd && app.scene.parts[0].dir < 0)
			app.canvas.scroll.scrollTop = 1e9;
		app.draw();
	}).observe(byId("scroll"));
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
