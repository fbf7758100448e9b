/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The texts around the graph: what was recorded, the frame in focus, the
 * legend.
 */

/*
 * Samples without a user stack are shown as a share of all samples, not of
 * stacks.
 */
function reasonsText(recorded) {
	const whole = wholeOf(recorded.reasons);

	return recorded.reasons.map(([name, value]) => whole.none(name) ?
		`${cleanText(name)} ${percent(value / recorded.all)} of all` :
		cleanText(name) + " " + percent(value / whole.stacks)).join(", ");
}

function dateText(seconds) {
	return new Date(seconds * 1000).toISOString().replace("T", " ").replace(/\..*/, " UTC");
}

function recordedFacts(recorded, total, value) {
	const facts = [["value", `${cleanText(value.type)}: ${amount(total, value.unit)} in ` +
			`${withCommas(recorded.stacks)} different stacks`]];

	if (recorded.seconds)
		facts.push(["started", dateText(recorded.seconds)]);
	if (recorded.duration_ns)
		facts.push(["duration", amount(recorded.duration_ns, "nanoseconds")]);
	if (recorded.period)
		facts.push(["period", cleanText(recorded.period_type) + ", " +
			    amount(recorded.period, cleanText(recorded.period_unit))]);
	if (recorded.all)
		facts.push(["stacks", reasonsText(recorded)]);
	for (const comment of recorded.comments)
		facts.push(["comment", cleanText(comment)]);
	return facts;
}

function showRecorded(data, tree) {
	const box = byId("recorded"), both = [data.recorded, data.before];
	const whole = wholeText(wholeOf(data.recorded.reasons));
	let line = `${cleanText(data.value.type)} ${amount(tree.total[0][0], data.value.unit)}`;

	document.title = byId("title").textContent = cleanText(data.title);
	both.forEach((recorded, k) => {
		if (!recorded)
			return;
		const list = element("dl");

		for (const [term, text] of recordedFacts(recorded, tree.total[k][0], data.value))
			list.append(element("dt", { textContent: term }),
				    element("dd", { textContent: text }));
		if (data.before)
			box.append(element("h2", { textContent: k ? "Before" : "Now" }));
		box.append(list);
	});
	if (data.before)
		line += ` (before: ${amount(tree.total[1][0], data.value.unit)})`;
	if (data.recorded.duration_ns)
		line += ` in ${amount(data.recorded.duration_ns, "nanoseconds")}`;
	if (whole)
		line += `, ${whole}`;
	byId("summary").textContent = line;
}

function sourceOf(symbol) {
	return symbol.file + (symbol.file && symbol.line ? ":" + symbol.line : "");
}

/* Returns facts about a frame: pairs of a name and its value. */
function frameFacts(app, part, node) {
	const t = part.tree, side = app.state.side, all = app.main.total[side][0];
	const total = t.total[side][node], facts = [];
	const show = n => amount(n, app.data.value.unit);
	const share = (n, of) => of ? percent(n / of) : "\u2013";

	facts.push(["total", `${show(total)}, ${share(total, all)} of all`]);
	if (node)
		facts.push([t.calledBy ? "of callee" : "of caller",
			    share(total, t.total[side][t.parent[node]])]);
	if (!t.calledBy)
		facts.push(["self", `${show(t.self[side][node])}, ${share(t.self[side][node], all)}`]);
	if (t.values > 1)
		facts.push(["change", `${share(t.total[1][node], app.main.total[1][0])} \u2192 ` +
			`${share(t.total[0][node], app.main.total[0][0])}, ` +
			points(changeOf(t, node))]);
	return facts;
}

/* Returns facts about a function, wherever it is in stacks. */
function functionFacts(app, sym) {
	const flat = app.flat(), side = app.state.side, all = app.main.total[side][0];
	const show = n => `${amount(n, app.data.value.unit)}, ${all ? percent(n / all) : "\u2013"}`;

	return [["function: self", show(flat.self[side][sym])],
		["function: total", show(flat.total[side][sym])]];
}

function factElement([what, text, title]) {
	return element("span", { className: "fact", title: title || "" }, what + " ",
		       element("b", { textContent: text }));
}

/* The end of a long path tells more than its beginning. */
function endOfPath(path) {
	const parts = path.split("/");

	return parts.length > 4 ? "\u2026/" + parts.slice(-3).join("/") : path;
}

const KIND_NAMES = ["user", "kernel", "inlined", "JIT", "unknown", "command", "stack not complete"];

function placeFacts(symbol) {
	const facts = [];

	if (sourceOf(symbol))
		facts.push(["source", endOfPath(sourceOf(symbol)), sourceOf(symbol)]);
	if (symbol.image)
		facts.push(["image", symbol.image]);
	facts.push(["kind", KIND_NAMES[symbol.kind]]);
	return facts;
}

function showDetail(app, at) {
	const box = byId("detail");

	box.replaceChildren();
	if (!at)
		return;
	const sym = at.part.tree.sym[at.node], symbol = app.symbols[sym];
	const facts = frameFacts(app, at.part, at.node);
	const action = (text, title, run) => element("button", { type: "button", textContent: text,
								 title, onclick: run });

	if (sym !== app.rootSymbol)
		facts.push(...functionFacts(app, sym), ...placeFacts(symbol));
	box.append(element("span", { className: "name", textContent: symbol.name }),
		   ...facts.map(factElement));
	box.append(action("Zoom", "Enter", () => app.zoomTo(at.part, at.node)));
	if (sym !== app.rootSymbol)
		box.append(action("Sandwich", "s", () => app.sandwich(sym)));
	if (symbol.kind !== KIND.LABEL && symbol.kind !== KIND.END)
		box.append(action("Instructions", "a", () => showCode(app, at)));
	box.append(action("Copy stack", "c", () => app.copyStack(at)));
}

/* Announces a frame to screen readers. */
function sayFrame(app, at) {
	const symbol = app.symbols[at.part.tree.sym[at.node]];

	byId("live").textContent = [symbol.name, ...frameFacts(app, at.part, at.node)
				    .map(([what, text]) => what + " " + text),
				    "level " + at.part.tree.depth[at.node]].join(", ");
}

function showTip(app, at, x, y) {
	const tip = byId("tip");

	tip.hidden = !at;
	if (!at)
		return;
	const symbol = app.symbols[at.part.tree.sym[at.node]];

	tip.replaceChildren(element("b", { textContent: symbol.name }),
			    frameFacts(app, at.part, at.node).map(f => f.join(" ")).join(" \u00b7 "));
	if (symbol.image || sourceOf(symbol))
		tip.append(element("br"), [sourceOf(symbol), symbol.image].filter(Boolean).join(" \u00b7 "));
	const box = tip.getBoundingClientRect();

	tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 4)) + "px";
	tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 8 : y + 18) + "px";
}

/*
 * For deep recursion: the first and the last frames, with -1 for those between
 * them.
 */
function shortWay(tree, node) {
	const way = wayTo(tree, node);

	return way.length > 100 ? [...way.slice(0, 20), -1, ...way.slice(-79)] : way;
}

function showPath(app) {
	const nav = byId("path"), { part, node } = app.zoomed();

	nav.replaceChildren(...shortWay(part.tree, node).map(i => {
		if (i < 0)
			return "\u2026";
		const name = app.symbols[part.tree.sym[i]].name;

		return element("button", { type: "button", textContent: name, title: name,
					   onclick: () => app.zoomTo(part, i) });
	}));
	nav.scrollLeft = nav.scrollWidth;
}

function swatch(fill) {
	const i = element("i");

	i.style.background = fill;
	return i;
}

function changeLegend(app) {
	const ramp = element("span", { className: "ramp" }), most = app.scene.parts[0].tree.mostChange;

	for (let k = -CHANGE_STEPS; k <= CHANGE_STEPS; k += 2)
		ramp.append(swatch(changePaint(k / CHANGE_STEPS, app.dark()).fill));
	return element("span", {}, "share of all, now \u2212 before: " + points(-most), ramp, points(most));
}

/* The legend of the files with the largest values of their own. */
function fileLegend(app) {
	const own = new Map(), self = app.flat().self[app.state.side];

	app.symbols.forEach((symbol, s) => {
		if (symbol.image)
			own.set(symbol.image, (own.get(symbol.image) || 0) + self[s]);
	});
	const files = [...own].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8);

	return files.map(([image]) => element("span", {}, swatch(hashPaint(hashText(image), app.dark()).fill),
					      image));
}

function showLegend(app) {
	const box = byId("legend"), used = new Set(app.symbols.map(s => s.kind));
	const names = KINDS.filter(k => used.has(k.kind));

	box.replaceChildren();
	if (app.state.colour === "change") {
		box.append(changeLegend(app));
	} else if (app.state.colour === "kind") {
		for (const k of names)
			box.append(element("span", {}, swatch(kindPaint(k.kind, app.dark(), 500, 500).fill),
					   k.label));
	} else if (app.state.colour === "image") {
		box.append(...fileLegend(app), "\u2026 a colour for each file");
	} else {
		box.append("a colour for each function");
	}
	if (app.flags)
		box.append(element("span", {}, swatch(matchPaint(app.dark()).fill), "matches"));
	for (const { tree } of app.scene.parts)
		if (tree.cut < Infinity)
			box.append(element("span", {}, `only ${withCommas(tree.cut)} callers of each are followed`));
	box.append(element("span", {}, swatch(stripFill(app.dark())), "too narrow to show"));
}
