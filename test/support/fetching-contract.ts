import { randomUUID } from 'node:crypto';
import type { NetworkCall, Prepared } from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import {
  CONNECTING,
  ContractSubject,
  NOTHING,
  refusalOf,
  type StandInThatFetches,
} from './contract-subject.js';
import type { FetchedFile } from './media-host.js';

/** Every provider passes it whose network fetches files from the media host. */
export function fetchingContract(name: string, start: () => Promise<StandInThatFetches>): void {
  describe(`files that ${name} fetches`, () => {
    let subject: ContractSubject<StandInThatFetches>;
    let standIn: StandInThatFetches;
    let provider: PublishingProvider;

    beforeAll(async () => {
      subject = await ContractSubject.start(start);
      standIn = subject.standIn;
      provider = await subject.providerAt();
    });
    afterAll(() => subject.stop());

    const aCall = async (): Promise<NetworkCall> => {
      const { profile: account, grant } = await subject.anAccount(provider);
      const content = standIn.content(`Fetched ${randomUUID()}`);
      return {
        account,
        accessToken: grant.accessToken,
        ...CONNECTING,
        attemptId: randomUUID(),
        content,
        files: standIn.files(),
      };
    };
    const commit = async (
      call: NetworkCall,
      { step, prepared }: { step: string | null; prepared: Prepared },
    ) => {
      expect(step).toBeNull();
      const result = await provider.commit({ ...call, prepared, maySend: () => true });
      expect(result).toMatchObject({ kind: 'published' });
    };
    const hashes = ({ files }: NetworkCall) => (files as FetchedFile[]).map(({ sha256 }) => sha256);
    const texts = async ({ content }: NetworkCall) =>
      (await standIn.published()).filter((text) => text === content.text);

    it('are fetched once each, and the network has the same bytes', async () => {
      const call = await aCall();
      const before = standIn.fetching.host.fetched.length;
      await commit(call, await subject.steps(provider, call));
      expect(standIn.fetching.host.fetched.slice(before)).toEqual(call.content.mediaIds);
      expect(await standIn.fetching.received(call.content.text)).toEqual(hashes(call));
      for (const { opened } of call.files as FetchedFile[]) expect(opened).toEqual([]);
    });

    it('are not fetched again when another process continues after each step', async () => {
      const call = await aCall();
      const created = await standIn.fetching.created();
      const before = standIn.fetching.host.fetched.length;
      let stored: { step: string | null; prepared: Prepared } = {
        step: provider.firstStep(call.content),
        prepared: NOTHING,
      };
      while (stored.step !== null) {
        const other = { ...call, attemptId: randomUUID() };
        stored = await subject.steps(await subject.providerAt(), other, stored, () => true);
        await subject.closeLatest();
      }
      await commit(call, stored);
      expect(standIn.fetching.host.fetched.slice(before)).toEqual(call.content.mediaIds);
      expect((await standIn.fetching.created()) - created).toBe(standIn.fetching.createdForContent);
    });

    it.each(['gone', 'html', 'redirect', 'cut'] as const)(
      'whose address answers so are a failure before anything is published: %s',
      async (fault) => {
        const call = await aCall();
        standIn.fetching.host.failNext(fault);
        const { failure } = refusalOf((await subject.steps(provider, call)).last);
        expect(failure.code).toBe('media_not_fetched');
        expect(JSON.stringify(failure)).not.toContain('/m/');
        expect(await texts(call)).toEqual([]);
      },
    );

    it('that no longer exist are a definite failure', async () => {
      const call = await aCall();
      const { failure } = refusalOf((await subject.steps(provider, { ...call, files: [] })).last);
      expect(failure).toMatchObject({ code: 'media_missing', class: 'permanent' });
    });
  });
}
