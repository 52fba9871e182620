import { RequestIsNotValid } from '#libs/http';

/**
 * The brand that a body names, or X-Brand-ID; in lower case.
 * @throws RequestIsNotValid without a brand or with two different ones
 */
export function namedBrand(inBody: string | undefined, header: string | undefined): string {
  const brandId = inBody?.toLowerCase() ?? header;
  if (!brandId) throw brandIsNotValid('required', 'is required here or as X-Brand-ID');
  if (header !== undefined && brandId !== header)
    throw brandIsNotValid('contradicts_header', 'must be that of X-Brand-ID');
  return brandId;
}

const brandIsNotValid = (code: string, detail: string) =>
  new RequestIsNotValid([{ pointer: '#/brandId', code, detail }]);
