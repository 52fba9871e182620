import { Controller, Delete, Get, Logger, Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BelongsToService, type Caller, CurrentCaller, RequiresScopes } from '#libs/auth';
import {
  BEARER_AUTH,
  CONTENT_DISPOSITION,
  Idempotent,
  matchesEtag,
  type Page,
  ParseIdPipe,
  problemResponses,
  ReturnsPage,
  sendStream,
} from '#libs/http';
import { contentDisposition, ObjectStorage } from '#libs/object-storage';
import { ReceivedUpload } from '#libs/uploads';
import { AttachmentNotFound, ContactNotFound } from '../domain/contact.errors.js';
import { ListAttachments, MAX_ATTACHMENTS, OpenAttachment } from './read-attachments.js';
import { AddAttachment, DeleteAttachment, type StoredFile } from './change-attachments.js';
import { AttachmentDto, DeletedAttachmentDto } from './attachment.dto.js';
import { ReceiveAttachment } from './receive-attachment.interceptor.js';

const FORM = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary', description: 'The file, with its name.' } },
  },
};
const ETAG = {
  ETag: { description: 'The SHA-256 of the file.', schema: { type: 'string' as const } },
};
const FILE = { schema: { type: 'string', format: 'binary' } };

@ApiTags('Attachments')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@problemResponses(500)
@Controller('api')
export class AttachmentsController {
  private readonly logger = new Logger(AttachmentsController.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly storage: ObjectStorage,
  ) {}

  @Get('contacts/:id/attachments')
  @RequiresScopes('contacts.read')
  @ApiOperation({
    summary: 'List the attachments of a contact',
    description: `All attachments on one page, newest first: a contact has at most ${MAX_ATTACHMENTS}.`,
  })
  @ReturnsPage(AttachmentDto, 'All attachments.')
  @problemResponses(ContactNotFound)
  async listAttachments(
    @Param('id', ParseIdPipe) contactId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<AttachmentDto>> {
    const data = await this.queries.execute(new ListAttachments({ contactId, caller }));
    const pagination = { limit: MAX_ATTACHMENTS, hasMore: false, nextCursor: null, total: data.length };
    return { data, pagination };
  }

  @Post('contacts/:id/attachments')
  @RequiresScopes('contacts.write')
  @Idempotent()
  @UseInterceptors(ReceiveAttachment) // the lowest is the outermost
  @ApiOperation({
    summary: 'Attach a file to a contact',
    description:
      'One file, at most 10 MB unless configured otherwise; 413 as soon as it is known to be larger, or when it exceeds the storage quota of the organization (`storage_quota_exceeded`). Concurrent uploads of a caller are limited (429); a slow upload is aborted (408). The type is determined from the bytes. With an Idempotency-Key the same file under the same name is attached once.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody(FORM)
  @ApiCreatedResponse({ type: AttachmentDto, description: 'The new attachment.' })
  @problemResponses(ContactNotFound)
  async addAttachment(
    @Param('id', ParseIdPipe) contactId: string,
    @ReceivedUpload() file: StoredFile,
    @CurrentCaller() caller: Caller,
  ): Promise<AttachmentDto> {
    return this.commands.execute(new AddAttachment({ contactId, file, caller }));
  }

  @Get('attachments/:id')
  @RequiresScopes('contacts.read')
  @ApiOperation({
    summary: 'Download an attachment',
    description: 'The bytes as they were uploaded, as a download that browsers do not display.',
  })
  @ApiOkResponse({
    description: 'The file, with the type determined from its bytes.',
    content: { '*/*': FILE },
    headers: {
      ...ETAG,
      'Content-Disposition': CONTENT_DISPOSITION,
      'Content-Length': { description: 'Bytes.', schema: { type: 'integer', minimum: 0 } },
    },
  })
  @ApiResponse({ status: 304, description: 'If-None-Match names the file.', headers: ETAG })
  @problemResponses(AttachmentNotFound)
  async downloadAttachment(
    @Param('id', ParseIdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const attachment = await this.queries.execute(new OpenAttachment({ attachmentId: id, caller }));
    const etag = `"${attachment.sha256}"`;
    if (matchesEtag(etag, request.headers['if-none-match'])) {
      response.status(304).set('ETag', etag).end();
    } else if (request.method === 'HEAD') {
      response.setHeaders(headersOf(attachment, etag)).end();
    } else {
      await this.send(attachment, headersOf(attachment, etag), response);
    }
  }

  @Delete('attachments/:id')
  @RequiresScopes('contacts.write')
  @ApiOperation({
    summary: 'Delete an attachment',
    description: 'Deletes the attachment and its file permanently.',
  })
  @ApiOkResponse({ type: DeletedAttachmentDto, description: 'Deleted.' })
  @problemResponses(AttachmentNotFound)
  async deleteAttachment(
    @Param('id', ParseIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DeletedAttachmentDto> {
    await this.commands.execute(new DeleteAttachment({ attachmentId: id, caller }));
    return { id, deleted: true };
  }

  private async send(
    { id, key }: AttachmentDto & { readonly key: string },
    headers: Map<string, string>,
    response: Response,
  ): Promise<void> {
    const object = await this.storage.get(key);
    if (!object) {
      this.logger.error({ attachmentId: id }, 'object of an attachment is missing');
      throw new AttachmentNotFound();
    }
    response.setHeaders(headers);
    await sendStream(object.body, response);
  }
}

/** Files are uploaded by users: nothing may run, be sniffed or be shown under the origin of the API. */
function headersOf(attachment: AttachmentDto, etag: string): Map<string, string> {
  return new Map([
    ['Content-Type', attachment.contentType],
    ['Content-Length', String(attachment.size)],
    ['Content-Disposition', contentDisposition(attachment.fileName)],
    ['Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'"],
    ['X-Content-Type-Options', 'nosniff'],
    ['ETag', etag],
  ]);
}
