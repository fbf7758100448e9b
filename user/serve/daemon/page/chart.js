/* SPDX-License-Identifier: GPL-2.0-only */
/* Draws stacked layers over time as SVG. */

const SVG = "http://www.w3.org/2000/svg";
const FOOT = 18, LEFT = 44, TOP = 8;

function svg(tag, attributes, ...children) {
	const e = document.createElementNS(SVG, tag);

	for (const [key, value] of Object.entries(attributes || {}))
		e.setAttribute(key, value);
	e.append(...children);
	return e;
}

function swatch(className) {
	return svg("svg", { class: "swatch", "aria-hidden": "true", viewBox: "0 0 12 12" },
		   svg("rect", { width: 12, height: 12, rx: 2, class: className }));
}

/* 1, 2 or 5 times a power of ten, so that @most is about four of it. */
function niceStep(most) {
	const raw = most / 4, unit = 10 ** Math.floor(Math.log10(raw));

	return unit * ([1, 2, 5, 10].find(n => n * unit >= raw) || 10);
}

/* Three digits; a large number has all digits before the point. */
function rateText(rate) {
	return rate < 100 ? String(+rate.toPrecision(3)) : withCommas(rate);
}

/*
 * The data of a chart: { first, step, steps, recorded, layers: [{ className, name, values }],
 * rate(sum, step) }. Times are in ms; @recorded: recorded time of each step; @rate: computes the
 * shown value from the sum in a step.
 */
function chartOf(answer, layers, rest) {
	return { first: answer.first_ms, step: answer.step_ms, steps: answer.steps,
		 recorded: answer.recorded_ms, layers, ...rest };
}

/*
 * Divides a sum by the time that was recorded in its step, because nothing is known about the rest
 * of it. The last step has only begun, and the daemon may not have run all the time.
 */
function meanRate(answer, unit) {
	/* the sum in a millisecond at a rate of 1 */
	const one = unit === "nanoseconds" ? 1e6 : 1e-3;

	return (sum, i) => answer.recorded_ms[i] ? sum / answer.recorded_ms[i] / one : 0;
}

class Chart {
	constructor(box, plain) {
		this.box = box;
		this.plain = plain;	/* without axes and space for them */
		this.svg = svg("svg", { "aria-hidden": "true" });
		this.labels = LEFT;	/* width of the labels of the vertical axis, in pixels */
		this.bands = [];
		box.prepend(this.svg);
	}

	show(data, range) {
		this.data = data;
		this.range = range;
		this.draw();
	}

	get left() { return this.plain ? 0 : this.labels; }
	get right() { return this.box.clientWidth; }
	get foot() { return this.box.clientHeight - (this.plain ? 0 : FOOT); }

	x(ms) {
		const [from, to] = this.range;

		return this.left + (ms - from) / (to - from) * (this.right - this.left);
	}

	time(x) {
		const [from, to] = this.range;
		const share = (x - this.left) / Math.max(1, this.right - this.left);

		return from + Math.max(0, Math.min(1, share)) * (to - from);
	}

	/* The nearest beginning of a step. */
	snap(ms) {
		const { first, step } = this.data;

		return Math.max(first, first + Math.round((ms - first) / step) * step);
	}

	sums() {
		const { layers, steps } = this.data, sums = new Float64Array(steps);

		for (const layer of layers)
			layer.values.forEach((v, i) => { sums[i] += v; });
		return sums;
	}

	draw() {
		if (!this.data || !this.box.clientWidth)
			return;
		const { data } = this, sums = this.sums();

		this.most = Math.max(...sums.map((v, i) => data.rate(v, i)), 0) || 1;
		this.svg.setAttribute("viewBox", `0 0 ${this.right} ${this.box.clientHeight}`);
		if (!this.plain)
			this.fitLabels();
		this.svg.replaceChildren(...(this.plain ? [] : this.axes()), ...this.layers(),
					 ...this.bands.map(b => this.band(b)));
	}

	y(rate) {
		return this.foot - rate / this.most * (this.foot - TOP);
	}

	layers() {
		const { data } = this, base = new Float64Array(data.steps);

		return data.layers.map(layer => {
			const up = [], down = [];

			layer.values.forEach((value, i) => {
				const at = data.first + i * data.step;
				const from = Math.max(this.left, this.x(at));
				const to = Math.min(this.right, this.x(at + data.step));
				const low = this.y(data.rate(base[i], i));

				base[i] += value;
				const high = this.y(data.rate(base[i], i));

				up.push(`${from.toFixed(1)},${high.toFixed(1)}L${to.toFixed(1)},${high.toFixed(1)}`);
				down.push(`${to.toFixed(1)},${low.toFixed(1)}L${from.toFixed(1)},${low.toFixed(1)}`);
			});
			const dim = this.only && this.only !== layer.className ? " dim" : "";

			return svg("path", { class: layer.className + dim,
					     d: up.length ? `M${up.join("L")}L${down.reverse().join("L")}Z` : "" });
		});
	}

	/* Values at which the vertical axis has lines. */
	rates() {
		const step = niceStep(this.most), out = [];

		for (let i = 0; i * step <= this.most; i++)
			out.push(i * step);
		return out;
	}

	/* Measures the labels. A text must be in the page before its width is known. */
	fitLabels() {
		const texts = this.rates().map(v => svg("text", {}, this.data.axis(v)));

		this.svg.replaceChildren(...texts);
		this.labels = Math.max(LEFT, ...texts.map(t => Math.ceil(t.getComputedTextLength()) + 6));
	}

	axes() {
		const out = [], [from, to] = this.range;

		for (const v of this.rates()) {
			const y = this.y(v);

			out.push(svg("line", { class: "grid", x1: this.left, x2: this.right, y1: y, y2: y }),
				 svg("text", { x: this.left - 4, y: y + 4, "text-anchor": "end" },
				     this.data.axis(v)));
		}
		for (const tick of timeTicks(from, to, Math.max(2, (this.right - this.left) / 80))) {
			const x = this.x(tick.at);

			out.push(svg("line", { class: "grid", x1: x, x2: x, y1: this.foot, y2: this.foot + 4 }));
			if (x > this.left + 16 && x < this.right - 20)
				out.push(svg("text", { x, y: this.foot + 15, "text-anchor": "middle" }, tick.text));
		}
		return out;
	}

	band({ range, className }) {
		const from = Math.max(this.left, this.x(range[0]));

		return svg("rect", { class: "band " + className, x: from, y: 1,
				     width: Math.max(1, Math.min(this.right - 1, this.x(range[1])) - from),
				     height: this.foot - 1 });
	}
}
