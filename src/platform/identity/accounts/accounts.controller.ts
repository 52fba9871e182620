import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '#libs/auth';
import { HttpConfig, LimitsOfHandler, problemResponses, RateLimit, Unlimited } from '#libs/http';
import type { Actor } from '../audit/actor.js';
import { CurrentActor } from '../audit/actor.js';
import { OrganizationDto } from '../organizations/dto/organization.dto.js';
import { Sessions } from '../sessions/sessions.js';
import { LoginDto, RefreshDto } from './dto/login.dto.js';
import { RevokeDto } from './dto/revoke.dto.js';
import { setDeviceCookie } from '../login/device-cookie.js';
import type { LoginCounters } from '../login/login-limits.js';
import { TokenTypeIsNotSupported } from '../identity.errors.js';
import { API_KEY_PREFIX } from '../secrets/api-key-secret.js';
import { ACCESS_TOKEN, SERVICE_TOKEN } from '../secrets/secrets.js';
import { RegisterDto } from './dto/register.dto.js';
import { RegisteredDto, SignedInDto } from './dto/registered.dto.js';
import { TokensDto } from './dto/tokens.dto.js';
import { Registration } from './registration.js';
import { SignIn } from './sign-in.js';
import { userPayload } from './user-accounts.js';

/** Each registration hashes a password and stores an account; a household or an office does not need more. */
const REGISTRATIONS = { name: 'register', limit: 300, windowSeconds: 3600, by: 'address' } as const;

/**
 * Right ones too: each costs what a registration does. A campus behind one address, all of it at the same hour, needs less.
 * Counts attempts from devices and networks that the account does not know: strangers at an address keep nobody out who is
 * known there.
 */
const SIGN_INS = { name: 'login', limit: 600, windowSeconds: 60 } as const;

/** Of one account on one device, or in one network, that the account knows. */
const KNOWN_SIGN_INS = { name: 'login-known', limit: 120, windowSeconds: 60 } as const;

const isOfAutomation = (token: string) => token.startsWith(SERVICE_TOKEN) || token.startsWith(API_KEY_PREFIX);

/** The routes that make a caller out of nobody. */
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
      'Signs in at once. With createOrganization the new account becomes owner of a new organization, which developerWorkspace makes a developer workspace.',
  })
  @ApiCreatedResponse({ type: RegisteredDto, description: 'The account, signed in.' })
  @problemResponses(400, 409)
  @RateLimit(REGISTRATIONS)
  @Post('register')
  async register(@Body() body: RegisterDto, @CurrentActor() visitor: Actor): Promise<RegisteredDto> {
    const { user, tokens, organization } = await this.registration.register(body, visitor);
    return {
      ...TokensDto.of(tokens),
      user: userPayload(user),
      organization: organization && OrganizationDto.of(organization),
    };
  }

  @ApiOperation({
    security: [],
    summary: 'Sign in with email address and password',
    description:
      'The same answer, after the same work, for a wrong password, an unknown address and a disabled account. Failures slow down further tries of the account, of the address, and most of both together; nobody is locked out for good. A device that has signed in to the account before (cookie `identity_device`) and a network where the account was signed in to are not held up by failures elsewhere or of others. Beyond 200 sessions of an account, the one that was not used for longest ends.',
  })
  @ApiOkResponse({ type: SignedInDto, description: 'Signed in.' })
  @problemResponses(400, 401)
  @HttpCode(200)
  @Unlimited()
  @Post('api/auth/login')
  async login(
    @Body() body: LoginDto,
    @CurrentActor() visitor: Actor,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInDto> {
    const admit = ({ isKnown, rateLimitKey }: LoginCounters) =>
      this.limits.take(isKnown ? KNOWN_SIGN_INS : SIGN_INS, rateLimitKey, response);
    const { user, tokens, device } = await this.signIn.signIn(body.email, body.password, visitor, admit);
    setDeviceCookie(response, device, this.http.nodeEnv === 'production');
    return { ...TokensDto.of(tokens), user: userPayload(user) };
  }

  @ApiOperation({
    security: [],
    summary: 'Trade a refresh token for new tokens',
    description:
      'A refresh token works once. Showing one that was used before ends the session and every token of it, for all who hold them. One exception: the same client (address, of IPv6 its /64, and user agent) that repeats a refresh within 30 seconds, and has not used the new refresh token, gets the same answer again.',
  })
  @ApiOkResponse({ type: TokensDto, description: 'The new tokens.' })
  @problemResponses(400, 401)
  @HttpCode(200)
  @Post('api/auth/refresh')
  async refresh(@Body() body: RefreshDto, @CurrentActor() visitor: Actor): Promise<TokensDto> {
    return TokensDto.of(await this.sessions.refresh(body.refreshToken, visitor));
  }

  @ApiOperation({
    security: [],
    summary: 'Sign out with a refresh token',
    description:
      'Token revocation as in RFC 7009, as a form or as JSON: a refresh token, one that was used before too, or an access token ends its session with every token of it, at once. 200 also for a token that is not known or ended already. 400 `unsupported_token_type` for credentials of automations: rotate or disable those.',
  })
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiOkResponse({ description: 'The token works no more.' })
  @problemResponses(400)
  @HttpCode(200)
  @Post('api/auth/revoke')
  async revoke(@Body() { token }: RevokeDto, @CurrentActor() visitor: Actor): Promise<void> {
    if (isOfAutomation(token)) throw new TokenTypeIsNotSupported();
    if (token.startsWith(ACCESS_TOKEN)) await this.sessions.end(token, visitor);
    else await this.sessions.endByRefreshToken(token, visitor);
  }
}
