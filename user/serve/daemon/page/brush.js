/* SPDX-License-Identifier: GPL-2.0-only */
/* Choosing ranges on a chart: by mouse or finger, or by keys on the sliders at a range's ends. */

const NEAR = 12;	/* pixels */

class Brush {
	/*
	 * @change: called with "now" or "before" and the new range, [ms, ms); @hover: called with
	 * the time under the pointer, or null, and its x
	 */
	constructor(chart, change, hover) {
		this.chart = chart;
		this.change = change;
		this.hover = hover;
		this.pick = "now";
		this.ranges = { now: null, before: null };
		this.handles = {};
		for (const which of ["now", "before"])
			this.handles[which] = [0, 1].map(end => this.newHandle(which, end));
		this.listen();
	}

	newHandle(which, end) {
		const words = which === "now" ? "Range" : "Before";
		const handle = element("div", {
			className: "handle " + which, tabIndex: 0, role: "slider", hidden: true,
			"aria-label": `${words}: ${end ? "end" : "beginning"}`, "aria-orientation": "horizontal",
		});

		handle.addEventListener("keydown", e => this.key(e, which, end));
		this.chart.box.append(handle);
		return handle;
	}

	/* The range that sliders move; without a chosen range, all that is shown. */
	rangeOf(which) {
		return this.ranges[which] || this.chart.range;
	}

	place(compare) {
		const { chart } = this, [from, to] = chart.range;

		for (const which of ["now", "before"])
			this.handles[which].forEach((handle, end) => {
				const at = Math.max(from, Math.min(to, this.rangeOf(which)[end]));

				handle.hidden = which === "before" && !compare;
				handle.classList.toggle("set", Boolean(this.ranges[which]));
				handle.style.left = chart.x(at) + "px";
				handle.setAttribute("aria-valuemin", Math.round(from / 1000));
				handle.setAttribute("aria-valuemax", Math.round(to / 1000));
				handle.setAttribute("aria-valuenow", Math.round(at / 1000));
				handle.setAttribute("aria-valuetext", momentText(at));
			});
	}

	key(e, which, end) {
		const { chart } = this, step = chart.data ? chart.data.step : 0;
		const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
				PageDown: -10, PageUp: 10 }[e.key];
		const at = this.rangeOf(which)[end];
		let to;

		if (!step || e.ctrlKey || e.altKey || e.metaKey)
			return;
		if (steps)
			to = chart.snap(at + steps * (e.shiftKey ? 10 : 1) * step);
		else if (e.key === "Home" || e.key === "End")
			to = chart.range[e.key === "Home" ? 0 : 1];
		else
			return;
		e.preventDefault();
		this.move(which, end, to);
	}

	/*
	 * Moves an end of a range. It does not pass the other end or leave the time that is shown.
	 */
	move(which, end, to) {
		const { chart } = this, [from, last] = chart.range, { step } = chart.data;
		const range = [...this.rangeOf(which)];

		range[end] = end ? Math.max(to, range[0] + step) : Math.min(to, range[1] - step);
		range[end] = Math.max(from, Math.min(last, range[end]));
		if (range[0] < range[1])
			this.change(which, range);
	}

	/* The end of a range that is near @x, or null. */
	near(x) {
		for (const which of ["before", "now"])
			for (const end of [0, 1]) {
				const range = this.ranges[which];

				if (range && Math.abs(this.chart.x(range[end]) - x) <= NEAR)
					return { which, end };
			}
		return null;
	}

	listen() {
		const { box } = this.chart;
		const x = e => e.clientX - box.getBoundingClientRect().left;

		box.addEventListener("pointerdown", e => {
			if (e.button || !this.chart.data)
				return;
			const hold = this.near(x(e));

			this.drag = hold ? { ...hold, moved: true } : { which: this.pick, start: x(e) };
			box.setPointerCapture(e.pointerId);
		});
		box.addEventListener("pointermove", e => {
			if (!this.chart.data)
				return;
			if (this.drag)
				this.dragTo(x(e));
			this.hover(this.chart.time(x(e)), x(e));
		});
		box.addEventListener("pointerup", () => { this.drag = null; });
		box.addEventListener("pointercancel", () => { this.drag = null; });
		box.addEventListener("pointerleave", () => this.hover(null));
	}

	dragTo(x) {
		const { chart, drag } = this;

		if (drag.end !== undefined) {
			this.move(drag.which, drag.end, chart.snap(chart.time(x)));
			return;
		}
		if (!drag.moved && Math.abs(x - drag.start) < 5)
			return;
		drag.moved = true;
		const [a, b] = [drag.start, x].map(at => chart.time(at)).sort((p, q) => p - q);
		const from = Math.max(chart.range[0], chart.snap(a));
		const to = Math.min(chart.range[1], Math.max(chart.snap(b), from + chart.data.step));

		if (from < to)
			this.change(drag.which, [from, to]);
	}
}
