import type { Method } from './call.js';
import { servedDocument } from './inlined.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** One operation as an OpenAPI document describes it, references followed one level into its schemas. */
export interface Operation {
  /** As in `Documented`: `get /path/{id}`. */
  readonly name: string;
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly statuses: readonly number[];
  /** Undefined for those that take none, or take something else than JSON. */
  readonly body?: Schema;
  /** Of the 200, where it is JSON. */
  readonly answer?: Schema;
  readonly isPublic: boolean;
  /** Only services call it, by their token; what people send is no credential there. */
  readonly isOfServices: boolean;
  readonly takesApiKey: boolean;
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Record<string, unknown>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Content | undefined>>;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** The OpenAPI document that a service serves. */
export class ServedApi {
  private constructor(
    readonly operations: readonly Operation[],
    private readonly schemas: Readonly<Record<string, Schema>>,
  ) {}

  static async at(url: string): Promise<ServedApi> {
    const document = await servedDocument<{
      paths: Record<string, Record<string, Described>>;
      components: { schemas: Record<string, Schema> };
    }>(url);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operationOf(method, path, described)),
    );
    return new ServedApi(operations, document.components.schemas);
  }

  /** Operations that a person or a key needs credentials for. */
  get guarded(): readonly Operation[] {
    return this.operations.filter(({ isPublic, isOfServices }) => !isPublic && !isOfServices);
  }

  /** Operations that return a list in `data`. */
  get lists(): readonly Operation[] {
    return this.operations.filter(
      ({ method, answer }) =>
        method === 'GET' && answer && this.resolve(answer).properties?.data?.type === 'array',
    );
  }

  /** The schema behind a reference or a wrapper. */
  resolve(schema: Schema): Schema {
    const [first] = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [];
    const named = schema.$ref?.split('/').at(-1);
    if (named !== undefined) return this.resolve(this.schemas[named] ?? {});
    return first
      ? { ...this.resolve(first), ...(schema.example !== undefined && { example: schema.example }) }
      : schema;
  }

  /**
   * A value that is valid by the document: its own examples, times a day ahead, and `known` for fields of these names.
   * Optional fields are sent where they have an example.
   */
  sample(schema: Schema, known: Known = {}): unknown {
    const { properties, required = [], ...plain } = this.resolve(schema);
    if (!properties) return this.plain(plain, known);
    const fields = Object.entries(properties).map(([name, field]): [string, unknown] => {
      if (name in known) return [name, valueOf(known[name])];
      const { example } = this.resolve(field);
      const isSent = required.includes(name) || (example !== undefined && example !== null);
      return [name, isSent ? this.sample(field, known) : undefined];
    });
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }

  private plain(schema: Schema, known: Known): unknown {
    if (schema.format === 'date-time') return new Date(Date.now() + 86_400_000).toISOString();
    if (schema.example !== undefined) return schema.example;
    if (schema.enum) return schema.enum[0];
    switch ([schema.type].flat()[0]) {
      case 'array':
        return schema.items && (schema.minItems ?? 0) > 0 ? [this.sample(schema.items, known)] : [];
      case 'integer':
      case 'number':
        return schema.default ?? schema.minimum ?? 1;
      case 'boolean':
        return schema.default ?? true;
      case 'object':
        return {};
      default:
        return schema.format === 'uuid'
          ? crypto.randomUUID()
          : 'Something'.padEnd(schema.minLength ?? 0, '.');
    }
  }
}

/** Values by the names of fields and parameters; a function makes another one each time. */
export type Known = Readonly<Record<string, string | (() => string)>>;

export function valueOf(known: Known[string] | undefined): string | undefined {
  return typeof known === 'function' ? known() : known;
}

function operationOf(method: string, path: string, described: Described): Operation {
  const { parameters = [], security = [], requestBody, responses } = described;
  return {
    name: `${method} ${path}`,
    method: method.toUpperCase() as Method,
    path,
    parameters,
    statuses: Object.keys(responses).map(Number),
    body: requestBody?.content['application/json']?.schema,
    answer: responses['200']?.content?.['application/json']?.schema,
    isPublic: security.length === 0,
    isOfServices: security.length > 0 && security.every((scheme) => 'ServiceTokenAuth' in scheme),
    takesApiKey: security.some((scheme) => 'ApiKeyAuth' in scheme),
  };
}
