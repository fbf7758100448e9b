/* SPDX-License-Identifier: GPL-2.0-only */
/* The page: keeps what the reader has chosen, and loads the parts that depend on it again. */

const KEYS = [
	["/", "select samples"],
	["f", "search a function"],
	["c", "compare with another range"],
	["Escape", "clear the range, then the comparison"],
	["r", "load again"],
	["l", "follow: load again automatically, or stop"],
	["Tab to a slider, \u2190 \u2192", "move an end of a range by a step; ten with Shift or Page keys"],
	["?", "show these keys"],
];

/* The parts of the page that show the chosen range. */
const OF_RANGE = ["services", "flame", "functions", "outcomes"];

/*
 * Labels that the chart may group by until the reader chooses one. The first that any sample has is
 * used. Only systemd has units.
 */
const BY = ["unit", "command"];

class App {
	constructor() {
		this.api = new Api();
		this.units = new Map([["cpu", "nanoseconds"], ["samples", "count"]]);
		this.chart = new Chart(byId("chart"));
		this.brush = new Brush(this.chart, (which, range) => this.brushed(which, range),
				       (ms, x) => this.showTip(ms, x));
		this.selector = new Selector(this);
		this.frame = new Frame(this);
		this.functions = new Functions(this);
		this.outcomes = new Outcomes(this);
		this.layers = [];
		this.by = BY[0];	/* the label of the chart */
	}

	dark() {
		return document.documentElement.dataset.theme === "dark";
	}

	unitOf(value) {
		return this.units.get(value) || "";
	}

	applyTheme() {
		const dark = this.state.theme ? this.state.theme === "dark" :
			matchMedia("(prefers-color-scheme: dark)").matches;

		document.documentElement.dataset.theme = dark ? "dark" : "light";
	}

	/* Writes the state to the page's address. @go: as a new entry of the browser's history. */
	save(go) {
		const hash = "#" + stateToHash(this.state);

		if (hash === (location.hash || "#"))
			return;
		try {
			history[go ? "pushState" : "replaceState"](null, "", hash);
		} catch (e) {
			/* browsers limit the number of changes in a time */
		}
	}

	keepFlame(hash) {
		this.state.flame = hash;
		this.save(false);
	}

	/* Time between two updates while the page follows: at least a step of the chart. */
	followMs() {
		return Math.max(10000, spanMs(this.state.span) / 360);
	}

	/*
	 * Loads all parts again, but not while a range is being drawn or the page is hidden. The
	 * flame graph is not replaced while its range is fixed, it has the focus, or it is zoomed.
	 */
	follow() {
		const still = this.state.now || this.frame.isInUse();

		if (document.hidden || this.brush.drag)
			return this.followSoon();
		return this.load(still ? ["chart", "services", "status"] : undefined, true);
	}

	followSoon() {
		clearTimeout(this.following);
		if (this.state.follow && this.state.span)
			this.following = setTimeout(() => this.follow(), this.followMs());
	}

	toggleFollow() {
		if (this.state.span)
			this.set({ follow: !this.state.follow }, this.state.follow ? [] : undefined);
	}

	/* Changes the state. @parts: the parts that are loaded again; without it all of them. */
	set(change, parts) {
		Object.assign(this.state, change);
		this.save(true);
		return this.load(parts);
	}

	/* Reads the state from the address, and loads the page. */
	start() {
		this.state = hashToState(location.hash);
		this.applyTheme();
		return this.load();
	}

	async run(what) {
		try {
			await what();
			return true;
		} catch (e) {
			this.showError(e);
			return false;
		}
	}

	showError(e) {
		const box = byId("error");

		box.hidden = !e;
		box.textContent = e ? e.message : "";
		byId("select").toggleAttribute("aria-invalid", false);
		if (e && e.parameter === "select")
			byId("select").setAttribute("aria-invalid", "true");
	}

	/* @quiet: the reader has not asked for it, so a screen reader announces nothing */
	async load(parts = ["status", "chart", ...OF_RANGE], quiet = false) {
		this.quiet = quiet;
		this.showError(null);
		if (parts.includes("chart"))
			this.range = shownRange(this.state);
		this.showTools();
		/* a wrong selector is wrong for all parts, so report it only once */
		if (parts.includes("chart") && !await this.run(() => this.loadChart()))
			return;
		if (parts.includes("flame"))
			this.frame.load();
		await Promise.all([
			parts.includes("services") && this.run(() => this.loadServices()),
			parts.includes("functions") && this.run(() => this.functions.load()),
			parts.includes("outcomes") && this.run(() => this.outcomes.load()),
			parts.includes("status") && this.run(() => this.loadStatus())]);
	}

	showTools() {
		const { state } = this;

		byId("span").value = state.span;
		byId("by").value = this.by;
		this.offerValues([]);
		this.selector.show(state.select);
		byId("follow").hidden = !state.span;
		byId("follow").setAttribute("aria-pressed", String(Boolean(state.follow)));
		this.followSoon();
		byId("whole").hidden = byId("zoom").hidden = !state.now;
		byId("compare").setAttribute("aria-pressed", String(Boolean(state.before)));
		byId("compare-tools").hidden = !state.before;
		if (!state.before)
			this.brush.pick = "now";
		for (const button of document.querySelectorAll("[data-pick]"))
			button.setAttribute("aria-pressed", String(button.dataset.pick === this.brush.pick));
		this.showRange();
	}

	showRange() {
		const { state } = this, at = state.now || this.range;
		const words = [state.now ? "Range: " : "Time shown: ",
			       element("b", { textContent: rangeText(at) }), " (" + spanText(at[1] - at[0]) + ")"];

		if (state.before)
			words.push("; before: ", element("b", { className: "before", textContent: rangeText(state.before) }),
				   " (" + spanText(state.before[1] - state.before[0]) + ")");
		byId("range-text").replaceChildren(...words);
		this.brush.ranges = { now: state.now, before: state.before };
		this.chart.bands = [["before", state.before], ["now", state.now]].filter(b => b[1])
			.map(([className, range]) => ({ className, range }));
		if (this.chart.data) {
			this.chart.draw();
			this.brush.place(Boolean(state.before));
		}
	}

	async loadChart() {
		const { state } = this;

		for (const by of state.by === null ? BY : [state.by]) {
			const answer = await this.askSeries("chart", this.range, by);

			/* a newer request has stopped this one */
			if (!answer)
				return;
			if (state.by === null && by !== BY[BY.length - 1] && answer.groups.length &&
			    answer.groups.every(g => !g.name))
				continue;
			this.by = byId("by").value = by;
			this.showChart(answer);
			return;
		}
	}

	askSeries(name, range, by) {
		const { select, value } = this.state;

		return this.api.ask(name, "/api/v1/series", { ...rangeParams(range), select, value, label: by, top: 12 });
	}

	showChart(answer) {
		const unit = this.unitOf(answer.value);

		this.charted = answer;
		this.layers = layersOf(answer, (name, i) => "c" + i);
		this.chart.show(chartOf(answer, this.layers, {
			rate: meanRate(answer, unit),
			axis: v => rateText(v) + (unit === "nanoseconds" ? " CPU" : "") }), this.range);
		this.brush.place(Boolean(this.state.before));
		this.showCovered(answer);
	}

	/* Loads the table of the chosen range. A group has the same colour as in the chart. */
	async loadServices() {
		const { state } = this, { charted } = this;
		const answer = !state.now ? charted : await this.askSeries("services", state.now, this.by);

		if (!answer)
			return;
		const colours = new Map(this.layers.filter(l => !l.rest).map(l => [l.raw, l.className]));

		showLegend(byId("legend"), answer, layersOf(answer, name => colours.get(name) || "rest"),
			   this.unitOf(answer.value), this);
	}

	showCovered(answer) {
		const { windows, unreadable } = answer.coverage, all = this.layers.reduce((s, l) => s + l.total, 0);
		const words = windows ? `${withCommas(windows)} recordings` : "There are no recordings in this time";

		byId("covered").textContent = words + (unreadable ? `, ${unreadable} cannot be read` : "");
		if (this.quiet)
			return;
		byId("live").textContent = windows ? `${words}, ${this.layers.length} groups, ` +
			amount(all, this.unitOf(answer.value)) + " in all" : words;
	}

	async loadStatus() {
		const { api, range } = this;
		const [status, labels] = await Promise.all([
			api.ask("status", "/api/v1/status", rangeParams(range)),
			api.ask("labels", "/api/v1/labels", rangeParams(range))]);

		if (!status || !labels)
			return;
		const names = labels.labels.map(l => l.text);

		for (const v of status.values)
			this.units.set(v.name, v.unit);
		this.offerValues(status.values.map(v => v.name));
		byId("label-names").replaceChildren(...names.map(value => element("option", { value })));
		this.outcomes.offer(names);
		byId("logout").hidden = !status.locked;
		byId("about").textContent = `ustack ${cleanText(status.version)}`;
	}

	/* Fills the list of value types: those that were seen so far, and the chosen one. */
	offerValues(names) {
		const field = byId("value");
		const all = new Set([...[...field.options].map(o => o.value), ...names, this.state.value]);

		field.replaceChildren(...[...all].map(name =>
			element("option", { value: name, textContent: cleanText(name) })));
		field.value = this.state.value;
	}

	/* Dims all layers of the chart but the one with @className; null dims none. */
	highlight(className) {
		this.chart.only = className;
		this.chart.draw();
	}

	/* Shows the values at a time, the largest first; hides the tip if @ms is null. */
	showTip(ms, x) {
		const tip = byId("chart-tip"), { data } = this.chart;

		tip.hidden = ms === null || !data;
		if (tip.hidden)
			return;
		const i = Math.min(data.steps - 1, Math.max(0, Math.floor((ms - data.first) / data.step)));
		const rows = data.layers.map(l => [l, data.rate(l.values[i], i)]).filter(([, v]) => v > 0)
			.sort((a, b) => b[1] - a[1]).slice(0, 10);

		tip.replaceChildren(element("b", { textContent: momentText(data.first + i * data.step) }),
			...rows.map(([l, v]) => element("div", {}, swatch(l.className),
				`${l.name.slice(0, 80)} ${data.axis(v)}`)),
			...this.partText(i));
		const room = this.chart.right - tip.offsetWidth - 4;

		tip.style.left = Math.max(0, Math.min(room, x + 14)) + "px";
		tip.style.top = "14px";
	}

	/* For a step that was not recorded completely, the part that was. */
	partText(i) {
		const { recorded, step } = this.chart.data;

		return recorded[i] >= 0.95 * step ? [] : [element("div", { textContent:
			recorded[i] ? `${spanText(recorded[i])} of ${spanText(step)} recorded` : "not recorded" })];
	}

	/* Draws a range while it is moved; the parts are loaded when it has stopped moving. */
	brushed(which, range) {
		this.state[which] = range;
		this.showRange();
		this.saySoon(`${which === "now" ? "Range" : "Before"}: ${rangeText(range)}`);
		clearTimeout(this.resting);
		this.resting = setTimeout(() => {
			this.save(true);
			this.load(OF_RANGE);
		}, 350);
	}

	saySoon(text) {
		clearTimeout(this.saying);
		this.saying = setTimeout(() => { byId("live").textContent = text; }, 250);
	}

	setRange(change) {
		clearTimeout(this.resting);
		return this.set(change, OF_RANGE);
	}

	select(text) {
		return this.set({ select: text.trim() });
	}

	/* Compares the range with the time before it; without a range, the two halves. */
	compare() {
		const { state, range } = this, middle = (range[0] + range[1]) / 2;

		if (state.before)
			return this.setRange({ before: null });
		if (!state.now)
			state.now = [this.chart.data ? this.chart.snap(middle) : middle, range[1]];
		return this.justBefore();
	}

	justBefore() {
		const now = this.state.now || this.range;

		return this.setRange({ before: [now[0] - (now[1] - now[0]), now[0]] });
	}

	swap() {
		return this.setRange({ now: this.state.before, before: this.state.now || this.range });
	}

	zoom() {
		const { now } = this.state;

		if (now)
			this.set({ span: "", from: now[0], to: now[1], now: null });
	}

	/* Moves the time that is shown by half of its length. */
	shift(direction) {
		const [from, to] = this.range, by = direction * (to - from) / 2;
		const end = Math.min(to + by, Math.max(Date.now(), to));

		this.set({ span: "", from: end - (to - from), to: end });
	}

	again() {
		this.frame.query = this.frame.query && "";
		return this.load();
	}

	escape() {
		if (this.state.now)
			this.setRange({ now: null });
		else if (this.state.before)
			this.setRange({ before: null });
	}

	toggleTheme() {
		this.state.theme = this.dark() ? "light" : "dark";
		this.applyTheme();
		this.save(false);
		this.frame.theme(this.state.theme);
	}
}
