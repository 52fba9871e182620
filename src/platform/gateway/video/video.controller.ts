import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Header,
  Param,
  Post,
  Put,
  Req,
} from '@nestjs/common';
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
import { BeginUploadDto, ChannelResponseDto, UploadDto, UploadProgressDto } from './upload.dto.js';
import { VideoCalls } from './video-calls.js';
import {
  PartIsNotValid,
  ProviderTokenIsMissing,
  UploadNotFound,
  UploadSessionIsGone,
} from './video.errors.js';
import type { Part } from './youtube.js';

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;

/** The part in the body of a request; it is read while it is sent on. @throws PartIsNotValid */
function partOf(request: Request): Part {
  const [, start, last, total] = CONTENT_RANGE.exec(request.header('content-range') ?? '') ?? [];
  if (start === undefined || last === undefined || total === undefined)
    throw new PartIsNotValid('Content-Range must be bytes first-last/total.');
  const length = Number(last) - Number(start) + 1;
  if (length < 1 || request.header('content-length') !== String(length))
    throw new PartIsNotValid('Content-Length must be the length of the range.');
  return { start: Number(start), total: Number(total), body: { length, open: () => request } };
}

/** Visible ASCII, as tokens are (RFC 6750, section 2.1). */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/** The access token of the channel. @throws ProviderTokenIsMissing */
const ProviderToken = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const token = context.switchToHttp().getRequest<Request>().header('x-provider-token') ?? '';
  if (!TOKEN.test(token)) throw new ProviderTokenIsMissing();
  return token;
});

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
    return { uploadId: await this.calls.begin({ attribution, token }, body) };
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
  sendVideoPart(
    @CurrentAttribution() attribution: Attribution,
    @ProviderToken() token: string,
    @Param('uploadId', ParseIdPipe) uploadId: string,
    @Req() request: Request,
  ): Promise<UploadProgressDto> {
    return this.calls.send({ attribution, token }, uploadId, partOf(request));
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
  getVideoUpload(
    @CurrentAttribution() attribution: Attribution,
    @ProviderToken() token: string,
    @Param('uploadId', ParseIdPipe) uploadId: string,
  ): Promise<UploadProgressDto> {
    return this.calls.probe({ attribution, token }, uploadId);
  }
}
