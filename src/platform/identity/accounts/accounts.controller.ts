import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import { HttpConfig, LimitsOfHandler, problemResponses, RateLimit, Unlimited } from '#libs/http';
import { type Actor, CurrentActor, setDeviceCookie } from '../access/actor.js';
import { Sessions } from './sessions/sessions.js';
import {
  LoginDto,
  RefreshDto,
  RegisterDto,
  RegisteredDto,
  RevokeDto,
  SignedInDto,
  TokensDto,
} from './accounts.dto.js';
import type { LoginCounters } from './limits/login-limits.js';
import {
  TokenTypeIsNotSupported,
  RefreshTokenIsNotValid,
  SignInIsNotValid,
  EmailIsTaken,
} from '../identity.errors.js';
import { API_KEY_PREFIX } from '#libs/platform-client';
import { ACCESS_TOKEN, SERVICE_TOKEN } from '../credentials/secrets.js';
import { Registration } from './registration.js';
import { SignIn } from './sign-in.js';
import { userPayload } from './user-accounts.js';

/** Each registration hashes a password and stores an account. Enough for a household or an office. */
const REGISTRATIONS = { name: 'register', limit: 300, windowSeconds: 3600, by: 'address' } as const;

/**
 * Counts successful attempts too, because each hashes a password. A campus behind one address stays below the limit. Counts
 * only attempts from places unknown to the account, so that others at an address cannot block a known place.
 */
const SIGN_INS = { name: 'login', limit: 600, windowSeconds: 60 } as const;

/** Per account and known device or network. */
const KNOWN_SIGN_INS = { name: 'login-known', limit: 120, windowSeconds: 60 } as const;

const isOfAutomation = (token: string) => token.startsWith(SERVICE_TOKEN) || token.startsWith(API_KEY_PREFIX);

/** Routes without authentication. */
@ApiTags('Accounts')
@Public()
@Controller()
export class AccountsController {
  constructor(
    private readonly registration: Registration,
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly limits: LimitsOfHandler,
    private readonly http: HttpConfig,
  ) {}

  @ApiOperation({
    security: [],
    summary: 'Create an account',
    description:
      'Also signs in. With createOrganization the new account becomes the owner of a new organization. developerWorkspace marks it as a developer workspace.',
  })
  @ApiCreatedResponse({ type: RegisteredDto, description: 'The account, signed in.' })
  @problemResponses(EmailIsTaken)
  @RateLimit(REGISTRATIONS)
  @Post('register')
  async registerUser(@Body() body: RegisterDto, @CurrentActor() visitor: Actor): Promise<RegisteredDto> {
    const { user, tokens, organization } = await this.registration.register(body, visitor);
    return {
      ...TokensDto.of(tokens),
      user: userPayload(user),
      organization,
    };
  }

  @ApiOperation({
    security: [],
    summary: 'Sign in with email address and password',
    description:
      'A wrong password, an unknown address and a disabled account give the same response after the same work. Failures delay further attempts for the account, for the address, and longest for the pair of both. No account is locked permanently. Failures from elsewhere do not delay a device (cookie `identity_device`) or a network with an earlier sign-in to the account. Above 200 sessions of an account, the least recently used one ends.',
  })
  @ApiOkResponse({ type: SignedInDto, description: 'Signed in.' })
  @problemResponses(SignInIsNotValid)
  @HttpCode(200)
  @Unlimited()
  @Post('api/auth/login')
  async startSession(
    @Body() body: LoginDto,
    @CurrentActor() visitor: Actor,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInDto> {
    const checkRateLimit = ({ isKnown, rateLimitKey }: LoginCounters) =>
      this.limits.take(isKnown ? KNOWN_SIGN_INS : SIGN_INS, rateLimitKey, response);
    const { user, tokens, device } = await this.signIn.signIn(
      body.email,
      body.password,
      visitor,
      checkRateLimit,
    );
    setDeviceCookie(response, device, this.http.isProduction);
    return { ...TokensDto.of(tokens), user: userPayload(user) };
  }

  @ApiOperation({
    security: [],
    summary: 'Exchange a refresh token for new tokens',
    description:
      'A refresh token works once. Reuse ends the session and revokes all its tokens. Exception: the same client (address, for IPv6 its /64, and user agent) that repeats a refresh within 30 seconds and has not used the new refresh token gets the same response again.',
  })
  @ApiOkResponse({ type: TokensDto, description: 'The new tokens.' })
  @problemResponses(RefreshTokenIsNotValid)
  @HttpCode(200)
  @Post('api/auth/refresh')
  async refreshSession(@Body() body: RefreshDto, @CurrentActor() visitor: Actor): Promise<TokensDto> {
    return TokensDto.of(await this.sessions.refresh(body.refreshToken, visitor));
  }

  @ApiOperation({
    security: [],
    summary: 'Sign out with a refresh token',
    description:
      'Token revocation as in RFC 7009, as a form or as JSON. A refresh token, also a used one, or an access token ends its session and revokes all its tokens at once. 200 also for an unknown or revoked token. 400 `unsupported_token_type` for credentials of automations: rotate or disable those.',
  })
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiOkResponse({ description: 'The token is not valid any more.' })
  @problemResponses(TokenTypeIsNotSupported)
  @HttpCode(200)
  @Post('api/auth/revoke')
  async revokeToken(@Body() { token }: RevokeDto, @CurrentActor() visitor: Actor): Promise<void> {
    if (isOfAutomation(token)) throw new TokenTypeIsNotSupported();
    if (token.startsWith(ACCESS_TOKEN)) await this.sessions.end(token, visitor);
    else await this.sessions.endByRefreshToken(token, visitor);
  }
}
