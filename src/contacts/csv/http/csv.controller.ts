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
import {
  BelongsToService,
  type Caller,
  CurrentCaller,
  organizationFor,
  OrganizationNotFound,
  organizationsFor,
  RequiresScopes,
} from '#libs/auth';
import {
  BEARER_AUTH,
  CONTENT_DISPOSITION,
  IdempotentLongWork,
  ParseIdPipe,
  problemResponses,
  type ResponseSaver,
  SaveResponse,
} from '#libs/http';
import { ReceivedUpload } from '#libs/uploads';
import { ExportContactsQuery, RawQuery } from '../dto/export-contacts.dto.js';
import { ImportContactsDto, ImportOptionsDto } from '../dto/import-contacts.dto.js';
import { ImportReportDto } from '../dto/import-report.dto.js';
import { ExportContacts, RecordExport } from '../export/export-contacts.js';
import { GetFailedRows, GetImport } from '../import/failed-rows.js';
import { IMPORT_SUBJECT } from '../import/erase-from-imports.js';
import { ImportContacts } from '../import/import-contacts.js';
import type { ImportUpload } from '../import/import-request.js';
import { ReceiveImport } from './receive-import.interceptor.js';
import { ImportNotFound, FailedRowsAreErased } from '../domain/csv.errors.js';

const CSV = {
  description: 'CSV: UTF-8 with a byte order mark, CRLF.',
  schema: { type: 'string' as const },
  headers: { 'Content-Disposition': CONTENT_DISPOSITION },
};

@ApiTags('Import and export')
@ApiBearerAuth(BEARER_AUTH)
@BelongsToService('contact-management')
@problemResponses(500)
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
    summary: 'Import contacts from a CSV file',
    description:
      'Accepts exports of Google, Outlook, Apple, LinkedIn, HubSpot, Thunderbird and this service, or any CSV file with a mapping. All rows are imported in one transaction; the answer reports on every row and its totals add up. One import at a time per organization: another one waits a few seconds and is then refused (503 `import_running`). When the database fails, nothing is imported (503 `import_interrupted`): send the file again. Concurrent uploads of a caller are limited (429); a slow upload is aborted (408). An Idempotency-Key with the same file, mapping and options returns the first report.',
  })
  @ApiOkResponse({ type: ImportReportDto, description: 'The outcome of every row.' })
  @problemResponses(OrganizationNotFound)
  async importContacts(
    @Body() { mapping, options = new ImportOptionsDto() }: ImportContactsDto,
    @ReceivedUpload() upload: ImportUpload,
    @SaveResponse() keepAnswer: ResponseSaver,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportReportDto> {
    const { encoding, delimiter, hasHeader, headerLine, organizationId: asked, ...rules } = options;
    const organizationId = organizationFor(caller, 'contacts.write', asked);
    return this.commands.execute(
      new ImportContacts({
        caller,
        upload,
        mapping,
        rules: { ...rules, organizationId },
        hints: { encoding, delimiter, hasHeader, headerLine },
        storeAnswer: keepAnswer,
      }),
    );
  }

  @Get('imports/:importId')
  @RequiresScopes('contacts.read')
  @ApiOperation({
    summary: 'Get the report of an import',
    description:
      'The report of the import. After 14 days its messages about rows are erased; the totals remain.',
  })
  @ApiOkResponse({ type: ImportReportDto, description: 'The report.' })
  @problemResponses(ImportNotFound)
  async getContactImport(
    @Param('importId', ParseIdPipe) importId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<ImportReportDto> {
    return this.queries.execute(new GetImport({ importId, caller }));
  }

  @Get('imports/:importId/failed-rows')
  @RequiresScopes('contacts.read')
  @ApiProduces('text/csv')
  @ApiOperation({
    summary: 'Download the failed rows',
    description:
      'The columns of the file after a first column `import_error`. Correct the rows and import this file with the same mapping and options: a first column `import_error` is ignored, `#1` is the column after it, and its line is the header. A row that could not be parsed is split at its delimiters, and malformed cells are unchanged, quotes included; a row that is too large is cut after 1 000 characters. Cells that a spreadsheet would read as a formula start with an apostrophe, unless the import was `raw`: then cells are unchanged. With `raw=true` no apostrophe is added, and the file must be imported with `raw`. Kept for 14 days, then 404.',
  })
  @ApiOkResponse(CSV)
  @problemResponses(ImportNotFound, FailedRowsAreErased)
  async getFailedRows(
    @Param('importId', ParseIdPipe) importId: string,
    @Query() { raw }: RawQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    const text = await this.queries.execute(new GetFailedRows({ importId, caller, raw }));
    return csvFile(text, `failed-rows-${importId}.csv`);
  }

  @Get('export')
  @RequiresScopes('contacts.read')
  @ApiProduces('text/csv')
  @ApiOperation({
    summary: 'Export contacts as CSV',
    description:
      'With the filters of the list, oldest first, streamed. Importing the file again changes nothing; all fields of a contact are included. Cells that a spreadsheet would read as a formula start with an apostrophe, which the import removes; `raw=true` writes them unchanged. The audit of each organization records who exported its contacts and when.',
  })
  @ApiOkResponse(CSV)
  async exportContacts(
    @Query() { q: text, organizationId, deleted, raw }: ExportContactsQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    const organizationIds = organizationsFor(caller, 'contacts.read', organizationId);
    const what = { organizationIds, deleted, text, raw };
    await this.commands.execute(new RecordExport({ exported: what, caller }));
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
