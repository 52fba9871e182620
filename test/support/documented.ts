import { Ajv2020, type Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { servedDocument } from './inlined.js';

interface DescribedResponse {
  content?: Record<string, { schema: { $ref?: string } }>;
  headers?: Record<string, { required?: boolean }>;
}

interface Operation {
  responses: Record<string, DescribedResponse>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: { readonly ProblemDto: { readonly properties: object } } };
}

/** Headers that a client acts on: the document names each that is sent. */
const MEANINGFUL = [
  ...['allow', 'content-disposition', 'etag', 'idempotent-replayed', 'link', 'location', 'ratelimit'],
  ...['ratelimit-policy', 'retry-after', 'www-authenticate', 'x-ratelimit-limit', 'x-ratelimit-remaining'],
  ...['x-ratelimit-reset', 'x-request-id'],
];

/** Of supertest, or of `call`. */
interface ReceivedResponse {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly headers: Headers | Record<string, string>;
}

/** Operations without rate limits and without the common dependencies. */
const PROBE = /^\/(health|healthz|readyz)$/;

/** One for each document, because compiling its schemas takes longer than most test files. */
const prepared = new WeakMap<Document, Documented>();

/** Compares responses with a service's own OpenAPI document. */
export class Documented {
  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(
    private readonly document: Document,
    private readonly ajv: Ajv,
  ) {}

  static async by(url: string): Promise<Documented> {
    const document = await servedDocument<Document>(url);
    const documented = prepared.get(document) ?? Documented.of(document);
    prepared.set(document, documented);
    return documented;
  }

  private static of(document: Document): Documented {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (formats as unknown as (ajv: Ajv) => void)(ajv);
    ajv.addSchema(document, 'document');
    return new Documented(document, ajv);
  }

  /** Every operation, as `get /path/{id}`. */
  get operations(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
  }

  /** Of one operation, ascending. */
  statuses(operation: string): number[] {
    const [method = '', path = ''] = operation.split(' ');
    return Object.keys(this.document.paths[path]?.[method]?.responses ?? {}).map(Number);
  }

  /**
   * Fails unless the status is documented, the body is of its schema and the headers are those of the document.
   * @param operation as in `operations`
   */
  check(operation: string, response: ReceivedResponse): void {
    const [method = '', path = ''] = operation.split(' ');
    const known = this.document.paths[path]?.[method]?.responses[response.status];
    if (!known) throw new Error(`${operation} does not document ${response.status}.`);
    if (!PROBE.test(path)) this.checkHeaders(operation, known, response);
    const types = Object.keys(known.content ?? {});
    // A redirect's text is for people whose client does not follow it.
    if (types.length === 0) return expect(response.status === 302 ? '' : response.text).toBe('');
    const sent = new Headers(response.headers).get('content-type') ?? '';
    const type = types.find((one) => one === '*/*' || sent.includes(one)) ?? '';
    expect({ operation, status: response.status, sent, type }).toMatchObject({
      type: expect.stringMatching(/./),
    });
    const parts = ['paths', path, method, 'responses', response.status, 'content', type, 'schema']
      .map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const pointer = known.content?.[type]?.schema.$ref ?? `#/${parts}`;
    if (type === 'application/problem+json') this.checkMembers(operation, response.body);
    const validate = this.validatorAt(pointer);
    const valid = validate(/json/.test(type) ? response.body : response.text);
    expect({ operation, status: response.status, errors: valid ? [] : validate.errors }).toMatchObject({
      errors: [],
    });
  }

  private checkHeaders(
    operation: string,
    known: DescribedResponse,
    { status, headers }: ReceivedResponse,
  ): void {
    const sent = new Headers(headers);
    const described = Object.entries(known.headers ?? {});
    const names = new Set(described.map(([name]) => name.toLowerCase()));
    const faults = [
      ...MEANINGFUL.filter((name) => sent.has(name) && !names.has(name)).map(
        (name) => `undocumented ${name}`,
      ),
      ...described.flatMap(([name, { required }]) => (required && !sent.has(name) ? [`no ${name}`] : [])),
    ];
    expect({ operation, status, faults }).toEqual({ operation, status, faults: [] });
  }

  private checkMembers(operation: string, body: unknown): void {
    const known = Object.keys(this.document.components.schemas.ProblemDto.properties);
    const undocumented = Object.keys(body as object).filter((name) => !known.includes(name));
    expect({ operation, undocumented }).toEqual({ operation, undocumented: [] });
  }

  /** Compiled once: most operations share the schemas of their problems. */
  private validatorAt(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer) ?? this.ajv.compile({ $ref: `document${pointer}` });
    this.validators.set(pointer, known);
    return known;
  }
}
