import { applyDecorators } from '@nestjs/common';
import { IsUrl, Matches } from 'class-validator';

const ADDRESS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  allow_query_components: false,
  allow_fragments: false,
};

/** An http(s) address that paths are appended to: no query, no fragment, and no slash at the end, or paths would begin with two. */
export const IsBaseUrl = (): PropertyDecorator =>
  applyDecorators(
    Matches(/[^/]$/, { message: 'must not end with a slash' }),
    IsUrl(ADDRESS, { message: 'must be an http(s) address without query and fragment' }),
  );
