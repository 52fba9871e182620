/** An operation as Swagger UI shows it. */
export interface FormOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly example?: unknown;
    readonly schema?: { readonly default?: unknown };
  }[];
  readonly security?: readonly Record<string, unknown>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

export interface FormDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, FormOperation>>>>;
}

/** What Swagger UI works with: its start script holds a document of its own. */
export async function documentOfTheForms(url: string): Promise<FormDocument> {
  const script = await (await fetch(`${url}/docs/swagger-ui-init.js`)).text();
  const [, options = ''] = /let options = (\{[^]*?\n\});/.exec(script) ?? [];
  return (JSON.parse(options) as { swaggerDoc: FormDocument }).swaggerDoc;
}
