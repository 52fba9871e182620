import { randomUUID } from 'node:crypto';
import type { Call } from './call.js';
import { type Known, type Operation, type ServedApi, valueOf } from './operations.js';

/**
 * One resource of each kind that a caller can create, found by path: the response of `POST /things` gives
 * `{thingId}` of `/things/{thingId}`. Routes that are added later find their ids without a change here.
 */
export class CreatedResources {
  /** Ids by the template that ends with them. */
  private readonly made = new Map<string, string>();

  /** @param known ids of resources that no POST creates, and values that bodies require */
  constructor(
    private readonly api: ServedApi,
    private readonly owner: Call,
    readonly known: Known,
  ) {}

  /** Templates whose last parameter is the id of an existing resource. */
  get existing(): string[] {
    return [...this.made.keys()];
  }

  /** Ids of all created resources, for tests of access. */
  get ids(): string[] {
    return [...this.made.values()];
  }

  /** The operation's address with ids of existing resources; a random id where none is known. */
  async address(operation: Operation): Promise<string> {
    let [template, address] = ['', ''];
    for (const part of operation.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      const value = name === undefined ? part : await this.idAt(template, address, name, operation);
      [template, address] = [`${template}/${part}`, `${address}/${value}`];
    }
    return address + this.query(operation);
  }

  /** Whether all resources of its path exist: some are not created by a POST of JSON. */
  hasAll({ path, parameters }: Operation): boolean {
    const parts = path.split('/');
    return parts.every((part, index) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name === undefined || name in this.known) return true;
      const isChoice = parameters.some((one) => one.name === name && one.schema.enum !== undefined);
      return isChoice || this.made.has(parts.slice(0, index + 1).join('/'));
    });
  }

  /** A valid body; undefined for operations without one. */
  body(operation: Operation): unknown {
    return operation.body && this.api.sample(operation.body, this.known);
  }

  private query({ parameters }: Operation): string {
    const query = new URLSearchParams();
    for (const { name, required, in: place, schema } of parameters) {
      if (place !== 'query' || !required) continue;
      query.set(name, valueOf(this.known[name]) ?? String(this.api.sample(schema)));
    }
    return query.size > 0 ? `?${query.toString()}` : '';
  }

  private async idAt(template: string, address: string, name: string, operation: Operation): Promise<string> {
    const place = `${template}/{${name}}`;
    const known = valueOf(this.known[name]);
    // `/things/{otherId}/part` is about another thing than `/things/{thingId}`.
    if (known !== undefined && !this.api.operations.some(({ path }) => path === place)) return known;
    const made = this.made.get(place) ?? (await this.make(template, address));
    if (made !== undefined) {
      this.made.set(place, made);
      return made;
    }
    const choice = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.schema
      .enum?.[0];
    return known ?? (typeof choice === 'string' ? choice : randomUUID());
  }

  private async make(template: string, address: string): Promise<string | undefined> {
    const place = nameless(`post ${template}`);
    const creation = this.api.operations.find((one) => nameless(one.name) === place);
    if (!creation?.statuses.includes(201) || !creation.body) return undefined;
    const { status, body } = await this.owner('POST', address, this.body(creation));
    return status === 201 && typeof body?.id === 'string' ? body.id : undefined;
  }
}

/** Parameters of one place may have different names in different operations. */
const nameless = (template: string): string => template.replace(/\{\w+\}/g, '{}');
