import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '#libs/http';
import { ObjectStorage } from '#libs/object-storage';
import { DocumentsFetch } from './documents-fetch.js';
import { MediaAddresses } from './media-addresses.js';
import { MediaAddressIsNotValid } from './media-host.errors.js';
import { OpenFiles } from './open-files.js';
import { openObject } from './open-object.js';
import { sendObject } from './send-object.js';
import { typeOf } from './served-objects.js';

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
