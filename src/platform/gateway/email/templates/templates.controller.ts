import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { Idempotent, ListQuery, type Page, Pages, RequestIsNotValid, ReturnsPage } from '#libs/http';
import { finding } from '../shared/addresses.js';
import { CurrentEmailCaller, type EmailCaller, EmailCallers } from '../shared/email-callers.js';
import { TemplateNotFound } from '../email.errors.js';
import { PreviewTemplateDto, RenderedTemplateDto, SaveTemplateDto, TemplateDto } from './template.dto.js';
import { render } from './render.js';
import { TemplatesStore } from './templates.store.js';

const NAME = { name: 'name', description: 'Of the template.' };
const VERSION = {
  name: 'version',
  required: false,
  schema: { type: 'integer', minimum: 1 },
  description: 'Default: the newest.',
} as const;

@ApiTags('Email')
@EmailCallers()
@Controller('api/email/templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesStore,
    private readonly pages: Pages,
  ) {}

  @ApiOperation({
    summary: 'List templates',
    description:
      'The newest version of each, of the organization and of the platform. A page of long texts has fewer than `limit`.',
  })
  @ReturnsPage(TemplateDto)
  @Get()
  listEmailTemplates(
    @CurrentEmailCaller() { organizationId }: EmailCaller,
    @Query() query: ListQuery,
  ): Promise<Page<TemplateDto>> {
    return this.pages.byId({ list: `email-templates:${organizationId}` }, query, (after, count) =>
      this.templates.list(organizationId, after, count),
    );
  }

  @ApiOperation({
    summary: 'Save a template',
    description:
      'Adds a version: messages that name no version use it from now on. Placeholders are `{{name}}` of declared variables; values are escaped in HTML. A template of the organization replaces the one of the platform with its name.',
  })
  @ApiCreatedResponse({ type: TemplateDto, description: 'The new version.' })
  @Idempotent()
  @Post()
  saveEmailTemplate(
    @CurrentEmailCaller() { organizationId, actor }: EmailCaller,
    @Body() body: SaveTemplateDto,
  ): Promise<TemplateDto> {
    return this.templates.save(organizationId, actor, body);
  }

  @ApiOperation({ summary: 'Get a template', description: 'One version of it.' })
  @ApiOkResponse({ type: TemplateDto, description: 'The template.' })
  @ApiParam(NAME)
  @ApiQuery(VERSION)
  @Get(':name')
  getEmailTemplate(
    @CurrentEmailCaller() caller: EmailCaller,
    @Param('name') name: string,
    @Query('version') version: unknown,
  ): Promise<TemplateDto> {
    return this.find(caller, name, version);
  }

  @ApiOperation({
    summary: 'Preview a template',
    description: 'What a message with these values would contain. Sends nothing.',
  })
  @ApiOkResponse({ type: RenderedTemplateDto, description: 'Subject, text and HTML.' })
  @ApiParam(NAME)
  @ApiQuery(VERSION)
  @HttpCode(200)
  @Post(':name/preview')
  async previewEmailTemplate(
    @CurrentEmailCaller() caller: EmailCaller,
    @Param('name') name: string,
    @Query('version') version: unknown,
    @Body() { variables }: PreviewTemplateDto,
  ): Promise<RenderedTemplateDto> {
    const template = await this.find(caller, name, version);
    const [wrong] = Object.entries(variables).filter(([, value]) => typeof value !== 'string');
    if (wrong)
      throw new RequestIsNotValid([finding(`variables/${wrong[0]}`, 'not_a_text', 'must be a text')]);
    const rendered = render(template, variables);
    if ('findings' in rendered) throw new RequestIsNotValid(rendered.findings);
    return rendered;
  }

  private find({ organizationId }: EmailCaller, name: string, version: unknown): Promise<TemplateDto> {
    if (version !== undefined && (typeof version !== 'string' || !/^[1-9]\d{0,5}$/.test(version)))
      throw new TemplateNotFound();
    return this.templates.find(organizationId, name, version === undefined ? undefined : Number(version));
  }
}
