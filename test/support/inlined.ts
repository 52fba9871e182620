interface Described {
  readonly components?: Readonly<Record<string, unknown>>;
  readonly paths: object;
}

const SHARED = /^#\/components\/(headers|responses|parameters)\/(.+)$/;

/** Writes shared headers, responses and parameters of an OpenAPI document where its operations refer to them; schemas stay references. */
export function inlined<Document extends Described>(document: Document): Document {
  const write = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(write);
    const [, kind, name] = SHARED.exec('$ref' in value ? String(value.$ref) : '') ?? [];
    if (kind === undefined || name === undefined)
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, write(part)]));
    const shared = document.components?.[kind] as Readonly<Record<string, unknown>> | undefined;
    if (!shared?.[name]) throw new Error(`The document has no ${kind}.${name}.`);
    return write(shared[name]);
  };
  return { ...document, paths: write(document.paths) };
}

const served = new Map<string, Described>();

/** The OpenAPI document that a service serves, inlined. Those of one build are equal, so a worker prepares each once. */
export async function servedDocument<Document extends Described>(url: string): Promise<Document> {
  const response = await fetch(`${url}/openapi.json`);
  expect(response.status).toBe(200);
  const text = await response.text();
  const document = served.get(text) ?? inlined(JSON.parse(text) as Described);
  served.set(text, document);
  return document as Document;
}
