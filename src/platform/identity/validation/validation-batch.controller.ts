import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import { problemOf, problemResponses, SERVICE_TOKEN_AUTH, Unlimited } from '#libs/http';
import { MAX_VALIDATIONS } from '#libs/platform-client';
import {
  type CredentialsDto,
  ValidationBatchDto,
  type ValidationResultDto,
  ValidationResultsDto,
} from './dto/validation-batch.dto.js';
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
