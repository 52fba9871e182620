import type { Request } from 'express';
import { isUuid } from '#libs/http';

/** In lower case; null for anything else than a UUID. */
export function uuidIn(request: Request, header: string): string | null {
  const value = request.header(header)?.trim() ?? '';
  return isUuid(value) ? value.toLowerCase() : null;
}
