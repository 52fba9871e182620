import { ApiProperty } from '@nestjs/swagger';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type EndpointMethod = (typeof METHODS)[number];

export class EndpointDto {
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

export class ApiMetadataDto {
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
