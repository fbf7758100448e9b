// SPDX-License-Identifier: GPL-2.0-only
// Reads requests of ProfileStoreService.WriteRaw with the messages of Parca's own client, which are
// generated from Parca's .proto files. Prints each as that client writes it.
//
// usage: node tests/live/push/parca_client.mjs FOLDER <REQUESTS
//
// FOLDER is node_modules/@parca/client; a request is a line of JSON. A field that the client does not know,
// or a value of another type, is an error.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// The package has modules without file extensions, and does not say that they are modules: only bundlers
// load it as it is.
const hooks = `
export async function resolve(name, context, next) {
	try {
		return await next(name, context);
	} catch (e) {
		return next(name + '.js', context);
	}
}
export async function load(url, context, next) {
	return next(url, url.includes('/@parca/client/') ? { ...context, format: 'module' } : context);
}`;
register('data:text/javascript,' + encodeURIComponent(hooks));

const file = resolve(process.argv[2], 'dist/parca/profilestore/v1alpha1/profilestore.js');
const { WriteRawRequest } = await import(pathToFileURL(file));

for (const line of readFileSync(0, 'utf8').split('\n')) {
	if (!line)
		continue;
	const request = WriteRawRequest.fromJsonString(line, { ignoreUnknownFields: false });
	const again = WriteRawRequest.fromBinary(WriteRawRequest.toBinary(request));
	console.log(WriteRawRequest.toJsonString(again));
}
