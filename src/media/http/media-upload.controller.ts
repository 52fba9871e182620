import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { BrandId, BrandNotFound, type Caller, CurrentCaller, namedBrand, RequiresScopes } from '#libs/auth';
import { BEARER_AUTH, ParseIdPipe, problemResponses, ReturnsEtag } from '#libs/http';
import { AbortUpload } from '../commands/abort-upload.js';
import { BeginUpload } from '../commands/begin-upload.js';
import { CompleteUpload } from '../commands/complete-upload.js';
import { SignParts } from '../commands/sign-parts.js';
import { MediaAddresses } from '../host/media-addresses.js';
import { MediaDto } from './dto/media.dto.js';
import {
  BeginUploadDto,
  BegunUploadDto,
  MultipartUploadDto,
  SignedPartsDto,
  SignPartsDto,
  SingleUploadDto,
} from './dto/upload.dto.js';
import {
  MediaNotFound,
  UploadIsComplete,
  UploadIsNotFinished,
  UploadDoesNotMatch,
  UploadHasExpired,
} from '../domain/media.errors.js';

const BRAND_HEADER = { name: 'X-Brand-ID', required: false, description: 'The brand it is about.' };

/** Uploads go straight to the object store. Without Idempotency-Key: the responses hold presigned addresses. */
@ApiTags('Media')
@ApiBearerAuth(BEARER_AUTH)
@ApiExtraModels(SingleUploadDto, MultipartUploadDto)
@Controller('api/media')
export class MediaUploadController {
  constructor(
    private readonly commands: CommandBus,
    private readonly addresses: MediaAddresses,
  ) {}

  @Post('upload')
  @HttpCode(200)
  @RequiresScopes('posts.write')
  @ApiOperation({
    operationId: 'beginMediaUpload',
    summary: 'Begin the upload of a file',
    description:
      'Returns the address in the object store for the file; its type, length and checksum are bound by the signature. Above 64 MiB the upload is in parts, whose addresses come from `parts`. Complete the upload afterwards. The declared bytes count against the storage quota of the organization from now on (413 `storage_quota_exceeded`). An upload that is not completed is removed.',
  })
  @ApiHeader(BRAND_HEADER)
  @ApiOkResponse({
    type: BegunUploadDto,
    description: 'The file in state `uploading`, and how to upload it.',
  })
  @problemResponses(BrandNotFound)
  async beginUpload(
    @Body() { brandId: named, altText = null, posterOf = null, tags, ...file }: BeginUploadDto,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<BegunUploadDto> {
    const brandId = namedBrand(named, header);
    const declared = { ...file, altText, posterOf, tags: tags ?? [] };
    const begun = await this.commands.execute(new BeginUpload({ brandId, caller, file: declared }));
    return { media: MediaDto.of(begun.file, this.addresses), upload: begun.upload };
  }

  @Post(':mediaId/parts')
  @HttpCode(200)
  @RequiresScopes('posts.write')
  @ApiOperation({
    operationId: 'signMediaParts',
    summary: 'Get addresses of parts',
    description:
      'Of an upload in parts. Also lists the parts that are stored, so that a client resumes an upload that was interrupted: parts can be sent in parallel, in any order, and again. Each call extends the upload, up to seven days from its begin.',
  })
  @ApiOkResponse({ type: SignedPartsDto, description: 'The addresses, and the parts that are stored.' })
  @problemResponses(MediaNotFound, UploadIsComplete, UploadHasExpired)
  signParts(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @Body() { parts }: SignPartsDto,
    @CurrentCaller() caller: Caller,
  ): Promise<SignedPartsDto> {
    return this.commands.execute(new SignParts({ mediaId, parts, caller }));
  }

  @Post(':mediaId/complete')
  @HttpCode(200)
  @RequiresScopes('posts.write')
  @ReturnsEtag()
  @ApiOperation({
    operationId: 'completeMediaUpload',
    summary: 'Complete an upload',
    description:
      'Confirms that the store has the declared file and hands it to inspection: read the file until it is `ready` or `rejected`. Repeatable. 409 `upload_not_finished` names missing parts; 409 `upload_does_not_match` removes a file of another length or checksum. A ready file whose bytes the store lost (`rejected`, `media_missing`) is ready again when they are back.',
  })
  @ApiOkResponse({ type: MediaDto, description: 'The file, usually in state `inspecting`.' })
  @problemResponses(MediaNotFound, UploadIsNotFinished, UploadDoesNotMatch)
  async completeUpload(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MediaDto> {
    const file = await this.commands.execute(new CompleteUpload({ mediaId, caller }));
    return MediaDto.of(file, this.addresses);
  }

  @Post(':mediaId/abort')
  @HttpCode(204)
  @RequiresScopes('posts.write')
  @ApiOperation({
    operationId: 'abortMediaUpload',
    summary: 'Abort an upload',
    description: 'Removes the file and what was uploaded of it. 409 when the upload is complete.',
  })
  @ApiNoContentResponse({ description: 'Removed.' })
  @problemResponses(MediaNotFound, UploadIsComplete)
  async abortUpload(
    @Param('mediaId', ParseIdPipe) mediaId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.commands.execute(new AbortUpload({ mediaId, caller }));
  }
}
