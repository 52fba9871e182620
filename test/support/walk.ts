import { type ApiResponse, ask, type Call, callOf } from './call.js';
import { Documented } from './documented.js';
import { type Known, type Operation, ServedApi, valueOf } from './operations.js';
import { CreatedResources } from './created-resources.js';
import { ResponseFaults } from './response-faults.js';

type Headers = Readonly<Record<string, string>>;

const MORE_THAN_A_MEGABYTE = JSON.stringify({ text: 'x'.repeat(1_048_576) });
const NOT_JSON = ['{"text":', '{"a":1}}', 'nonsense', '\u0000', "{'a':1}"];
const NO_BODY_OF_OURS = [
  '[]',
  '"text"',
  '7',
  '[[]]',
  '{"notAField":1}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"a":1}}',
];
const NO_IDS = ['nope', '0', '-1', 'null', '%00', '%F0%9F%92%A9', "'%20OR%201=1", 'x'.repeat(2_000)];

/** The brand of these is named by the query or by X-Brand-ID, so that the document requires neither. */
const OF_A_BRAND = ['get /api/trends', 'get /api/trends/feeds', 'put /api/trends/feeds'];

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** Asks one service what its document lists, operation by operation. */
export class Walk {
  private constructor(
    readonly url: string,
    readonly served: ServedApi,
    readonly verdicts: ResponseFaults,
    readonly things: CreatedResources,
  ) {}

  /** @param owner makes what paths name. @param known see `Things` */
  static async through(url: string, owner: Call, known: Known): Promise<Walk> {
    const served = await ServedApi.at(url);
    const verdicts = new ResponseFaults(await Documented.by(url));
    const walk = new Walk(url, served, verdicts, new CreatedResources(served, owner, known));
    for (const operation of served.operations) await walk.things.address(operation);
    return walk;
  }

  /** The same walk for somebody else, among things that are made when they are needed. */
  by(owner: Call, known: Known): Walk {
    return new Walk(this.url, this.served, this.verdicts, new CreatedResources(this.served, owner, known));
  }

  get withBodies(): readonly Operation[] {
    return this.served.operations.filter(({ body }) => body !== undefined);
  }

  /** A good request, but for its headers or whatever else a test makes wrong about it. */
  async send(operation: Operation, headers: Headers, body?: unknown): Promise<ApiResponse> {
    const { method } = operation;
    const address = await this.things.address(operation);
    const sent = { ...this.brandOf(operation), ...headers };
    return callOf(this.url, sent)(method, address, body ?? this.things.body(operation));
  }

  /** To these, one after the other. @param statuses each answer has one of them */
  on(operations: readonly Operation[], statuses: readonly number[], headers: Headers): Promise<void> {
    return this.verdicts.on(operations, statuses, (operation) => this.send(operation, headers));
  }

  /** Bodies that are no JSON, not those of the operation, too large, or something else altogether. */
  async sendBrokenBodies(headers: Headers): Promise<void> {
    const send = (statuses: number[], text: string | ((operation: Operation) => string), type?: string) =>
      this.verdicts.on(this.withBodies, statuses, (operation) =>
        this.sendText(operation, headers, typeof text === 'string' ? text : text(operation), type),
      );
    for (const text of [...NOT_JSON, ...NO_BODY_OF_OURS]) await send([400], text);
    await send([400], (operation) =>
      JSON.stringify({ ...(this.things.body(operation) as object), notAField: 'x' }),
    );
    await send([413], MORE_THAN_A_MEGABYTE);
    await send([415], '<text/>', 'application/xml');
  }

  /** What cannot be an id, wherever a path has one. */
  async sendStrangeIds(operations: readonly Operation[], headers: Headers): Promise<void> {
    for (const id of NO_IDS) {
      await this.verdicts.on(operations, [404], async (operation) => {
        const [, query = ''] = (await this.things.address(operation)).split('?');
        const address = `${operation.path.replace(/\{\w+\}/g, id)}?${query}`;
        return callOf(this.url, headers)(operation.method, address, this.things.body(operation));
      });
    }
  }

  /**
   * Sends each list a parameter that it does not have, and all that it documents, empty.
   * @returns the lists whose warnings do not name the former alone
   */
  async silentLists(headers: Headers): Promise<string[]> {
    const there = this.served.lists.filter((list) => this.things.hasAll(list));
    const silent: string[] = [];
    await this.verdicts.on(there, [200], async (list) => {
      const [address = ''] = (await this.things.address(list)).split('?');
      const known = list.parameters.filter((parameter) => parameter.in === 'query');
      const query = new URLSearchParams(known.map(({ name }): [string, string] => [name, '']));
      query.set('notAParameter', '1');
      const sent = { ...this.brandOf(list), ...headers };
      const answer = await callOf(this.url, sent)('GET', `${address}?${query.toString()}`);
      const [warning, ...others] = (answer.body?.warnings ?? []) as Record<string, unknown>[];
      const isNamed = warning?.parameter === 'notAParameter' && warning.code === 'unknown_parameter';
      if (!isNamed || others.length > 0) silent.push(list.name);
      return answer;
    });
    return silent;
  }

  private brandOf(operation: Operation): Headers {
    const brandId = valueOf(this.things.known.brandId);
    return isOfBrand(operation) && brandId !== undefined ? { 'x-brand-id': brandId } : {};
  }

  private async sendText(
    operation: Operation,
    headers: Headers,
    body: string,
    type = 'application/json',
  ): Promise<ApiResponse> {
    return ask(this.url + (await this.things.address(operation)), {
      method: operation.method,
      headers: { ...headers, 'content-type': type },
      body,
    });
  }
}

export const isAddressed = ({ path }: Operation): boolean => path.includes('{');
export const isOfBrand = ({ name }: Operation): boolean => OF_A_BRAND.includes(name);
export const names = (operations: readonly Operation[]): string[] => operations.map(({ name }) => name);
