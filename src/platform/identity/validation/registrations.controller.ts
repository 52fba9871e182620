import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import { problemResponses, SERVICE_TOKEN_AUTH, Unlimited } from '#libs/http';
import { ServicesOnly } from './service-credential.guard.js';
import { RegistrationDto } from './dto/registration.dto.js';
import { Registry } from '../registry/registry.js';

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
