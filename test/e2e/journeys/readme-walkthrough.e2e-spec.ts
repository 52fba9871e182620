import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Machine } from '../../support/boot-embedded.js';

const run = promisify(execFile);

/** The commands of the README's first post, in their order, exactly as a reader copies them. */
async function commandsOfTheFirstPost(): Promise<string[]> {
  const readme = await readFile('README.md', 'utf8');
  const section = readme.split(/^## /m).find((text) => text.startsWith('The first post')) ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);
}

describe('the first post, as the README tells it', () => {
  let machine: Machine;
  let answers: string[];

  beforeAll(async () => {
    machine = await Machine.make();
    await machine.start().ready();
    const blocks = await commandsOfTheFirstPost();
    const script = blocks.map((block, index) => `printf "\\n=== ${index}\\n"\n${block}`).join('\n');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: machine.folder });
    answers = stdout
      .split(/^=== \d+\n/m)
      .slice(1)
      .map((text) => text.trim());
  }, 120_000);

  afterAll(() => machine.tearDown());

  const answer = (index: number) => answers[index] ?? '';
  const json = (index: number) => JSON.parse(answer(index)) as { data: Record<string, unknown>[] };

  it('has commands to copy', () => {
    expect(answers).toHaveLength(7);
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

  it('approves it by API key, which schedules it', () => {
    expect(answer(3)).toBe('scheduled');
  });

  it('publishes it on the timeline of the network', () => {
    expect(answer(4)).toBe('published\nHello from the first post.');
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
});
