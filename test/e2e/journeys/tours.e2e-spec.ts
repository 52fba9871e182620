import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Machine } from '../../support/boot-embedded.js';

const run = promisify(execFile);

/** In this order: later documents show what the earlier ones did not yet do, such as the models that were paid. */
const DOCUMENTS = {
  'the first post': 'README.md',
  contacts: 'docs/tours/contacts.md',
  networks: 'docs/tours/networks.md',
  ai: 'docs/tours/ai.md',
  mail: 'docs/tours/mail.md',
  payments: 'docs/tours/payments.md',
  trends: 'docs/tours/trends.md',
  pictures: 'docs/tours/pictures.md',
};
type Tour = keyof typeof DOCUMENTS;
type Answers = Readonly<Record<string, readonly string[]>>;

/** The commands of a document, exactly as a reader copies them. */
async function commandsOf(document: string): Promise<string[]> {
  const text = await readFile(document, 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);
}

describe('the tours', () => {
  let machine: Machine;
  let answers: Answers;

  /** Follows each document in a shell of its own. @returns what each block printed */
  const follow = async (): Promise<Answers> => {
    const printed: Record<string, string[]> = {};
    for (const [tour, document] of Object.entries(DOCUMENTS)) {
      const blocks = await commandsOf(document);
      const script = blocks.map((block, index) => `printf "\\n=== ${index}\\n"\n${block}`).join('\n');
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: machine.folder });
      const texts = stdout.split(/^=== \d+\n/m).slice(1);
      printed[tour] = texts.map((text) => text.trim());
    }
    return printed;
  };

  beforeAll(async () => {
    machine = await Machine.make();
    await machine.start().ready();
    answers = await follow();
  }, 600_000);

  afterAll(() => machine.tearDown());

  const answer = (tour: Tour, index: number): string => answers[tour]?.[index] ?? '';
  const json = (tour: Tour, index: number) =>
    JSON.parse(answer(tour, index)) as { data: Record<string, unknown>[] } & Record<string, unknown>;

  it('are all followed, and have commands to copy', async () => {
    const tours = (await readdir('docs/tours')).map((name) => `docs/tours/${name}`);
    expect(Object.values(DOCUMENTS).toSorted()).toEqual(['README.md', ...tours].toSorted());
    expect(Object.values(answers).map((texts) => texts.length)).toEqual([8, 7, 4, 7, 2, 2, 4, 7]);
  });

  it('suggests a post as a service principal', () => {
    expect(answer('the first post', 1)).toMatch(/^Post [0-9a-f-]{36}$/);
  });

  it('finds it pending in the queue, with its safe actions', () => {
    expect(json('the first post', 2).data).toEqual([
      expect.objectContaining({
        contentId: answer('the first post', 1).slice('Post '.length),
        approvalState: 'pending',
        safeActions: expect.arrayContaining([expect.objectContaining({ method: 'POST' })]),
      }),
    ]);
  });

  it('approves it by API key and schedules it, also long after it was suggested', () => {
    expect(answer('the first post', 3)).toBe('approved\nscheduled');
  });

  it('publishes it on the timeline of the network', () => {
    expect(answer('the first post', 4)).toMatch(/^published\nHello from the first post, \d\d:\d\d:\d\d\.$/);
  });

  it('shows it in the audit and in today’s counts', () => {
    const [audit = '', daily = ''] = answer('the first post', 5).split(/(?<=\})(?=\{)/);
    const kinds = (JSON.parse(audit) as { data: { kind: string }[] }).data.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['post.suggested', 'post.approved', 'post.published']));
    expect(JSON.parse(daily)).toMatchObject({ data: [{ created: 1, approved: 1, published: 1, failed: 0 }] });
  });

  it('lets a person sign in and read', () => {
    expect(json('the first post', 6).data).toHaveLength(1);
  });

  it('switches on a fault of the network', () => {
    expect(json('the first post', 7)).toMatchObject({ kind: 'drop-after-effect', times: 1, hits: 0 });
  });

  it('reports on every row of a file, in a dry run and in the import', () => {
    const totals = { rowsRead: 3, created: 2, failed: 1 };
    expect(json('contacts', 2)).toMatchObject({ dryRun: true, importId: null, totals });
    expect(json('contacts', 3)).toMatchObject({
      ...{ dryRun: false, totals, seenBefore: null },
      errors: [{ line: 3, column: 'E-mail', code: 'invalid_email', value: 'max at example.com' }],
    });
  });

  it('exports the failed rows and imports them once corrected', () => {
    expect(answer('contacts', 4)).toContain('import_error;First Name;Last Name;E-mail;Phone;Labels');
    expect(json('contacts', 5)).toMatchObject({ totals: { rowsRead: 1, created: 1 } });
  });

  it('exports all contacts', () => {
    const rows = answer('contacts', 6).split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[1]).toMatch(/^Jana Nováková,jana@example.com,,,\+420 601 123 456,customer,,[0-9a-f-]{36}$/);
    expect(rows[2]).toMatch(/^"Doe, Jane",jane@example.com,,,,"customer; press",,/);
  });

  it('uploads a picture straight to the object store', () => {
    expect(answer('pictures', 2)).toMatch(/^File [0-9a-f-]{36}$/);
    expect(answer('pictures', 3)).toBe('200');
  });

  it('inspects it and shows a thumbnail', () => {
    expect(answer('pictures', 4)).toMatch(/^inspecting\nready\ncontent-type: image\/webp$/i);
  });

  it('publishes it with its alternative text', () => {
    expect(answer('pictures', 5)).toBe('scheduled\npublished\nalt="A blue horizon"');
  });

  it('gives the address of a consent page', () => {
    expect(answer('networks', 1)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/integrations\/linkedin\/connect\/start\?startToken=/,
    );
  });

  it('tells what a text counts on each network', () => {
    const counted = ['24', '280', 'true', '24', '3000', 'true', '18', '500', 'true'];
    expect(answer('networks', 2).split('\n')).toEqual(counted);
  });

  it('schedules one text on several networks at once', () => {
    expect(answer('networks', 3)).toBe('scheduled\nscheduled\nscheduled');
  });

  it('asks a model, whole and as a stream', () => {
    expect(answer('ai', 1)).toMatch(/^.+\nopenai\/.+\n0\.\d+$/s);
    expect(answer('ai', 2)).toMatch(/^event: delta\n[^]*\nevent: end\ndata: \{"finishReason":"stop"/);
  });

  it('draws an image once per key', () => {
    expect(answer('ai', 3)).toMatch(/^image\/png\nidempotent-replayed: true$/i);
  });

  it('continues at another provider after a rate limit', () => {
    expect(answer('ai', 4)).toMatch(/^x-attempts: openai\/\S+ rate, anthropic\/\S+ answered$/i);
  });
  it('shows models with prices, and stores which of them the organization uses', () => {
    const [models = '', preference = '', governance = ''] = answer('ai', 5).split(/(?<=\})(?=\{)/);
    expect(JSON.parse(models)).toMatchObject({
      data: expect.arrayContaining([expect.anything()]) as unknown,
    });
    expect(JSON.parse(preference)).toMatchObject({ version: 1, defaultModel: 'openai/gpt-image-2' });
    expect(JSON.parse(governance)).toHaveProperty('platformDefaults');
  });

  it('limits the spend, and shows what each model has cost', () => {
    const [hard = '', usage = ''] = answer('ai', 6).split('\n');
    expect(hard).toMatch(/^50(\.0+)?$/);
    const { data } = JSON.parse(usage) as { data: { group: { model: string }; cost: string }[] };
    const drawn = data.find(({ group }) => group.model === 'openai/gpt-image-2');
    expect(drawn).toMatchObject({
      calls: 1,
      attempts: 1,
      cost: expect.stringMatching(/^0\.0[1-9]/) as unknown,
    });
  });

  it('sends mail as a service, and shows it in the mailbox', async () => {
    expect(json('mail', 1)).toMatchObject({ recipients: [{ address: 'ada@example.com', state: 'sent' }] });
    const page = await fetch(`http://127.0.0.1:${machine.ports.SANDBOX_PORT}/mailbox`);
    expect(await page.text()).toContain('<strong>Welcome</strong>');
  });

  it('sets a price and opens a page to pay', () => {
    expect(answer('payments', 1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\S+$/);
  });

  it('lists trends of a model and of a feed, and suggests one', () => {
    expect(answer('trends', 1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/news\/coffee\.xml$/);
    expect(answer('trends', 2)).toBe('fresh\nfresh\nCold brew sells in winter too');
    expect(answer('trends', 3)).toBe('Cold brew sells in winter too\n\nSource: Coffee News\npending');
  });

  it('draws a picture by an AI model', () => {
    expect(answer('pictures', 6)).toMatch(/^openai\/gpt-image-2\n0\.\d+\nready$/);
  });

  it('can be followed again, without a problem', async () => {
    const again = await follow();
    const texts = Object.values(again).flat();
    expect(texts.filter((text) => text.includes('"urn:problem:'))).toEqual([]);
    expect(texts.map((text) => text === '')).toEqual(
      Object.values(answers)
        .flat()
        .map((text) => text === ''),
    );
    expect(again['the first post']?.[4]).toMatch(/^published\nHello from the first post, /);
  });
});
