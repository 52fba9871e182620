import type { RecordedEvent } from '#libs/event-store';
import { kindOf } from '#libs/content';
import { auditEntryOf, chainOf } from './audit-entry.js';

const event = (overrides: Partial<RecordedEvent> = {}): RecordedEvent => ({
  id: '0190a000-0000-7000-8000-000000000001',
  stream: '0190a000-0000-7000-8000-0000000000aa',
  streamType: 'post',
  version: 3,
  type: 'PostRescheduled',
  schemaVersion: 1,
  data: {
    postId: '0190a000-0000-7000-8000-0000000000aa',
    brandId: '0190a000-0000-7000-8000-0000000000bb',
    scheduledAt: '2026-02-01T10:00:00.000Z',
    reason: 'launch moved',
    by: { type: 'user', id: '0190a000-0000-7000-8000-0000000000dd' },
  },
  metadata: {
    organizationId: '0190a000-0000-7000-8000-0000000000cc',
    brandId: '0190a000-0000-7000-8000-0000000000bb',
    actor: { type: 'user', id: '0190a000-0000-7000-8000-0000000000dd', name: 'Ada Lovelace' },
    channel: 'bearer',
    requestId: 'req-1',
    correlationId: 'cor-1',
    causationId: null,
  },
  at: '2026-01-15T10:00:00.000Z',
  position: '17',
  transactionId: '900',
  ...overrides,
});

describe('what the audit keeps of an event', () => {
  it('names actor, action, content, time, channel, and each change', () => {
    const { details, ...entry } = auditEntryOf(event());
    expect(details).toEqual({ scheduledAt: '2026-02-01T10:00:00.000Z', reason: 'launch moved' });
    expect(entry).toMatchObject({
      kind: 'post.rescheduled',
      at: '2026-01-15T10:00:00.000Z',
      contentId: '0190a000-0000-7000-8000-0000000000aa',
      actorType: 'user',
      actorId: '0190a000-0000-7000-8000-0000000000dd',
      channel: 'bearer',
      requestId: 'req-1',
    });
  });

  it('does not depend on the position of the event in the log', () => {
    expect(auditEntryOf(event({ position: '99', transactionId: '0' }))).toEqual(auditEntryOf(event()));
  });

  it('names automations and never people', () => {
    const { metadata } = event();
    const key = { ...metadata, actor: { type: 'api_key' as const, id: 'k', name: 'Queue bot' } };
    expect(auditEntryOf(event()).actorName).toBeNull();
    expect(auditEntryOf(event({ metadata: key })).actorName).toBe('Queue bot');
  });

  it.each([
    ['accessToken', { accessToken: 's3cret' }],
    ['email', { member: { email: 'ada@example.org' } }],
    ['password', { list: [{ password: 's3cret' }] }],
    ['client_secret', { client_secret: 's3cret' }],
  ])('keeps the name %s and drops its value, at any depth', (name, data) => {
    const kept = JSON.stringify(auditEntryOf(event({ data })));
    expect(kept).toContain(name);
    expect(kept).not.toMatch(/s3cret|ada@/);
  });

  it('spells numbers as PostgreSQL would', () => {
    expect(auditEntryOf(event({ data: { big: 1e21, small: 1e-7, plain: 1.5 } })).details).toEqual({
      big: '1e+21',
      small: '1e-7',
      plain: 1.5,
    });
  });

  it('finds the content of events that only mention a post', () => {
    const mentioned = event({ streamType: 'connection', data: { postId: event().stream } });
    expect(auditEntryOf(mentioned).contentId).toBe(event().stream);
    expect(auditEntryOf(event({ streamType: 'brand', data: { postId: 'no id' } })).contentId).toBeNull();
    expect(auditEntryOf(event({ streamType: 'brand', data: { name: 'x' } })).contentId).toBeNull();
    expect(auditEntryOf(event({ streamType: 'brand', data: null })).details).toEqual({});
  });
});

describe('the kind of an audit event', () => {
  it.each([
    ['post', 'PostScheduled', 'post.scheduled'],
    ['post', 'PublishAttemptStarted', 'post.publish_attempt_started'],
    ['brand', 'BrandTransferred', 'brand.transferred'],
    ['api-key', 'ApiKeyRevoked', 'api_key.revoked'],
    ['post', 'Posted', 'post.posted'],
  ])('of %s and %s is %s', (subject, type, kind) => {
    expect(kindOf(subject, type)).toBe(kind);
  });
});

describe('the chain of an entry', () => {
  it.each([
    [{ brandId: 'b', organizationId: 'o' }, 'brand:b'],
    [{ brandId: null, organizationId: 'o' }, 'organization:o'],
    [{ brandId: null, organizationId: null }, 'platform'],
  ])('%j belongs to %s', (entry, chain) => {
    expect(chainOf(entry)).toBe(chain);
  });
});
