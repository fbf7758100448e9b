/* SPDX-License-Identifier: GPL-2.0-only */
/* Shows the graph as tables, for those who cannot see it or want numbers. */

const LIST_ROWS = 500;

function linkButton(text, run) {
	return element("button", { type: "button", className: "link", textContent: text,
				   title: text, onclick: run });
}

function tableOf(caption, heads, rows) {
	const table = element("table", {}, element("caption", { textContent: caption }));

	table.append(element("thead", {}, element("tr", {}, ...heads.map((head, k) => {
		const th = element("th", { scope: "col", className: k ? "" : "name" });

		th.append(head);
		return th;
	}))));
	table.append(element("tbody", {}, ...rows.map(row => element("tr", {}, ...row.map((cell, k) =>
		element(k ? "td" : "th", k ? {} : { scope: "row", className: "name" }, cell))))));
	return table;
}

function shareCell(app, value, side) {
	const all = app.main.total[side][0];

	return all ? percent(value / all) : "\u2013";
}

/* The callees of a frame. */
function childTable(app, tree, node) {
	const side = app.state.side, unit = app.data.value.unit;
	const children = childrenOf(tree, node), shown = children.slice(0, LIST_ROWS);
	const heads = ["Function", "Total", "Share", "Self"];

	if (tree.values > 1)
		heads.push("Change");
	const rows = shown.map(i => {
		const row = [linkButton(app.symbols[tree.sym[i]].name, () => app.listTo(i)),
			     amount(tree.total[side][i], unit), shareCell(app, tree.total[side][i], side),
			     amount(tree.self[side][i], unit)];

		if (tree.values > 1)
			row.push(points(changeOf(tree, i)));
		return row;
	});

	return tableOf(children.length ? `${withCommas(children.length)} called` +
		       (children.length > shown.length ? `, the largest ${LIST_ROWS} shown` : "") :
		       "calls nothing", heads, rows);
}

function wayList(app, tree, node) {
	return element("ol", {}, ...shortWay(tree, node).map(i => {
		if (i < 0)
			return element("li", { textContent: "\u2026" });
		const button = linkButton(app.symbols[tree.sym[i]].name, () => app.listTo(i));

		if (i === node)
			button.setAttribute("aria-current", "true");
		return element("li", {}, button);
	}));
}

function functionChange(app, flat, s) {
	const [now, before] = [0, 1].map(k => app.main.total[k][0]);

	return (now ? flat.total[0][s] / now : 0) - (before ? flat.total[1][s] / before : 0);
}

function functionTable(app) {
	const flat = app.flat(), side = app.state.side, unit = app.data.value.unit;
	const columns = { self: s => flat.self[side][s], total: s => flat.total[side][s] };
	const change = app.main.values > 1;

	if (change)
		columns.change = s => Math.abs(functionChange(app, flat, s));
	const key = columns[app.sort] ? app.sort : "self";
	const all = app.symbols.map((_, s) => s).filter(s => flat.total.some(t => t[s] > 0) &&
							     (!app.flags || app.flags[s]));
	all.sort((a, b) => columns[key](b) - columns[key](a) ||
		 (app.symbols[a].name < app.symbols[b].name ? -1 : 1));
	const head = (name, text) => {
		const button = linkButton(text + (key === name ? " \u25be" : ""), () => app.sortBy(name));

		return button;
	};
	const heads = ["Function", head("self", "Self"), "Share", head("total", "Total"), "Share", "File"];

	if (change)
		heads.push(head("change", "Change"));
	const rows = all.slice(0, LIST_ROWS).map(s => {
		const row = [linkButton(app.symbols[s].name, () => app.sandwich(s)),
			     amount(flat.self[side][s], unit), shareCell(app, flat.self[side][s], side),
			     amount(flat.total[side][s], unit), shareCell(app, flat.total[side][s], side),
			     app.symbols[s].image];

		if (change)
			row.push(points(functionChange(app, flat, s)));
		return row;
	});

	return tableOf(`${withCommas(all.length)} functions${app.flags ? " match" : ""}` +
		       (all.length > rows.length ? `, the first ${LIST_ROWS} shown` : "") +
		       "; choose one for its callers and callees", heads, rows);
}

/* @only: show functions only, to choose one for a sandwich. */
function showList(app, only) {
	const box = byId("list"), tree = app.main, node = app.listNode < tree.n ? app.listNode : 0;

	box.replaceChildren();
	if (!only)
		box.append(element("h2", { textContent: "Stack" }), wayList(app, tree, node),
			   childTable(app, tree, node));
	box.append(element("h2", { textContent: "Functions" }), functionTable(app));
}
