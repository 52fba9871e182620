import {
  DatabaseIsUnavailable,
  isDataError,
  isOutage,
  isTransient,
  isRefusal,
  namingOutages,
} from './database.errors.js';

const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('what went wrong with the database', () => {
  it.each([
    ['ECONNREFUSED', 'away'],
    ['ENOENT', 'away'],
    ['57P01', 'away'],
    ['53300', 'away'],
    ['08006', 'away'],
    ['40001', 'passing'],
    ['53100', 'passing'],
    ['57014', 'passing'],
    ['58030', 'passing'],
    ['25006', 'passing'],
    ['25P03', 'passing'],
    ['25P02', 'wrong'],
    ['42P01', 'wrong'],
    ['23505', 'wrong'],
    ['22P05', 'wrong'],
    ['EACCES', 'wrong'],
  ])('is, with %s of the driver: %s', async (code, expected) => {
    const error = coded(code);
    const named: unknown = await namingOutages(() => Promise.reject(error)).catch(
      (caught: unknown) => caught,
    );
    const found = named instanceof DatabaseIsUnavailable ? 'away' : isTransient(named) ? 'passing' : 'wrong';
    expect(found).toBe(expected);
    expect(named === error).toBe(expected !== 'away');
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'])(
    'is not concluded from %s of another source',
    (code) => expect([isOutage(coded(code)), isTransient(coded(code))]).toEqual([false, false]),
  );

  it.each([
    ['22003', true],
    ['22P05', true],
    ['23505', false],
    ['ECONNRESET', false],
  ])('is, with %s, an error of the data: %s', (code, expected) => {
    expect(isDataError(coded(code))).toBe(expected);
  });

  it.each([
    ['28P01', 'password authentication failed for user "x"', true],
    ['28000', 'role "x" is not permitted to log in', true],
    ['3D000', 'database "x" does not exist', true],
    ['42501', 'permission denied for database "x"', true],
    ['08P01', 'no such database: x', true],
    ['08P01', 'SASL authentication failed', true],
    ['08P01', 'server login has been failing, try again later (server_login_retry)', false],
    ['08P01', 'query_wait_timeout', false],
    ['57P03', 'the database system is starting up', false],
    ['53300', 'sorry, too many clients already', false],
    ['ECONNREFUSED', 'connect ECONNREFUSED', false],
  ])('is, with %s "%s" of connecting, a refusal: %s', (code, message, expected) =>
    expect(isRefusal(Object.assign(new Error(message), { code }))).toBe(expected),
  );

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
    'Query read timeout',
  ])('is known from "%s"', (message) => expect(isOutage(new Error(message))).toBe(true));

  it.each([undefined, null, 'x', {}])('is not known from %j', (thrown) =>
    expect(isTransient(thrown)).toBe(false),
  );
});
