/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests to the server. Of each kind only one runs at a time: a new one stops the old one. */

class Api {
	constructor() {
		this.open = new Map();
	}

	static query(params) {
		const words = new URLSearchParams();

		for (const [key, value] of Object.entries(params))
			/* an empty label means one series of all samples, unlike no label */
			if (value !== undefined && value !== null && (value !== "" || key === "label"))
				words.set(key, value);
		return words.toString();
	}

	/* Stops an older request of the same kind, whose ask() then returns null. */
	async ask(kind, path, params) {
		const old = this.open.get(kind), stop = new AbortController();

		if (old)
			old.abort();
		this.open.set(kind, stop);
		try {
			return await this.get(path + "?" + Api.query(params), stop.signal);
		} catch (e) {
			if (e.name === "AbortError")
				return null;
			throw e;
		} finally {
			if (this.open.get(kind) === stop)
				this.open.delete(kind);
		}
	}

	async get(url, signal) {
		const answer = await fetch(url, { signal, headers: { Accept: "application/json" } });

		if (answer.status === 401)
			location.href = "/login";
		const body = await answer.json();

		if (!answer.ok) {
			const why = body.error || {};

			throw Object.assign(new Error(cleanText(why.message || `the server says ${answer.status}`)),
					    { parameter: why.parameter, status: answer.status });
		}
		return body;
	}
}

/* Parameters of a range for the API, in seconds. */
function rangeParams([from, to], prefix = "") {
	return { [prefix + "from"]: from / 1000, [prefix + "to"]: to / 1000 };
}
