import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import { BEARER_AUTH, ParseIdPipe, problemResponses } from '#libs/http';
import { RequestRendition } from '../commands/request-rendition.js';
import { contentIn } from './dto/content.dto.js';
import { RenditionDto, RequestRenditionDto } from './dto/rendition.dto.js';
import { MediaNotFound } from '../../media/index.js';
import { FileIsNotReady, RenditionIsNotPossible } from '../domain/reference.errors.js';

/** In this feature, because it knows both the files and the networks. */
@ApiTags('Media')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/media/:mediaId/renditions')
export class MediaRenditionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(200)
  @RequiresScopes('posts.write')
  @ApiOperation({
    operationId: 'requestRendition',
    summary: 'Make a file fit a network',
    description:
      'What the network would get of this file. Posts with files have it made without this request. Refused (409 `rendition_not_possible`) when nothing that the network takes can be made of the file, (409 `media_not_usable`) when the file is not ready. Idempotent; with `again`, a rendition that could not be made is tried once more, at growing intervals of up to an hour.',
  })
  @ApiParam({ name: 'mediaId', schema: { type: 'string', format: 'uuid' } })
  @ApiOkResponse({ type: RenditionDto, description: 'The rendition is ready.' })
  @ApiAcceptedResponse({ type: RenditionDto, description: 'The worker makes the rendition. Ask again.' })
  @problemResponses(MediaNotFound, FileIsNotReady, RenditionIsNotPossible)
  async requestRendition(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @Body() { platform, again = false, ...body }: RequestRenditionDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RenditionDto> {
    const { options = {} } = contentIn({ text: '', options: body.options });
    const request = { mediaId, platform, options, caller, again };
    const file = await this.commands.execute(new RequestRendition(request));
    if (file === null) response.status(202);
    return RenditionDto.of(mediaId, platform, file);
  }
}
