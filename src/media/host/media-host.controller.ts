import { applyDecorators, Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { problemResponses, Public } from '#libs/http';
import { ObjectStorage } from '#libs/object-storage';
import { MediaAddresses, typeOf } from './media-addresses.js';
import { MediaAddressIsNotValid } from './media-host.errors.js';
import { OpenFiles } from './open-files.js';
import { openObject, sendObject } from './serve-object.js';

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

const DocumentsFetch = (): MethodDecorator =>
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

/** For how long a cache may show a deleted file. */
const MAX_AGE_S = 3_600;

@ApiTags('Media')
@Controller('m')
export class MediaHostController {
  private readonly open = new OpenFiles();

  constructor(
    private readonly addresses: MediaAddresses,
    private readonly storage: ObjectStorage,
  ) {}

  @Get(':token')
  @Public()
  @DocumentsFetch()
  async fetchMedia(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const addressed = this.addresses.read(token);
    if (!addressed) throw new MediaAddressIsNotValid();
    const { key, secondsLeft } = addressed;
    await this.open.within(response, async () => {
      const opened = await openObject(this.storage, key, {
        isHead: request.method === 'HEAD',
        range: request.headers.range,
        ifRange: request.headers['if-range'] as string | undefined,
        ifNoneMatch: request.headers['if-none-match'],
      });
      response.setHeader('Cache-Control', `private, max-age=${Math.min(MAX_AGE_S, secondsLeft)}`);
      await sendObject(opened, typeOf(key), response);
    });
  }
}
