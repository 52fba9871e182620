import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Machine } from '../../support/boot-embedded.js';

const run = promisify(execFile);

/** The commands of the README's walkthroughs, in their order, exactly as a reader copies them. */
async function commandsOf(...titles: string[]): Promise<string[]> {
  const sections = (await readFile('README.md', 'utf8')).split(/^###? /m);
  return titles.flatMap((title) => {
    const section = sections.find((text) => text.startsWith(title)) ?? '';
    return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);
  });
}

describe('the walkthroughs of the README', () => {
  let machine: Machine;
  let answers: string[];

  /** Follows all walkthroughs from the first to the last command. @returns what each block printed */
  const follow = async (): Promise<string[]> => {
    const blocks = await commandsOf(
      'The first post',
      'Contacts from a spreadsheet',
      'A picture in a post',
      'Seven networks',
      'Ask a model',
      'Models',
      'Limits and usage',
      'Mail',
      'Payments',
      'Trends',
      'A picture by an AI model',
    );
    const script = blocks.map((block, index) => `printf "\\n=== ${index}\\n"\n${block}`).join('\n');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: machine.folder });
    return stdout
      .split(/^=== \d+\n/m)
      .slice(1)
      .map((text) => text.trim());
  };

  beforeAll(async () => {
    machine = await Machine.make();
    await machine.start().ready();
    answers = await follow();
  }, 600_000);

  afterAll(() => machine.tearDown());

  const answer = (index: number) => answers[index] ?? '';
  const json = (index: number) =>
    JSON.parse(answer(index)) as { data: Record<string, unknown>[] } & Record<string, unknown>;

  it('has commands to copy', () => {
    expect(answers).toHaveLength(35);
  });

  it('suggests a post as a service principal', () => {
    expect(answer(1)).toMatch(/^Post [0-9a-f-]{36}$/);
  });

  it('finds it pending in the queue, with its safe actions', () => {
    expect(json(2).data).toEqual([
      expect.objectContaining({
        contentId: answer(1).slice('Post '.length),
        approvalState: 'pending',
        safeActions: expect.arrayContaining([expect.objectContaining({ method: 'POST' })]),
      }),
    ]);
  });

  it('approves it by API key and schedules it, also long after it was suggested', () => {
    expect(answer(3)).toBe('approved\nscheduled');
  });

  it('publishes it on the timeline of the network', () => {
    expect(answer(4)).toMatch(/^published\nHello from the first post, \d\d:\d\d:\d\d\.$/);
  });

  it('shows it in the audit and in today’s counts', () => {
    const [audit = '', daily = ''] = answer(5).split(/(?<=\})(?=\{)/);
    const kinds = (JSON.parse(audit) as { data: { kind: string }[] }).data.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['post.suggested', 'post.approved', 'post.published']));
    expect(JSON.parse(daily)).toMatchObject({ data: [{ created: 1, approved: 1, published: 1, failed: 0 }] });
  });

  it('lets a person sign in and read', () => {
    expect(json(6).data).toHaveLength(1);
  });

  it('switches on a fault of the network', () => {
    expect(json(7)).toMatchObject({ kind: 'drop-after-effect', times: 1, hits: 0 });
  });

  it('reports on every row of a file, in a dry run and in the import', () => {
    const totals = { rowsRead: 3, created: 2, failed: 1 };
    expect(json(9)).toMatchObject({ dryRun: true, importId: null, totals });
    expect(json(10)).toMatchObject({
      ...{ dryRun: false, totals, seenBefore: null },
      errors: [{ line: 3, column: 'E-mail', code: 'invalid_email', value: 'max at example.com' }],
    });
  });

  it('exports the failed rows and imports them once corrected', () => {
    expect(answer(11)).toContain('import_error;First Name;Last Name;E-mail;Phone;Labels');
    expect(json(12)).toMatchObject({ totals: { rowsRead: 1, created: 1 } });
  });

  it('exports all contacts', () => {
    const rows = answer(13).split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[1]).toMatch(/^Jana Nováková,jana@example.com,,,\+420 601 123 456,customer,,[0-9a-f-]{36}$/);
    expect(rows[2]).toMatch(/^"Doe, Jane",jane@example.com,,,,"customer; press",,/);
  });

  it('uploads a picture straight to the object store', () => {
    expect(answer(15)).toMatch(/^File [0-9a-f-]{36}$/);
    expect(answer(16)).toBe('200');
  });

  it('inspects it and shows a thumbnail', () => {
    expect(answer(17)).toMatch(/^inspecting\nready\ncontent-type: image\/webp$/i);
  });

  it('publishes it with its alternative text', () => {
    expect(answer(18)).toBe('scheduled\npublished\nalt="A blue horizon"');
  });

  it('gives the address of a consent page', () => {
    expect(answer(19)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/integrations\/linkedin\/connect\/start\?startToken=/,
    );
  });

  it('tells what a text counts on each network', () => {
    const counted = ['24', '280', 'true', '24', '3000', 'true', '18', '500', 'true'];
    expect(answer(20).split('\n')).toEqual(counted);
  });

  it('schedules one text on several networks at once', () => {
    expect(answer(21)).toBe('scheduled\nscheduled\nscheduled');
  });

  it('asks a model, whole and as a stream', () => {
    expect(answer(23)).toMatch(/^.+\nopenai\/.+\n0\.\d+$/s);
    expect(answer(24)).toMatch(/^event: delta\n[^]*\nevent: end\ndata: \{"finishReason":"stop"/);
  });

  it('draws an image once per key', () => {
    expect(answer(25)).toMatch(/^image\/png\nidempotent-replayed: true$/i);
  });

  it('continues at another provider after a rate limit', () => {
    expect(answer(26)).toMatch(/^x-attempts: openai\/\S+ rate, anthropic\/\S+ answered$/i);
  });
  it('shows models with prices, and stores which of them the organization uses', () => {
    const [models = '', preference = '', governance = ''] = answer(27).split(/(?<=\})(?=\{)/);
    expect(JSON.parse(models)).toMatchObject({
      data: expect.arrayContaining([expect.anything()]) as unknown,
    });
    expect(JSON.parse(preference)).toMatchObject({ version: 1, defaultModel: 'openai/gpt-image-2' });
    expect(JSON.parse(governance)).toHaveProperty('platformDefaults');
  });

  it('limits the spend, and shows what each model has cost', () => {
    const [hard = '', usage = ''] = answer(28).split('\n');
    expect(hard).toMatch(/^50(\.0+)?$/);
    const { data } = JSON.parse(usage) as { data: { group: { model: string }; cost: string }[] };
    const drawn = data.find(({ group }) => group.model === 'openai/gpt-image-2');
    expect(drawn).toMatchObject({
      calls: 1,
      attempts: 1,
      cost: expect.stringMatching(/^0\.0[1-9]/) as unknown,
    });
  });

  it('sends mail as a service', () => {
    expect(json(29)).toMatchObject({ recipients: [{ address: 'ada@example.com', state: 'sent' }] });
  });

  it('sets a price and opens a page to pay', () => {
    expect(answer(30)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\S+$/);
  });

  it('lists trends of a model and of a feed, and suggests one', () => {
    expect(answer(31)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/news\/coffee\.xml$/);
    expect(answer(32)).toBe('fresh\nfresh\nCold brew sells in winter too');
    expect(answer(33)).toBe('Cold brew sells in winter too\n\nSource: Coffee News\npending');
  });

  it('draws a picture by an AI model', () => {
    expect(answer(34)).toMatch(/^openai\/gpt-image-2\n0\.\d+\nready$/);
  });

  it('can be followed again, without a problem', async () => {
    const again = await follow();
    expect(again.filter((text) => text.includes('"urn:problem:'))).toEqual([]);
    expect(again.map((text) => text === '')).toEqual(answers.map((text) => text === ''));
    expect(again[4]).toMatch(/^published\nHello from the first post, /);
  });
});
