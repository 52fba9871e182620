import { Controller, Get, Headers, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CredentialsAreNotValid, Public } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, problemResponses, Unlimited } from '#libs/http';
import { ServiceNotFound } from '../identity.errors.js';
import { ValidationDto } from './dto/validation.dto.js';
import { ServicesOnly } from './service-credential.guard.js';
import { Validation } from './validation.js';
import { ValidationMetrics } from './validation.metrics.js';

const DESCRIPTION =
  'Asked by services before every request they serve. Takes `Authorization`, `X-Api-Key` or both; both must be valid and agree on the organization, and what they may do then is what both may. Nothing about the answer may be kept: a session that ended, a revoked key or a disabled principal is refused by the next call. 401 is a definite no and never says which part was wrong. 403: the asking service has shown no valid `X-Service-Token`, and nothing was looked up. 503: no answer, neither yes nor no.';

/**
 * Public in the sense of the guard: the credentials are what is asked about, and the service shows its own. Unlimited, because the address that asks is
 * a service's, and its callers are limited there.
 */
@ApiTags('Validation')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@ApiQuery({
  name: 'service',
  required: false,
  type: String,
  description: 'Slug of the service whose scopes are wanted; without it no scopes are listed.',
  example: 'social-publishing',
})
@problemResponses(401, 404)
@Public()
@ServicesOnly()
@Unlimited()
@Controller('validate')
export class ValidationController {
  constructor(
    private readonly validation: Validation,
    private readonly metrics: ValidationMetrics,
  ) {}

  @ApiOperation({ summary: 'Validate a bearer token or an API key', description: DESCRIPTION })
  @ApiOkResponse({ type: ValidationDto, description: 'A definite yes, for this request.' })
  @Get()
  async validate(
    @Headers('authorization') authorization: string | undefined,
    @Headers('x-api-key') apiKey: string | undefined,
    @Query('service') service: unknown,
  ): Promise<ValidationDto> {
    const slug = typeof service === 'string' && service !== '' ? service : undefined;
    const validated = await this.metrics.counting(
      this.validation.validate({ authorization, apiKey, service: slug }),
    );
    if (!validated) throw new CredentialsAreNotValid();
    if (slug && !validated.service) throw new ServiceNotFound();
    return { active: true, ...validated };
  }

  @ApiOperation({ summary: 'Validate, for clients that can only post', description: DESCRIPTION })
  @ApiOkResponse({ type: ValidationDto, description: 'A definite yes, for this request.' })
  @HttpCode(200)
  @Post()
  validateByPost(
    @Headers('authorization') authorization: string | undefined,
    @Headers('x-api-key') apiKey: string | undefined,
    @Query('service') service: unknown,
  ): Promise<ValidationDto> {
    return this.validate(authorization, apiKey, service);
  }
}
