import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, type Caller, CurrentCaller } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, ParseIdPipe, problemResponses, RateLimit, ReturnsEtag } from '#libs/http';
import { actorOfCaller } from '../../audit/gateway-audit.js';
import { CredentialAccess } from '../credential-access.js';
import { CredentialDto, stateOf } from '../credential.dto.js';
import { CheckCredential } from './check-credential.js';
import { CredentialNotFound, SecretHasChanged } from '../credential.errors.js';

/** Each check calls a provider, which limits such calls too. */
const LIMIT = { name: 'credential-checks', limit: 20, windowSeconds: 60 } as const;

@ApiTags('Credentials')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@AcceptsApiKey()
@problemResponses(403)
@Controller('api/credentials')
export class CredentialChecksController {
  constructor(
    private readonly access: CredentialAccess,
    private readonly checks: CheckCredential,
  ) {}

  @ApiOperation({
    summary: 'Check a credential',
    description:
      'Makes the cheapest call of the provider with the credential and stores the result in `checkResult`: AI providers list their models (OpenRouter: its key; a restricted key of OpenAI that may not list them works), `resend` its domains, `stripe` one product, `smtp` signs in without a message; `youtube` has no such call. `works` lets one call try a credential that is held back, and its success lets all: a list of models says nothing about money. `refused` marks the credential as failing, `out_of_money` holds calls back until a check works. 409 when the secret was replaced during the check.',
  })
  @ApiOkResponse({ type: CredentialDto, description: 'The credential as it is now.' })
  @ApiParam({ name: 'credentialId', format: 'uuid', schema: { type: 'string' } })
  @problemResponses(CredentialNotFound, SecretHasChanged)
  @RateLimit(LIMIT)
  @HttpCode(200)
  @ReturnsEtag(stateOf)
  @Post(':credentialId/check')
  async checkCredential(
    @CurrentCaller() caller: Caller,
    @Param('credentialId', ParseIdPipe) id: string,
  ): Promise<CredentialDto> {
    const row = await this.access.find(caller, id, 'check');
    return this.checks.check(row, actorOfCaller(caller));
  }
}
