import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ScratchRepository } from './support/scratch-repository.js';

/** Files that the check exempts from a rule: what they lack is accepted. */
const EXEMPT: readonly (readonly [string, string])[] = [
  [
    'src/platform/identity/registry/registry.controller.ts',
    `@problemResponses(401) @Controller('api/services') class RegistryController { @Get() listServices() {} }`,
  ],
  [
    'libs/health/src/health.controller.ts',
    `@Public() @Controller() class HealthController { @Get('healthz') liveness() {} }`,
  ],
];

/** Decorators and query objects that the routes below use. */
const SHARED = `
  export const Composed = () => applyDecorators(RequiresScopes('a.read'), problemResponses(401));
  export const Documented = () => applyDecorators(ApiOperation({}));
  export class ThingsQuery extends ListQuery { @ApiPropertyOptional() @IdFilter() brandId?: string; }
  export class FurtherQuery extends OmitType(ThingsQuery, ['limit']) {}
  export class OddQuery { @ApiPropertyOptional() @Allow() brandId?: string; }
  export class OddestQuery extends OmitType(OddQuery, ['limit']) {}`;

const message = (name: string, handled = name): string => `
  import { Command } from '@nestjs/cqrs';
  export class ${name} extends Command<void> {}
  @CommandHandler(${handled})
  export class ${name}Handler {}`;

const controller = (members: string, above = '', prefix = 'api/things'): string =>
  `${above} @Controller('${prefix}') export class ThingsController { ${members} }`;

const ACCESS = `@RequiresScopes('a.read')`;
const FINE = `${ACCESS} @problemResponses(401)`;
const BY_CALLER = controller('@problemResponses(401) @Get() list(@CurrentCaller() caller: Caller) {}');

const ACCEPTED: readonly string[] = [
  controller(`${FINE} @Get() list() {}`),
  controller('@Get() list() {}', FINE),
  controller('@Composed() @Get() list() {}'),
  controller('@UseGuards(Guard) @problemResponses(401) @Get() list() {}'),
  controller(`${ACCESS} @Get() list() {}`),
  controller(`${ACCESS} @ApiResponse({ ...problemResponse(404) }) @Get() list() {}`),
  controller('@Get() list() {}', `@ApiExcludeController() ${ACCESS}`),
  controller(`${FINE} @Get(':id') one(@Param('id', ParseIdPipe) id: string) {}`),
  controller(`${FINE} @Get(':id') one(@Param('id', ProviderIdPipe) id: string) {}`),
  controller(`${FINE} @Get() list(@Query() query: FurtherQuery) {}`),
  controller(`${FINE} @Get() list(@Query() query: OddQuery) { ids.transform(query.brandId); }`),
  controller(`${FINE} @Get() list(@Query('brandId') brandId: unknown) {}`),
];

const REFUSED: readonly (readonly [what: string, source: string, problem: string])[] = [
  [
    'no access',
    controller('@problemResponses(401) @Get() list() {}'),
    'list says nothing of who may call it',
  ],
  [
    'no access behind a decorator of its own',
    controller('@Documented() @problemResponses(401) @Get() list() {}'),
    'list says nothing of who may call it',
  ],
  ['the caller as a parameter in a feature', BY_CALLER, 'list says nothing of who may call it'],
  ['no errors', controller('@UseGuards(Guard) @Post() make() {}'), 'make documents no error'],
  [
    'an id without a pipe',
    controller(`${FINE} @Get(':postId') one(@Param('postId') postId: string) {}`),
    'one does not check postId of its path',
  ],
  [
    'an id of the controller’s path that is not read',
    controller(`${FINE} @Get() list() {}`, '', 'api/brands/:brandId/things'),
    'list does not check brandId of its path',
  ],
  [
    'an id in the query',
    controller(`${FINE} @Get() list(@Query('userId') userId: string) {}`),
    'list does not check userId of its query',
  ],
  [
    'an id in a query object',
    controller(`${FINE} @Get() list(@Query() query: OddQuery) {}`),
    'list does not check brandId of its query',
  ],
  [
    'an id in the base of a query object',
    controller(`${FINE} @Get() list(@Query() query: OddestQuery) {}`),
    'list does not check brandId of its query',
  ],
  ['a message without a handler', message('Alone', 'Other'), 'Alone has no handler'],
  [
    'a message of libs/messages without a handler',
    `import { RequestQuery } from '#libs/messages';
     export class Asked extends RequestQuery<object, string> {}`,
    'Asked has no handler',
  ],
  ['a handler that no module provides', message('Lost'), 'LostHandler is no provider of a module'],
];

/** In one repository: the exempt files and what all others use. */
async function problemsOf(files: readonly (readonly [file: string, source: string])[]): Promise<string[]> {
  const copy = await ScratchRepository.build([]);
  try {
    for (const name of ['check-routes.mjs', 'routes'])
      await cp(`scripts/${name}`, join(copy.folder, 'scripts', name), { recursive: true });
    for (const [file, source] of [...EXEMPT, ...files]) await copy.write(file, source);
    const run = promisify(execFile)(process.execPath, ['scripts/check-routes.mjs'], { cwd: copy.folder });
    const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
    return `${stdout}${stderr}`.trimEnd().split('\n');
  } finally {
    await copy.tearDown();
  }
}

const shared = ['src/things/shared.ts', SHARED] as const;
const fileOf = (index: number): string => `src/things/http/${index}.controller.ts`;

describe('the check of routes', () => {
  let found: readonly string[];

  beforeAll(async () => {
    const broken = REFUSED.map(([, source], index) => [fileOf(index), source] as const);
    found = await problemsOf([shared, ...broken]);
  });

  it.each(REFUSED.map(([what, , problem], index) => [what, problem, fileOf(index)]))(
    'refuses %s',
    (_, problem, file) => {
      expect(found.filter((line) => line.startsWith(`${file}: `))).toEqual([
        expect.stringContaining(`${file}: ${problem}`),
      ]);
    },
  );

  it('accepts routes that keep the rules, and in a platform service the caller as a parameter', async () => {
    const fine = ACCEPTED.map((source, index) => [fileOf(index), source] as const);
    const accepted = [
      ...fine,
      ['src/platform/identity/organizations/members/members.controller.ts', BY_CALLER] as const,
      ['src/things/do-thing.ts', message('DoThing')] as const,
      [
        'src/things/things.module.ts',
        '@Module({ providers: [DoThingHandler] }) class ThingsModule {}',
      ] as const,
    ];
    expect(await problemsOf([shared, ...accepted])).toEqual([
      `${EXEMPT.length + ACCEPTED.length + 1} routes keep the rules.`,
    ]);
  });

  it('refuses an exception that is not needed', async () => {
    const [[file, source]] = EXEMPT as [[string, string]];
    expect(await problemsOf([[file, source.replace('@Get()', '@Public() @Get()')]])).toEqual([
      `The exception "access ${file}" is not needed. Remove it.`,
    ]);
  });
});
