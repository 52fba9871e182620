import { Writable } from 'node:stream';
import { pino } from 'pino';
import { runInContext } from '../context/request-context.js';
import { loggableUrl, logAs, loggingOptions } from './logging.js';

describe('logs', () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const { autoLogging: _unused, ...options } = loggingOptions('api', 'info').pinoHttp as Record<
    string,
    unknown
  >;
  const logger = pino(options, sink);
  beforeEach(() => lines.splice(0));

  it.each([
    { req: { headers: { authorization: 'Bearer hunter2', cookie: 'hunter2', 'x-api-key': 'hunter2' } } },
    { headers: { Authorization: 'kept by another name', 'set-cookie': 'hunter2' } },
    { password: 'hunter2' },
    { body: { password: 'hunter2', refreshToken: 'hunter2' } },
  ])('do not hold secrets: %j', (line) => {
    logger.info(line);
    expect(lines.join()).toMatch(/redacted/);
    expect(lines.join()).not.toMatch(/hunter2/);
  });

  it('hold nothing of the rows that an error of the database is about', () => {
    const rowed = Object.assign(new Error('unterminated CSV'), {
      code: '57014',
      severity: 'ERROR',
      table: 'contact',
      routine: 'ProcessInterrupts',
      where: 'COPY import_row, line 1: "hunter2"',
      detail: 'Failing row contains (hunter2).',
      hint: 'hunter2',
      query: 'SELECT $1',
      parameters: ['hunter2'],
      config: { accessToken: 'hunter2' },
    });
    const refused = Object.assign(new Error('invalid input syntax for type uuid: "hunter2"'), {
      code: '22P02',
    });
    logger.error({ err: new AggregateError([refused], 'Both failed.', { cause: rowed }) });
    logger.error({ err: { thrown: 'hunter2' } });
    expect(lines.join()).not.toMatch(/hunter2/);
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      err: {
        type: 'AggregateError',
        message: 'Both failed.',
        stack: expect.stringContaining('logging.spec'),
        cause: { code: '57014', severity: 'ERROR', table: 'contact', routine: 'ProcessInterrupts' },
        errors: [{ code: '22P02', message: 'invalid input syntax for type uuid: "[redacted]"' }],
      },
    });
  });

  it('name the request and the service whose it is', () => {
    runInContext({ requestId: 'request-1', correlationId: 'c', service: 'identity' }, () => logger.info('x'));
    logger.info('y');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ service: 'identity', requestId: 'request-1', correlationId: 'c' }),
      expect.objectContaining({ service: 'api' }),
    ]);
  });

  it('name the service that set the work going, though another one made the logger', async () => {
    await logAs('worker', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      logger.info('in a loop');
    });
    runInContext({ requestId: null, correlationId: 'c', service: 'identity' }, () =>
      logAs('worker', () => logger.info('in a request')),
    );
    const services = lines.map((line) => (JSON.parse(line) as { service: string }).service);
    expect(services).toEqual(['worker', 'identity']);
  });

  it('show addresses without what authenticates, and not endlessly long', () => {
    expect(loggableUrl('/callback?code=abc&state=def&x=1')).toBe(
      '/callback?code=[redacted]&state=[redacted]&x=[redacted]',
    );
    expect(loggableUrl('/api/integrations/x/connect?startToken=abc&brandId=01&search=jana')).toBe(
      '/api/integrations/x/connect?startToken=[redacted]&brandId=01&search=[redacted]',
    );
    expect(loggableUrl('/people?jana%40example.com&%71=jana&=x&a?b=c&limit=2&')).toBe(
      '/people?[redacted]&[redacted]&[redacted]&[redacted]&limit=2&[redacted]',
    );
    expect(loggableUrl('/api/integrations/data-deletion/abc')).toBe(
      '/api/integrations/data-deletion/[redacted]',
    );
    expect(loggableUrl('/people?limit=5&q=jana%40example.com')).toBe('/people?limit=5&q=[redacted]');
    expect(loggableUrl('/x?api_key=abc#token=1')).toBe('/x?api_key=[redacted]');
    expect(loggableUrl('/m/signed.token?x=1')).toBe('/m/[redacted]?x=[redacted]');
    expect(loggableUrl(`/${'x'.repeat(5_000)}`)).toHaveLength(512);
  });
});
