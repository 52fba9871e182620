import { Readable } from 'node:stream';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBearerAuth,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Caller } from '#libs/auth';
import {
  BelongsToService,
  CurrentCaller,
  organizationFor,
  organizationsFor,
  RequiresScopes,
} from '#libs/auth';
import type { ResponseSaver } from '#libs/http';
import { ReceivedUpload } from '#libs/uploads';
import {
  BEARER_AUTH,
  CONTENT_DISPOSITION,
  IdempotentLongWork,
  SaveResponse,
  ParseIdPipe,
  problemResponses,
} from '#libs/http';
import { ExportContactsQuery, RawQuery } from './dto/export-contacts.dto.js';
import { ImportContactsDto, ImportOptionsDto } from './dto/import-contacts.dto.js';
import { ImportReportDto } from './dto/import-report.dto.js';
import { ExportContacts } from '../export/export-contacts.js';
import { RecordExport } from '../export/record-export.js';
import { GetFailedRows, GetImport } from '../import/failed-rows.js';
import { IMPORT_SUBJECT } from '../import/forget-in-imports.js';
import { ImportContacts } from '../import/import-contacts.js';
import type { ImportUpload } from '../import/import-request.js';
import { ReceiveImport } from './receive-import.interceptor.js';

const CSV = {
  description: 'CSV: UTF-8 with a mark, CRLF.',
  schema: { type: 'string' as const },
  headers: { 'Content-Disposition': CONTENT_DISPOSITION },
};

@ApiTags('Import and export')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@Controller('api/contacts')
export class CsvController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('import')
  @HttpCode(200)
  @RequiresScopes('contacts.write')
  @IdempotentLongWork({ subject: IMPORT_SUBJECT })
  @UseInterceptors(ReceiveImport)
  @ApiConsumes('multipart/form-data')
  @ApiOperation({
    operationId: 'importContacts',
    summary: 'Import contacts from a CSV file',
    description:
      'Takes what Google, Outlook, Apple, LinkedIn, HubSpot, Thunderbird and this service export, or any CSV file with a mapping. All rows come in at one instant; the answer reports on every one of them and its totals add up. One import at a time per organization: another one waits a few seconds and is then told to come back (503 `import_running`). When the database fails meanwhile, nothing comes in (503 `import_interrupted`): send the file again. A caller has a few uploads at a time (429); one that is too slow is ended (408). An Idempotency-Key with the same file, mapping and options answers the first report.',
  })
  @ApiOkResponse({ type: ImportReportDto, description: 'What became of every row.' })
  @problemResponses(400, 401, 403, 404, 500, 503)
  async importContacts(
    @Body() { mapping, options = new ImportOptionsDto() }: ImportContactsDto,
    @ReceivedUpload() upload: ImportUpload,
    @SaveResponse() keepAnswer: ResponseSaver,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportReportDto> {
    const { encoding, delimiter, hasHeader, headerLine, organizationId: asked, ...rules } = options;
    const organizationId = organizationFor(caller, 'contacts.write', asked);
    const report = await this.commands.execute(
      new ImportContacts({
        caller,
        upload,
        mapping,
        rules: { ...rules, organizationId },
        hints: { encoding, delimiter, hasHeader, headerLine },
        keep: (executor, done) => keepAnswer(executor, ImportReportDto.of(done)),
      }),
    );
    return ImportReportDto.of(report);
  }

  @Get('imports/:importId')
  @RequiresScopes('contacts.read')
  @ApiOperation({
    operationId: 'getContactImport',
    summary: 'Get the report of an import',
    description: 'As it was answered. After 14 days its messages about rows are erased; the numbers stay.',
  })
  @ApiOkResponse({ type: ImportReportDto, description: 'The report.' })
  @problemResponses(401, 403, 404, 500, 503)
  async getContactImport(
    @Param('importId', ParseIdPipe) importId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportReportDto> {
    return ImportReportDto.of(await this.queries.execute(new GetImport(importId, caller)));
  }

  @Get('imports/:importId/failed-rows')
  @RequiresScopes('contacts.read')
  @ApiProduces('text/csv')
  @ApiOperation({
    operationId: 'getFailedRows',
    summary: 'Download the rows that did not come in',
    description:
      'The columns of the file, and `import_error` in front. Mend the rows and import this file, with the same mapping and options as the first: `import_error` as the first header is no column of the file, neither counted by `#1` nor reported, and its line is the header. A row that could not be parsed is cut at its delimiters, and what is damaged stays as it is written, quotes included; of a row that is too large there are the first 1 000 characters. What a spreadsheet would take for a formula has one apostrophe in front, unless the import was `raw`: then cells are as they were; with `raw=true` nothing has one, and the file is to be imported `raw`. Kept for 14 days, then 404.',
  })
  @ApiOkResponse(CSV)
  @problemResponses(401, 403, 404, 500, 503)
  async getFailedRows(
    @Param('importId', ParseIdPipe) importId: string,
    @Query() { raw }: RawQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    const text = await this.queries.execute(new GetFailedRows(importId, caller, raw));
    return csvFile(text, `failed-rows-${importId}.csv`);
  }

  @Get('export')
  @RequiresScopes('contacts.read')
  @ApiProduces('text/csv')
  @ApiOperation({
    operationId: 'exportContacts',
    summary: 'Export contacts as CSV',
    description:
      'With the filters of the list, oldest first, streamed. Importing the file again changes nothing, and nothing of a contact gets lost. Cells that a spreadsheet would take for a formula get an apostrophe in front, which the import takes off; `raw=true` leaves them as they are. The audit of each organization says who exported its contacts and when.',
  })
  @ApiOkResponse(CSV)
  @problemResponses(401, 403, 500, 503)
  async exportContacts(
    @Query() { q: text, organizationId, deleted, raw }: ExportContactsQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    const organizationIds = organizationsFor(caller, 'contacts.read', organizationId);
    const what = { organizationIds, deleted, text, raw };
    await this.commands.execute(new RecordExport(what, caller));
    const file = await this.queries.execute(new ExportContacts(what));
    return csvFile(file.text, `contacts-${file.day}.csv`);
  }
}

function csvFile(text: AsyncIterable<string>, name: string): StreamableFile {
  const options = {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}"`,
  };
  return new StreamableFile(Readable.from(text, { objectMode: false }), options);
}
