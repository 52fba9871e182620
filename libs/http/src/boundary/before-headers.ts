import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/**
 * Calls `normalise` just before the headers are sent. Headers passed to `writeHead` are set on the response first,
 * so that `normalise` sees all of them.
 */
export function beforeHeaders(response: ServerResponse, normalise: () => void): void {
  const writeHead = response.writeHead.bind(response);
  let done = false;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (done) return writeHead(status);
    done = true;
    const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
    setAll(
      response,
      rest.find((part) => typeof part === 'object' && part !== null),
    );
    response.statusCode = status;
    normalise();
    return reason === undefined ? writeHead(status) : writeHead(status, reason);
  };
}

/** `writeHead` takes an object, a flat list of names and values, or a list of pairs. */
function setAll(response: ServerResponse, headers: unknown): void {
  if (headers === undefined) return;
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
      if (value !== undefined) response.setHeader(name, value);
    }
    return;
  }
  const flat = headers.flat() as string[];
  const seen = new Set<string>();
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const name = flat[index] as string;
    const value = flat[index + 1] as string;
    if (seen.has(name.toLowerCase())) response.appendHeader(name, value);
    else response.setHeader(name, value);
    seen.add(name.toLowerCase());
  }
}
