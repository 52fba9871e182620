import {
  Body,
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Header,
  HttpCode,
  HttpException,
  Injectable,
  Module,
  Param,
  Post,
  Put,
  Query,
  Redirect,
  Req,
  Res,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type { Request, Response } from 'express';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { DomainError } from '#libs/errors';
import { StreamHasMoved } from '#libs/event-store';
import {
  AmongFilter,
  bootstrapHttpService,
  Idempotent,
  IdempotentLongWork,
  IfMatch,
  IsInstant,
  ListQuery,
  Pages,
  ParseIdPipe,
  problemResponses,
  RateLimit,
  requestContext,
  ReturnsEtag,
  ReturnsPage,
  type RunningService,
  setPrincipal,
  Unlimited,
} from '#libs/http';

export const ORIGIN = 'https://app.example.com';

class ThingBody {
  @IsString()
  @MaxLength(20, { context: { code: 'too_long' } })
  name!: string;

  @IsInstant({ future: true })
  at!: string;
}

class ThingsQuery extends ListQuery {
  @AmongFilter(['draft', 'failed'])
  status?: string[];
}

class NameBody {
  @IsString()
  name!: string;
}

export class ThingIsFrozen extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'thing_is_frozen';
}

/** When it is configured, the same request succeeds. */
export class ThingIsNotConfigured extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'thing_not_configured';
  override readonly isFinal = false;
}

/** Errors of every origin, by name; what the filter makes of each is in http-problems.int-spec.ts. */
const FAILURES: Readonly<Record<string, () => Error>> = {
  domain: () => new ThingIsFrozen('This thing is frozen.', { members: { since: 3, status: 200 } }),
  outage: () => new DatabaseIsUnavailable(new Error('connect ECONNREFUSED 10.1.2.3:5432')),
  'statement-timeout': () =>
    Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
  'disk-full': () => Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' }),
  'out-of-memory': () => Object.assign(new Error('out of memory'), { code: '53200' }),
  'disk-error': () => Object.assign(new Error('could not read block 3'), { code: '58030' }),
  'read-only': () => Object.assign(new Error('cannot execute INSERT'), { code: '25006' }),
  'raw-outage': () => Object.assign(new Error('shutting down 10.1.2.3'), { code: '57P01' }),
  'no-file': () => Object.assign(new Error('ENOENT: no such file, open /srv/x'), { code: 'ENOENT' }),
  'other-connection': () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  forbidden: () => new ForbiddenException('Not yours.'),
  unauthorized: () => new UnauthorizedException(),
  unknown: () => new Error('password=hunter2 at /srv/app/db.ts'),
  'not-a-status': () => new HttpException('x', NaN),
  'success-status': () => new HttpException('x', 200),
  teapot: () => new HttpException('I am one.', 418),
  multer: () => Object.assign(new Error('File too large'), { name: 'MulterError', code: 'LIMIT_FILE_SIZE' }),
};

@ApiTags('Things')
@Controller('things')
@problemResponses(401, 404)
class ThingsController {
  private steps = 0;
  private readonly names: string[] = [];

  constructor(private readonly pages: Pages) {}

  @Get()
  @ReturnsPage(NameBody)
  listThings(@Query() query: ThingsQuery) {
    const keyOf = ({ id }: { id: number }): readonly [number] => [id];
    const load = (key: readonly [number] | null, count: number) => {
      const after = key?.[0] ?? 0;
      const rows = Array.from({ length: Math.min(count, 260 - after) }, (_, index) => ({
        id: after + index + 1,
      }));
      return Promise.resolve({ rows, total: 260 });
    };
    return this.pages.page({ list: 'things', keyOf }, query, load, (thing) => thing);
  }

  @Get('context')
  showContext(@Query() query: Record<string, unknown>) {
    return { ...requestContext(), query };
  }

  /** In which order steps of several requests ran. */
  @Get('steps')
  async countSteps() {
    const begun = (this.steps += 1);
    await Promise.resolve();
    return { begun, ended: (this.steps += 1) };
  }

  /** Also when no one reads the response. */
  @Post('names')
  addName(@Body() { name }: NameBody) {
    this.names.push(name);
  }

  @Get('names')
  listNames() {
    return { names: this.names };
  }

  @Get('failures/:kind')
  failThing(@Param('kind') kind: string) {
    throw (FAILURES[kind] as () => Error)();
  }

  @Get('validate')
  @Unlimited()
  validateThing() {
    throw new UnauthorizedException();
  }

  @Get('elsewhere')
  @Redirect('/things', 302)
  redirectThing() {}

  @Get('own-headers')
  @Header('Access-Control-Allow-Origin', '*')
  ownHeaders() {
    return 'x';
  }

  @Get('raw-headers')
  rawHeaders(@Res() response: Response) {
    response.writeHead(200, [
      'Access-Control-Allow-Origin',
      '*',
      'Vary',
      'Accept',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
    ]);
    response.end('x');
  }

  @Get('half')
  halfAnswer(@Res() response: Response) {
    response.write('half');
    throw new Error('in the middle');
  }

  @Get(':id')
  @ReturnsEtag()
  getThing(@Param('id', ParseIdPipe) id: string) {
    return { id, version: 7 };
  }

  @Put(':id')
  putThing(@Param('id', ParseIdPipe) id: string, @IfMatch() version: number | undefined) {
    return { id, version: version ?? 'any' };
  }

  @Post()
  createThing(@Body() body: ThingBody) {
    return body;
  }

  @Post('form')
  @HttpCode(200)
  formThing(@Body() body: Record<string, unknown>) {
    return body;
  }

  @Post('upload')
  @HttpCode(200)
  async uploadThing(@Req() request: Request) {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    return { bytes };
  }

  @Post('sign-in')
  @RateLimit({ name: 'sign-in', limit: 2, windowSeconds: 60, by: 'address' })
  @HttpCode(200)
  signIn() {
    return {};
  }
}

/** What the idempotent handler does next; set by the tests. */
export const script = { before: async (): Promise<void> => {}, calls: 0 };

@ApiTags('Things')
@Controller('effects')
class EffectsController {
  constructor(private readonly database: Database) {}

  @Post()
  @Idempotent()
  @ReturnsEtag()
  async makeEffect(@Body() { name }: NameBody, @Res({ passthrough: true }) response: Response) {
    script.calls += 1;
    await this.database.query('INSERT INTO effect (name) VALUES ($1)', [name]);
    await script.before();
    response.setHeader('Location', `/effects/${name}`);
    return { name, version: 1, requestId: requestContext().requestId };
  }

  @Post('moving')
  @Idempotent()
  @HttpCode(202)
  async movingEffect() {
    script.calls += 1;
    await this.database.query('INSERT INTO effect (name) VALUES ($1)', [`call ${script.calls}`]);
    if (script.calls < 3) throw new StreamHasMoved('s', 1, 2, 'version');
    return { calls: script.calls };
  }

  /** Its effect is outside of the database. */
  @Post('outside')
  @IdempotentLongWork({ subject: 'effect' })
  async effectOutside(@Body() { name }: NameBody) {
    script.calls += 1;
    await script.before();
    return { name, calls: script.calls };
  }
}

@Controller('internal')
class InternalController {
  @Get('secret')
  secret() {
    return { secret: true };
  }
}

/** `Authorization: Bearer ann` is ann; `Bearer robot@acme` one of acme's; `Bearer nobody` is refused; nothing at all is anonymous. */
@Injectable()
class NamingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const name = request.headers.authorization?.replace('Bearer ', '');
    if (name === 'nobody') throw new UnauthorizedException();
    const [id, organization] = name?.split('@') ?? [];
    if (organization) setPrincipal(request, `api_key:${id}`, [organization], organization);
    else if (name) setPrincipal(request, `user:${name}`);
    return true;
  }
}

@Module({
  controllers: [ThingsController, InternalController],
  providers: [{ provide: APP_GUARD, useClass: NamingGuard }],
})
export class SampleModule {}

@Module({ imports: [SampleModule], controllers: [EffectsController] })
class EffectsModule {}

/** The sample with a database. */
export const withEffects = (database: DynamicModule): DynamicModule => ({
  module: EffectsModule,
  imports: [database],
});

export function startSample(
  environment: Record<string, string> = {},
  module: DynamicModule | typeof SampleModule = SampleModule,
  service = 'sample',
): Promise<RunningService> {
  return bootstrapHttpService(module, {
    service,
    port: 0,
    environment: { LOG_LEVEL: 'silent', CORS_ORIGINS: `${ORIGIN}, http://localhost:3002`, ...environment },
    bodies: { form: (path) => path === '/things/form', unparsed: (path) => path === '/things/upload' },
    api: {
      title: 'Sample',
      description: 'A sample.',
      tags: [{ name: 'Things', description: 'Things.' }],
      apiKeys: true,
    },
  });
}

export interface SampleResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

export async function call(
  url: string,
  init: RequestInit & { json?: unknown } = {},
): Promise<SampleResponse> {
  const { json, ...rest } = init;
  const body = json === undefined ? rest.body : typeof json === 'string' ? json : JSON.stringify(json);
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { ...type, ...(rest.headers as Record<string, string> | undefined) };
  const answer = await fetch(url, { redirect: 'manual', ...rest, body, headers });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
