import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';

type Kind = 'headers' | 'responses' | 'parameters';

interface Parameter {
  readonly name: string;
  readonly in: string;
}

interface Response {
  readonly headers?: object;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

/** A member of the document that a reference can replace. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  /** What its component is called. */
  readonly name: string;
}

/**
 * Returns the document with each repeated header, parameter and response once, as a component. Responses of success stay with their
 * operations, which they describe.
 */
export function shareComponents(document: OpenAPIObject): OpenAPIObject {
  const shared = structuredClone(document);
  const operations = Object.values(shared.paths).flatMap((methods) => Object.values(methods) as Operation[]);
  const headers = operations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap((response) => placesIn(response.headers, (name) => name));
  const responses = operations.flatMap((operation) =>
    placesIn(operation.responses, nameOfResponse).filter(({ key }) => Number(key) >= 300),
  );
  const parameters = operations.flatMap((operation) => placesIn(operation.parameters, nameOfParameter));
  const components = {
    ...shared.components,
    // First, so that equal responses refer to equal headers.
    headers: share('headers', headers),
    responses: share('responses', responses),
    parameters: share('parameters', parameters),
  };
  return { ...shared, components } as OpenAPIObject;
}

function placesIn<Part>(holder: object = {}, nameOf: (key: string, part: Part) => string): readonly Place[] {
  return Object.entries(holder as Record<string, Part>).map(([key, part]) => ({
    holder: holder as Record<string, unknown>,
    key,
    name: nameOf(key, part),
  }));
}

/** Such as `NotFound`; `NotFoundReplayable` where an idempotency key can repeat it. */
function nameOfResponse(status: string, { headers = {} }: Response): string {
  return `${pascal(STATUS_CODES[status] ?? status)}${'Idempotent-Replayed' in headers ? 'Replayable' : ''}`;
}

/** Such as `LimitInQuery`. */
const nameOfParameter = (_index: string, { name, in: place }: Parameter): string =>
  `${pascal(name)}In${pascal(place)}`;

const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, first: string) => first.toUpperCase());

/**
 * Replaces what is repeated by references.
 * @returns the components; of several with one name, the most used one has no number
 */
function share(kind: Kind, places: readonly Place[]): Record<string, unknown> {
  const groups = Map.groupBy(places, ({ holder, key, name }) => `${name} ${JSON.stringify(holder[key])}`);
  const repeated = [...groups.values()].filter(({ length }) => length > 1);
  const components: Record<string, unknown> = {};
  for (const group of repeated.toSorted((one, other) => other.length - one.length)) {
    const [{ holder, key, name }] = group as [Place];
    const free = freeName(name, components);
    components[free] = holder[key];
    for (const place of group) place.holder[place.key] = { $ref: `#/components/${kind}/${free}` };
  }
  // The order by use would change with each operation that is added.
  return Object.fromEntries(Object.entries(components).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function freeName(name: string, taken: object): string {
  let free = name;
  for (let number = 2; free in taken; number += 1) free = `${name}${number}`;
  return free;
}
