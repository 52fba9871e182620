import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

/** Metadata of controllers and handlers that need no caller; read by the guard of #libs/auth. */
export const IS_PUBLIC = 'http:is-public';

/** A route that needs no credentials. */
export const Public = (): CustomDecorator => SetMetadata(IS_PUBLIC, true);

/** Metadata of routes with two kinds of callers; read by the guards of #libs/auth and of rate limits. */
export const ALTERNATIVE_CREDENTIAL = 'http:alternative-credential';

/**
 * A route that accepts a credential of its own in place of a bearer token or API key. Requests with the header are neither
 * authenticated nor limited by the global guards. The route's own guard must refuse those whose credential is wrong.
 * @param header in lower case
 */
export const AlternativeCredential = (header: string): CustomDecorator =>
  SetMetadata(ALTERNATIVE_CREDENTIAL, header);

/** @param header of `AlternativeCredential`; undefined on other routes */
export const hasAlternative = (request: Request, header: string | undefined): boolean =>
  header !== undefined && request.headers[header] !== undefined;
