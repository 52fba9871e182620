import type { FailureReport } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import type { NetworkResponse } from '../domain/provider-publishing.js';
import { commitResponseOf, prepareResponseOf } from './network-responses.js';

const classified = (failureClass: FailureReport['class']) => ({
  displayName: 'Network',
  readingsIn: () => [{ name: 'posts', remaining: 3, resetsAt: null, max: null }],
  isOwnError: ({ body }: Pick<NetworkResponse, 'body'>) => body !== undefined,
  classify: () => ({
    failure: { code: 'c', class: failureClass, networkCode: '7', message: 'It failed.', nextStep: 'Look.' },
  }),
});
const refusal = { kind: 'answered', status: 400, headers: {}, body: {} } as OutboundResponse;

describe('a refusal that the network classifies as in doubt', () => {
  it('leaves open whether the post is live, of the irreversible call', () => {
    expect(commitResponseOf(classified('unconfirmed'), refusal, () => null).kind).toBe('unconfirmed');
    expect(commitResponseOf(classified('permanent'), refusal, () => null).kind).toBe('refused');
  });

  it('is no usable answer of a step that publishes nothing', () => {
    expect(prepareResponseOf(classified('unconfirmed'), refusal, () => null)).toMatchObject({
      kind: 'no-answer',
      failure: { class: 'transient', networkCode: '7' },
    });
    expect(prepareResponseOf(classified('permanent'), refusal, () => null).kind).toBe('refused');
  });
});

describe('what a response says about limits', () => {
  const readings = [{ name: 'posts', remaining: 3, resetsAt: null, max: null }];

  it('is passed on with the outcome of the call', () => {
    expect(commitResponseOf(classified('permanent'), refusal, () => null)).toMatchObject({ readings });
    expect(prepareResponseOf(classified('permanent'), refusal, () => null)).toMatchObject({ readings });
  });

  it('is nothing without a response', () => {
    const lost = { kind: 'no-answer', reason: 'reset' } as OutboundResponse;
    expect(commitResponseOf(classified('permanent'), lost, () => null)).not.toHaveProperty('readings');
  });
});

describe('a refusal that the API of the network did not write', () => {
  const page = { kind: 'answered', status: 403, headers: {}, body: undefined } as OutboundResponse;

  it('leaves open whether the post is live, as a response of a server that fails', () => {
    expect(commitResponseOf(classified('permanent'), page, () => null)).toMatchObject({
      kind: 'unconfirmed',
      isSilent: true,
    });
  });

  it('is no usable answer of a step', () => {
    expect(prepareResponseOf(classified('permanent'), page, () => null)).toMatchObject({
      kind: 'no-answer',
      failure: { code: 'network_unreachable' },
    });
  });

  it.each([413, 429])('counts as the limit that %i states', (status) => {
    const limit = { ...page, status };
    expect(commitResponseOf(classified('transient'), limit, () => null).kind).toBe('refused');
  });
});
