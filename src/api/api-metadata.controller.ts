import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ApiDocument, problemResponses, Public } from '#libs/http';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type EndpointMethod = (typeof METHODS)[number];

class EndpointDto {
  @ApiProperty({ enum: METHODS, example: 'GET' })
  method!: EndpointMethod;

  @ApiProperty({ description: 'Parameters in braces.', example: '/api/contacts/{id}' })
  path!: string;

  @ApiProperty({ description: 'Name of the operation in the document.', example: 'getContact' })
  operationId!: string;

  @ApiProperty({ example: 'Get a contact' })
  summary!: string;

  @ApiProperty({ description: 'The tag of the operation in the document.', example: 'Contacts' })
  group!: string;
}

class ApiMetadataDto {
  @ApiProperty({ example: 'Business API' })
  name!: string;

  @ApiProperty({ description: 'Version of the interface.', example: '1.0.0' })
  version!: string;

  @ApiProperty({ description: 'The OpenAPI document.', example: '/openapi.json' })
  openapi!: string;

  @ApiProperty({ description: 'The documentation as a web page.', example: '/docs' })
  documentation!: string;

  @ApiProperty({ example: '/health' })
  health!: string;

  @ApiProperty({ description: 'Every operation, by path.', type: [EndpointDto] })
  endpoints!: EndpointDto[];
}

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
