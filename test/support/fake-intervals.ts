/** For `jest.useFakeTimers`: every timer but intervals, which renew leases, stays real. */
export const FAKE_INTERVALS = {
  doNotFake: [
    ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
    ...(['clearImmediate', 'setTimeout', 'clearTimeout'] as const),
  ],
};
