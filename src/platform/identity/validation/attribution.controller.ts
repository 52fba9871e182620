import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import { problemResponses, SERVICE_TOKEN_AUTH, Unlimited } from '#libs/http';
import { Registry } from '../registry/registry.js';
import { AttributionCheck } from './attribution-check.js';
import { AttributionDto, RegistrationDto } from './dto/registration.dto.js';
import { ServicesOnly } from './service-credential.guard.js';

/** For services: a worker has no bearer token, and identifies itself to other services with its registered identifier. */
@ApiTags('Registry')
@ApiSecurity(SERVICE_TOKEN_AUTH)
@problemResponses(404)
@Public()
@ServicesOnly()
@Unlimited()
@Controller('api/registrations')
export class RegistrationsController {
  constructor(private readonly registry: Registry) {}

  @ApiOperation({
    summary: 'Find the identifier of a service',
    description:
      'For services, with `X-Service-Token`. Services send this identifier to each other, such as `X-Application-Id` to the provider gateway.',
  })
  @ApiOkResponse({ type: RegistrationDto, description: 'The service.' })
  @Get(':slug')
  async getRegistration(@Param('slug') slug: string): Promise<RegistrationDto> {
    const { id } = await this.registry.get(slug);
    return { id, slug };
  }
}

const id = (name: string, description: string) =>
  ApiQuery({ name, required: false, description, schema: { type: 'string', format: 'uuid' } });

/** For services that other services call on behalf of a person whose bearer token they do not forward. */
@ApiTags('Validation')
@ApiSecurity(SERVICE_TOKEN_AUTH)
@Public()
@ServicesOnly()
@Unlimited()
@Controller('api/attribution')
export class AttributionController {
  constructor(private readonly attributions: AttributionCheck) {}

  @ApiOperation({
    summary: 'Verify on whose behalf a service calls',
    description:
      'For services, with `X-Service-Token`. Each identifier that is missing, malformed or unknown gives null or false.',
  })
  @id('applicationId', 'Registered identifier of the calling application.')
  @id('organizationId', 'The organization that the call is made for.')
  @id('userId', 'The person that the application acts for.')
  @ApiOkResponse({ type: AttributionDto, description: 'What exists.' })
  @Get()
  verifyAttribution(
    @Query('applicationId') applicationId: unknown,
    @Query('organizationId') organizationId: unknown,
    @Query('userId') userId: unknown,
  ): Promise<AttributionDto> {
    return this.attributions.verify({
      applicationId: textOf(applicationId),
      organizationId: textOf(organizationId),
      userId: textOf(userId),
    });
  }
}

/** undefined for parameters that were sent several times. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
