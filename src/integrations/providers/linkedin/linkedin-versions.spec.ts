import { apiVersionOf } from './linkedin.config.js';

describe('a version of LinkedIn', () => {
  it.each([
    ['202603', '2027-03-16T00:00:00.000Z'],
    ['202608', '2027-08-15T00:00:00.000Z'],
    ['202612', '2027-12-15T00:00:00.000Z'],
    ['202613', null],
    ['latest', null],
  ])('%s ends at %s', (name, endsAt) => {
    expect(apiVersionOf(name)).toEqual({ name, endsAt });
  });
});
