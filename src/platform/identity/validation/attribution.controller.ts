import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import { SERVICE_TOKEN_AUTH, Unlimited } from '#libs/http';
import { AttributionCheck } from './attribution-check.js';
import { AttributionDto } from './dto/attribution.dto.js';
import { ServicesOnly } from './service-credential.guard.js';

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
