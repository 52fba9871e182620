import { readFileSync } from 'node:fs';
import { apiDescription } from '../src/api/api-description.js';
import { summary } from '../local/summary.js';
import { gatewayApi } from '../src/platform/gateway/api-description.js';
import { identityApi } from '../src/platform/identity/api-description.js';

const README = readFileSync('README.md', 'utf8');
const addresses = {
  api: 'http://127.0.0.1:3000',
  identity: 'http://127.0.0.1:3001',
  gateway: 'http://127.0.0.1:3003',
  sandbox: 'http://127.0.0.1:3900',
  payments: 'http://127.0.0.1:3901',
};

/** Name and address of each part in the table of the README. */
const inReadme = [...README.matchAll(/^\| ([A-Z]\w*(?: \w+)*) +\| <(http:[^>]+)>/gm)].map(
  ([, name, address]) => [name, address],
);
/** The same as `npm start` prints it. */
const onScreen = [
  ...summary({ addresses, withoutDemo: 'none' }).matchAll(/^ {2}(\S+(?: \S+)*) {2,}(http:\S+)$/gm),
].map(([, name, address]) => [name, address]);

describe('the parts of the product', () => {
  it('have the same names and addresses on the start screen and in the README', () => {
    expect(inReadme).toHaveLength(5);
    expect(onScreen).toEqual(inReadme);
  });

  it.each([apiDescription, identityApi, gatewayApi])(
    'have the same name on the page of $title',
    ({ title }) => {
      expect(onScreen.map(([name]) => name)).toContain(title);
    },
  );

  it.each([apiDescription, identityApi, gatewayApi])(
    'have commands of the README or of a tour as the first step of $title',
    ({ firstStep }) => {
      const [load = '', ...commands] = firstStep?.commands.split('\n') ?? [];
      const document = readFileSync(firstStep?.document ?? '', 'utf8');
      const chapter = document.split(/^## /m).find((each) => each.startsWith(`${firstStep?.chapter}\n`));
      expect(document).toContain(load);
      expect(chapter).toContain(commands.join('\n'));
    },
  );
});
