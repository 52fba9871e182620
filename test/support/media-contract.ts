import { createHash, randomUUID } from 'node:crypto';
import { MediaIsMissing } from '#libs/content';
import type { NetworkCall } from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import {
  CONNECTING,
  ContractSubject,
  NOTHING,
  refusalOf,
  type StandInWithFiles,
} from './contract-subject.js';
import { MemoryFile } from './memory-file.js';

/** Every provider that sends the bytes of files passes it. */
export function mediaContract(name: string, start: () => Promise<StandInWithFiles>): void {
  describe(`files of posts on ${name}`, () => {
    let subject: ContractSubject<StandInWithFiles>;
    let standIn: StandInWithFiles;
    let provider: PublishingProvider;

    beforeAll(async () => {
      subject = await ContractSubject.start(start);
      standIn = subject.standIn;
      provider = await subject.providerAt();
    });
    afterAll(() => subject.stop());

    const aCall = async (text: string, files = standIn.files()): Promise<NetworkCall> => {
      const { profile, grant } = await subject.anAccount(provider);
      const content = standIn.content(text);
      const { accessToken } = grant;
      return { account: profile, accessToken, ...CONNECTING, attemptId: randomUUID(), content, files };
    };
    const aText = () => `Files ${randomUUID()}`;
    const hashOf = ({ content }: MemoryFile) => createHash('sha256').update(content).digest('hex');
    const published = async (call: NetworkCall, steps: Awaited<ReturnType<typeof subject.steps>>) => {
      expect(steps.step).toBeNull();
      const { prepared } = steps;
      const answer = await provider.commit({ ...call, prepared, maySend: () => true });
      expect(await subject.decided(provider, call, prepared, answer)).toMatchObject({ kind: 'published' });
      expect(await standIn.media.received(call.content.text)).toEqual(
        (call.files as MemoryFile[]).map(hashOf),
      );
    };
    /** The steps until the first part of the first file was sent. */
    const oneSent = async (call: NetworkCall) => {
      const before = await standIn.media.parts();
      let [step, prepared] = [provider.firstStep(call.content), NOTHING];
      while (step !== null && (await standIn.media.parts()) === before) {
        const taken = await subject.steps(provider, call, { step, prepared }, () => true);
        ({ step, prepared } = taken);
      }
      return { step, prepared };
    };

    it('are sent in parts that are read while they are sent, each byte once', async () => {
      const call = await aCall(aText());
      await published(call, await subject.steps(provider, call));
      for (const { opened, bytes } of call.files as MemoryFile[]) {
        const ends = opened.map(([, end]) => end);
        expect(opened.map(([begin]) => begin)).toEqual([0, ...ends.slice(0, -1)]);
        expect(ends.at(-1)).toBe(bytes);
        for (const [begin, end] of opened) expect(end - begin).toBeLessThanOrEqual(standIn.media.partBytes);
      }
      expect((call.files as MemoryFile[])[0]?.opened.length).toBeGreaterThan(1);
    });

    it('are continued by another process at the part that was stored last', async () => {
      const call = await aCall(aText());
      const stored = await oneSent(call);
      const before = await standIn.media.parts();
      const files = standIn.files();
      const other = { ...call, files, attemptId: randomUUID() };
      await published(other, await subject.steps(await subject.providerAt(), other, stored));
      expect(files[0]?.opened[0]?.[0]).toBe((call.files as MemoryFile[])[0]?.opened[0]?.[1]);
      const reads = files.reduce((sum, { opened }) => sum + opened.length, 0);
      expect((await standIn.media.parts()) - before).toBe(reads);
    });

    it('are complete when the answer to a part was lost and it is sent again', async () => {
      const call = await aCall(aText());
      const stored = await oneSent(call);
      await standIn.media.loseNextPart();
      const lost = await subject.steps(provider, call, stored);
      expect(lost).toMatchObject({ step: stored.step, last: { kind: 'no-answer' } });
      await published(call, await subject.steps(provider, call, lost));
    });

    it('that the network refuses are a definite failure', async () => {
      const call = await aCall(aText());
      const stored = await oneSent(call);
      await standIn.media.refuseNextPart();
      const { last } = await subject.steps(provider, call, stored);
      expect(refusalOf(last).failure.class).toBe('permanent');
    });

    it('that no longer exist are a definite failure, also in the middle of an upload', async () => {
      const call = await aCall(aText());
      const stored = await oneSent(call);
      for (const file of call.files as MemoryFile[])
        file.onChunk = () => {
          throw new MediaIsMissing(file.mediaId);
        };
      const { last } = await subject.steps(provider, call, stored);
      expect(refusalOf(last)).toMatchObject({ failure: { code: 'media_missing', class: 'permanent' } });
      expect(refusalOf(last).remedy).toBeUndefined();
      const none = { ...call, files: [] };
      const { last: absent } = await subject.steps(provider, none, stored);
      expect(refusalOf(absent).failure.code).toBe('media_missing');
    });

    it('that cannot be read just now are read again later', async () => {
      const call = await aCall(aText());
      const stored = await oneSent(call);
      const [file] = call.files as [MemoryFile];
      const outages: (() => void)[] = [
        () => {
          file.open = () => Promise.reject(new Error('The store is down.'));
        },
        () => {
          file.onChunk = (offset) => {
            if (offset > (file.opened.at(-1)?.[0] ?? 0)) throw new Error('The store went down.');
          };
        },
      ];
      for (const fails of outages) {
        fails();
        const stopped = await subject.steps(provider, call, stored);
        expect(stopped).toMatchObject({
          step: stored.step,
          last: { kind: 'no-answer', failure: { code: 'media_unreadable', class: 'transient' } },
        });
        Reflect.deleteProperty(file, 'open');
        file.onChunk = () => undefined;
      }
      await published(call, await subject.steps(provider, call, stored));
    });

    it.each([
      ['fewer', (file: MemoryFile) => new MemoryFile(file.content, { ...file, bytes: file.bytes + 1 })],
      [
        'more',
        (file: MemoryFile) =>
          Object.assign(new MemoryFile(file.content, file), {
            open: (start: number) => MemoryFile.prototype.open.call(file, start, file.bytes),
          }),
      ],
    ])('with %s bytes than announced are not taken for complete', async (_how, other) => {
      const [first, ...rest] = standIn.files() as [MemoryFile, ...MemoryFile[]];
      const call = await aCall(aText(), [other(first), ...rest]);
      const { step, prepared, last } = await subject.steps(provider, call);
      // The last part is the irreversible call of some networks.
      const outcome =
        step === null ? await provider.commit({ ...call, prepared, maySend: () => true }) : last;
      const kind = step === null ? 'not-sent' : 'no-answer';
      expect(outcome).toMatchObject({ kind, failure: { code: 'media_unreadable' } });
    });
  });
}
