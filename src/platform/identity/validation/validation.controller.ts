import { Body, Controller, Get, Headers, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiQuery, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import {
  API_KEY_AUTH,
  BEARER_AUTH,
  problemOf,
  problemResponses,
  SERVICE_TOKEN_AUTH,
  Unlimited,
} from '#libs/http';
import { MAX_VALIDATIONS } from '#libs/platform-client';
import {
  type CredentialsDto,
  ValidationBatchDto,
  ValidationDto,
  type ValidationResultDto,
  ValidationResultsDto,
} from './dto/validation.dto.js';
import { ServicesOnly } from './service-credential.guard.js';
import { ValidationAnswers } from './validation-answers.js';

/** One exchange for the requests that a busy service receives at the same time. */
@ApiTags('Validation')
@ApiSecurity(SERVICE_TOKEN_AUTH)
@problemResponses(400)
@Public()
@ServicesOnly()
@Unlimited()
@Controller('validate/batch')
export class ValidationBatchController {
  constructor(private readonly answers: ValidationAnswers) {}

  @ApiOperation({
    operationId: 'validateCredentialsBatch',
    summary: 'Validate the credentials of several callers',
    description: `For services, with \`X-Service-Token\`: up to ${MAX_VALIDATIONS} credentials, each answered as \`GET /validate\` answers it alone. Refused credentials, and ones without a result, change no other result. Do not cache the response.`,
  })
  @ApiOkResponse({ type: ValidationResultsDto, description: 'A result for each, also if all are refused.' })
  @HttpCode(200)
  @Post()
  async validateCredentialsBatch(@Body() { validations }: ValidationBatchDto): Promise<ValidationResultsDto> {
    return { results: await Promise.all(validations.map((credentials) => this.answerTo(credentials))) };
  }

  private async answerTo(credentials: CredentialsDto): Promise<ValidationResultDto> {
    try {
      return { status: 200, validation: await this.answers.answer(credentials) };
    } catch (error) {
      return { status: problemOf(error).status, validation: null };
    }
  }
}

const DESCRIPTION =
  'Services call this before every request they serve. Takes `Authorization`, `X-Api-Key` or both. Both must be valid and belong to the same organization; the caller then has the permissions that both have. Do not cache the response: the next call refuses an ended session, a revoked key or a disabled principal. 401: the credentials are refused; the response does not disclose the reason. 403: the calling service sent no valid `X-Service-Token`, and identity looked up nothing. 503: no result.';

/**
 * Public for the guard, because the credentials are the subject of the request and the service authenticates itself. Unlimited,
 * because services limit their own callers.
 */
@ApiTags('Validation')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@ApiQuery({
  name: 'service',
  required: false,
  type: String,
  description: 'Slug of the service of the scopes. Without it, the response contains no scopes.',
  example: 'social-publishing',
})
@problemResponses(404)
@Public()
@ServicesOnly()
@Unlimited()
@Controller('validate')
export class ValidationController {
  constructor(private readonly answers: ValidationAnswers) {}

  @ApiOperation({ summary: 'Validate a bearer token or an API key', description: DESCRIPTION })
  @ApiOkResponse({ type: ValidationDto, description: 'The credentials are valid for this request.' })
  @Get()
  validateCredentials(
    @Headers('authorization') authorization: string | undefined,
    @Headers('x-api-key') apiKey: string | undefined,
    @Query('service') service: unknown,
  ): Promise<ValidationDto> {
    const slug = typeof service === 'string' ? service : undefined;
    return this.answers.answer({ authorization, apiKey, service: slug });
  }

  @ApiOperation({ summary: 'Validate, for clients that can only post', description: DESCRIPTION })
  @ApiOkResponse({ type: ValidationDto, description: 'The credentials are valid for this request.' })
  @HttpCode(200)
  @Post()
  validateCredentialsByPost(
    @Headers('authorization') authorization: string | undefined,
    @Headers('x-api-key') apiKey: string | undefined,
    @Query('service') service: unknown,
  ): Promise<ValidationDto> {
    return this.validateCredentials(authorization, apiKey, service);
  }
}
