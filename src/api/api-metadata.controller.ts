import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiDocument, problemResponses, Public } from '#libs/http';
import { ApiMetadataDto, type EndpointDto, type EndpointMethod } from './api-metadata.dto.js';

/** Lists the endpoints for callers without the document. Contains no data of organizations. */
@ApiTags('Health')
@Public()
@Controller('api')
export class ApiMetadataController {
  constructor(private readonly document: ApiDocument) {}

  @Get()
  @ApiOperation({
    operationId: 'getApiMetadata',
    summary: 'API metadata',
    description: 'Name, version and every endpoint. Requires no authentication.',
    security: [],
  })
  @ApiOkResponse({ description: 'The metadata of this API.', type: ApiMetadataDto })
  @problemResponses(500)
  getApiMetadata(): ApiMetadataDto {
    const { info, paths } = this.document.get() ?? { info: { title: '', version: '' }, paths: {} };
    const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Described>).map(([method, described]) =>
        endpointOf(path, method, described),
      ),
    );
    return {
      name: info.title,
      version: info.version,
      openapi: '/openapi.json',
      documentation: '/docs',
      health: '/health',
      endpoints,
    };
  }
}

/** An operation of the document. The linter of the document ensures all three members. */
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
}

function endpointOf(path: string, method: string, { operationId, summary, tags }: Described): EndpointDto {
  return {
    method: method.toUpperCase() as EndpointMethod,
    path,
    operationId,
    summary,
    group: tags[0] ?? '',
  };
}
