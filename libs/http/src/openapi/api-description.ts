/** The parts of an OpenAPI document that are not found in the code of its controllers. */
export interface ApiDescription {
  readonly title: string;
  /** CommonMark. */
  readonly description: string;
  /** The groups of operations, in reading order; every operation names one with `@ApiTags`. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly contact?: { readonly name: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly url?: string; readonly identifier?: string };
  /** Members that problems of this service have besides those of all services: their schemas (OpenAPI 3.1) by name. */
  readonly problemMembers?: Readonly<Record<string, object>>;
  /** Whether some operations take `X-Api-Key`; every service takes bearer tokens. */
  readonly apiKeys?: boolean;
}
