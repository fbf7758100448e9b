/* SPDX-License-Identifier: GPL-2.0-only */
/* Times and lengths of time: in milliseconds (since 1970) inside, as text for the reader. */

const UNITS_MS = { s: 1000, m: 60000, h: 3600000, d: 86400000, w: 604800000 };

function spanMs(text) {
	const m = /^(\d{1,6})([smhdw])$/.exec(text);

	return m ? Number(m[1]) * UNITS_MS[m[2]] : 0;
}

const two = n => String(n).padStart(2, "0");

/* The time of day in the reader's time zone, in the same form everywhere. */
function clockText(ms, seconds) {
	const d = new Date(ms);

	return two(d.getHours()) + ":" + two(d.getMinutes()) + (seconds ? ":" + two(d.getSeconds()) : "");
}

function dayText(ms) {
	const d = new Date(ms);

	return d.getFullYear() + "-" + two(d.getMonth() + 1) + "-" + two(d.getDate());
}

function momentText(ms) {
	return dayText(ms) + " " + clockText(ms, true);
}

function rangeText([from, to]) {
	return dayText(from) === dayText(to - 1) ?
		`${momentText(from)} to ${clockText(to, true)}` : `${momentText(from)} to ${momentText(to)}`;
}

function spanText(ms) {
	const parts = [];

	for (const [unit, size] of [["d", 86400000], ["h", 3600000], ["min", 60000], ["s", 1000]]) {
		const n = Math.floor(ms / size);

		if (n && parts.length < 2)
			parts.push(n + " " + unit);
		ms -= n * size;
	}
	return parts.join(" ") || "0 s";
}

/* Ticks of a time axis: at full minutes, hours or days in the reader's time zone. */
function timeTicks(from, to, most) {
	const steps = [10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
		       172800, 604800].map(s => s * 1000);
	const step = steps.find(s => (to - from) / s <= most) || steps[steps.length - 1];
	const offset = new Date(from).getTimezoneOffset() * 60000;
	const ticks = [];

	for (let t = Math.ceil((from - offset) / step) * step + offset; t < to; t += step)
		ticks.push({ at: t, text: step >= UNITS_MS.d ? dayText(t).slice(5) :
			     clockText(t, step < UNITS_MS.m) });
	return ticks;
}
