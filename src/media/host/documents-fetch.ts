import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import { problemResponses } from '#libs/http';

const ETAG = { ETag: { description: 'The version of the file.', schema: { type: 'string' as const } } };
const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const LENGTH = {
  'Content-Length': {
    description: 'Bytes of this response.',
    schema: { type: 'integer' as const, minimum: 0 },
  },
};
const RANGE = {
  'Content-Range': { description: 'Which bytes, of how many.', schema: { type: 'string' as const } },
};

const optional = (name: string, description: string) =>
  ApiHeader({ name, description, required: false, schema: { type: 'string' } });

/** The OpenAPI description of the media host. */
export const DocumentsFetch = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      operationId: 'fetchMedia',
      summary: 'Fetch a thumbnail, preview or rendition',
      description:
        'For networks that fetch media, and for pages that show it. The address comes from the library, names one object and expires: after 24 hours at the earliest for a rendition, after 2 hours for the others. It needs no credentials and never redirects. HEAD returns the same headers. An original has a download address in the library instead.',
      security: [],
    }),
    ApiParam({ name: 'token', description: 'Signed by the service; not to be constructed or changed.' }),
    optional('Range', 'One range of bytes; several are ignored.'),
    optional('If-Range', 'An ETag. The range is ignored when the file has another one.'),
    ApiOkResponse({ description: 'The whole file.', content: BYTES, headers: { ...ETAG, ...LENGTH } }),
    ApiResponse({
      status: 206,
      description: 'The requested range.',
      content: BYTES,
      headers: { ...ETAG, ...RANGE, ...LENGTH },
    }),
    ApiResponse({ status: 304, description: 'If-None-Match names the file.', headers: ETAG }),
    problemResponses(404, 416, 500, 503),
  );
