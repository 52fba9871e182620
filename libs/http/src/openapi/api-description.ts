import { type INestApplicationContext, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FormValues } from './forms.js';

/** The OpenAPI document of the service. Created on first use, to keep the start fast. */
@Injectable()
export class ApiDocument {
  private make?: () => OpenAPIObject;
  private made?: OpenAPIObject;

  /** What the forms of Swagger UI show in addition, read at each load of the page. Only a start on one machine sets it. */
  formValues?: () => Promise<FormValues>;

  /** Called by the bootstrap only. */
  setFactory(make: () => OpenAPIObject): void {
    this.make = make;
  }

  /** Undefined for a service without a description. */
  get(): OpenAPIObject | undefined {
    return (this.made ??= this.make?.());
  }
}

/** Names of the security schemes, for `@ApiBearerAuth(BEARER_AUTH)` and `@ApiSecurity(API_KEY_AUTH)`, `(SERVICE_TOKEN_AUTH)`. */
export const BEARER_AUTH = 'BearerAuth';
export const API_KEY_AUTH = 'ApiKeyAuth';
export const SERVICE_TOKEN_AUTH = 'ServiceTokenAuth';

/** The parts of an OpenAPI document that controllers do not declare. */
export interface ApiDescription {
  readonly title: string;
  /** CommonMark. */
  readonly description: string;
  /** The groups of operations, in reading order; every operation names one with `@ApiTags`. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** What a developer does first, on the page at `/`: commands of the README or of a tour, and where they are. */
  readonly firstStep?: {
    readonly text: string;
    readonly commands: string;
    readonly chapter: string;
    readonly document: string;
  };
  readonly contact?: { readonly name: string; readonly url?: string; readonly email?: string };
  readonly license?: { readonly name: string; readonly url?: string; readonly identifier?: string };
  /** Additional members of this service's problems: schemas (OpenAPI 3.1) by name. */
  readonly problemMembers?: Readonly<Record<string, object>>;
  /** Words of open enumerations, by schema and property, such as `ProblemDto.code`; called once for the document. */
  readonly words?: (app: INestApplicationContext) => Readonly<Record<string, readonly string[]>>;
  /** Whether some operations accept `X-Api-Key`. */
  readonly apiKeys?: boolean;
  /** Whether some operations accept `X-Service-Token`. */
  readonly serviceTokens?: boolean;
  /** Whether some operations accept bearer tokens. Default true. */
  readonly bearers?: boolean;
}
