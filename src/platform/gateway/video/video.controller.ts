import { Body, Controller, Get, Header, Param, Post, Put, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { IdempotentLongWork, ParseIdPipe, problemResponses } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import { ChannelResponseDto } from './channel.dto.js';
import { UploadProgressDto } from './progress.dto.js';
import { BeginUploadDto, UploadDto } from './upload.dto.js';
import { partOf } from './part-of-request.js';
import { ProviderToken } from './provider-token.js';
import { VideoCalls } from './video-calls.js';
import { UploadNotFound, UploadSessionIsGone } from './video.errors.js';

const UPLOAD_ID = {
  name: 'uploadId',
  format: 'uuid',
  description: 'As the begin of the upload returned it.',
};

/** Every refusal of the provider is 422 with its reason; 502 leaves the effect in doubt; 503: nothing was sent. */
@ApiTags('Video')
@ApiHeader({
  name: 'X-Provider-Token',
  required: true,
  description: 'Access token of the channel. Passed on to the provider; never stored, never logged.',
  schema: { type: 'string' },
})
@ServiceCallers('video')
@problemResponses(422, 502)
@Controller('api/video/youtube')
export class VideoController {
  constructor(private readonly calls: VideoCalls) {}

  @ApiOperation({
    summary: 'Channel of a token',
    description: 'Costs quota. 429 `video_quota_exhausted`: nothing was sent; Retry-After ends at the reset.',
  })
  @ApiOkResponse({
    type: ChannelResponseDto,
    description: 'The channel of the signed-in account, if it has one.',
  })
  @Header('Cache-Control', 'no-store')
  @Get('channel')
  async getVideoChannel(
    @CurrentAttribution() attribution: Attribution,
    @ProviderToken() token: string,
  ): Promise<ChannelResponseDto> {
    return { channel: await this.calls.channel({ attribution, token }) };
  }

  @ApiOperation({
    summary: 'Begin an upload',
    description:
      'Announces a video and its file; costs quota. The upload publishes nothing until its last part is sent. Private unless another privacy is asked for. With an Idempotency-Key, a repetition returns the same upload and costs nothing more.',
  })
  @ApiCreatedResponse({ type: UploadDto, description: 'The upload.' })
  @IdempotentLongWork({ subject: 'video_upload' })
  @Post('uploads')
  async beginVideoUpload(
    @CurrentAttribution() attribution: Attribution,
    @ProviderToken() token: string,
    @Body() body: BeginUploadDto,
  ): Promise<UploadDto> {
    return { uploadId: await this.calls.begin({ attribution, token }, BeginUploadDto.toUpload(body)) };
  }

  @ApiOperation({
    summary: 'Send a part of the file',
    description:
      'The body is streamed to the provider. The last part publishes the video. After 502, read the state before sending anything.',
  })
  @ApiParam(UPLOAD_ID)
  @ApiHeader({
    name: 'Content-Range',
    required: true,
    description: '`bytes first-last/total`; other parts than the last have a multiple of 262144 bytes.',
    schema: { type: 'string' },
  })
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ type: UploadProgressDto, description: 'What the provider has now.' })
  @problemResponses(UploadNotFound, UploadSessionIsGone)
  @Put('uploads/:uploadId')
  async sendVideoPart(
    @CurrentAttribution() attribution: Attribution,
    @ProviderToken() token: string,
    @Param('uploadId', ParseIdPipe) uploadId: string,
    @Req() request: Request,
  ): Promise<UploadProgressDto> {
    return UploadProgressDto.of(await this.calls.send({ attribution, token }, uploadId, partOf(request)));
  }

  @ApiOperation({
    summary: 'State of an upload',
    description: 'Asks the provider what it has. Changes nothing and costs no quota.',
  })
  @ApiParam(UPLOAD_ID)
  @ApiOkResponse({ type: UploadProgressDto, description: 'What the provider has now.' })
  @Header('Cache-Control', 'no-store')
  @problemResponses(UploadNotFound, UploadSessionIsGone)
  @Get('uploads/:uploadId')
  async getVideoUpload(
    @CurrentAttribution() attribution: Attribution,
    @ProviderToken() token: string,
    @Param('uploadId', ParseIdPipe) uploadId: string,
  ): Promise<UploadProgressDto> {
    return UploadProgressDto.of(await this.calls.probe({ attribution, token }, uploadId));
  }
}
