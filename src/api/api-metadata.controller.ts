import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiDocument, is, problemResponses, Public, shape } from '#libs/http';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type EndpointMethod = (typeof METHODS)[number];

class EndpointDto extends shape({
  method: is.text<EndpointMethod>({ enum: METHODS, example: 'GET' }),
  path: is.text({ description: 'Parameters in braces.', example: '/api/contacts/{id}' }),
  operationId: is.text({ description: 'Name of the operation in the document.', example: 'getContact' }),
  summary: is.text({ example: 'Get a contact' }),
  group: is.text({ description: 'The tag of the operation in the document.', example: 'Contacts' }),
}) {}

class ApiMetadataDto extends shape({
  name: is.text({ example: 'Business API' }),
  version: is.text({ description: 'Version of the interface.', example: '1.0.0' }),
  openapi: is.text({ description: 'The OpenAPI document.', example: '/openapi.json' }),
  documentation: is.text({ description: 'The documentation as a web page.', example: '/docs' }),
  health: is.text({ example: '/health' }),
  endpoints: is.of<EndpointDto[]>({ description: 'Every operation, by path.', type: [EndpointDto] }),
}) {}

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
