import { applyDecorators } from '@nestjs/common';
import { IsUrl, Matches } from 'class-validator';
import { type AddressOptions, IsSecureInProduction } from './is-secure-in-production.js';

const ADDRESS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  allow_query_components: false,
  allow_fragments: false,
};

/**
 * An http(s) address that paths are appended to: no query, no fragment and no trailing slash.
 * In production it is https; see `IsSecureInProduction`.
 */
export const IsBaseUrl = (options?: AddressOptions): PropertyDecorator =>
  applyDecorators(
    IsSecureInProduction(options),
    Matches(/[^/]$/, { message: 'must not end with a slash' }),
    IsUrl(ADDRESS, { message: 'must be an http(s) address without query and fragment' }),
  );
