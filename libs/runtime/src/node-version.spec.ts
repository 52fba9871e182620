import { reasonAgainst } from './node-version.js';

describe('the version of Node', () => {
  it.each(['18.20.8', '20.20.2', '22.21.0', '24.0.0', '24.15.9'])('%s is too old', (version) =>
    expect(reasonAgainst(version)).toMatch(`Node 24.16 or newer is needed; this is Node ${version}.`),
  );

  it.each(['24.16.0', '24.21.0', '25.0.0', '26.1.0'])('%s can run the product', (version) =>
    expect(reasonAgainst(version)).toBeUndefined(),
  );
});
