import { randomUUID } from 'node:crypto';
import { get, type Member, type Operations, type Work } from './member.js';

const of = (path: string): Work => get(`/api/contacts?includeTotal=false&${path}`);
const form = (name: string, content: string): FormData => {
  const body = new FormData();
  body.set('file', new Blob([content]), name);
  return body;
};
const imported = (member: Member, rows = 'Person 7,p7@example.com\n') =>
  member.ask('POST', '/api/contacts/import', form('contacts.csv', `name,email\n${rows}`));
const withNote = async (member: Member) => {
  const path = `/api/contacts/${await member.contact()}/notes`;
  const { id } = await member.ask('POST', path, { body: 'A note' });
  return `${path}/${id}`;
};
const withFile = async (member: Member) => {
  const path = `/api/contacts/${await member.contact()}/attachments`;
  const { id } = await member.ask('POST', path, form('a.txt', randomUUID()));
  return { path, file: `/api/attachments/${id}` };
};

const CONTACTS: Operations = {
  listContacts: {
    'the first page': of(''),
    'a later page': of('page=5'),
    'the oldest': of('sort=createdAt'),
    'by name': of('sort=name'),
    'by name backwards': of('sort=-name'),
    deleted: of('deleted=true'),
    'deleted by name': of('deleted=true&sort=name'),
    'with their total': get('/api/contacts'),
    'a rare word': get('/api/contacts?q=quetzal'),
    'a word that none has': get('/api/contacts?q=xylograph'),
    'a word with a typo': get('/api/contacts?q=quetzql'),
    'a part of a word': get('/api/contacts?q=uetza'),
    'a part of a phone number': get('/api/contacts?q=1000123'),
    'a phone number': get(`/api/contacts?q=${encodeURIComponent('+420 601 000 123')}`),
  },
  exportContacts: get('/api/contacts/export?q=quetzal'),
  createContact: {
    'a new one': (member) =>
      member.ask('POST', '/api/contacts', { name: 'Jana', email: `${randomUUID()}@example.com` }),
    'one that exists': (member) =>
      member.attempt('POST', '/api/contacts?onDuplicate=reject', { name: 'Jana', email: 'p7@example.com' }),
  },
  getContact: async (member) => member.ask('GET', `/api/contacts/${await member.contact()}`),
  updateContact: async (member) =>
    member.ask('PUT', `/api/contacts/${await member.contact()}`, { company: randomUUID() }),
  deleteContact: async (member) => member.ask('DELETE', `/api/contacts/${await member.contact()}`),
  restoreContact: async (member) => {
    const path = `/api/contacts/${await member.contact()}`;
    await member.ask('DELETE', path);
    return member.ask('POST', `${path}/restore`);
  },
  importContacts: (member) => imported(member),
  getContactImport: async (member) => {
    const { importId } = await imported(member);
    return member.ask('GET', `/api/contacts/imports/${importId}`);
  },
  getFailedRows: async (member) => {
    const { importId } = await imported(member, `,\nJana,${'x'.repeat(400)}@example.com\n`);
    return member.attempt('GET', `/api/contacts/imports/${importId}/failed-rows`);
  },
  addNote: withNote,
  listNotes: async (member) => member.ask('GET', (await withNote(member)).replace(/\/[^/]+$/, '')),
  getNote: async (member) => member.ask('GET', await withNote(member)),
  updateNote: async (member) => member.ask('PUT', await withNote(member), { body: 'Another note' }),
  deleteNote: async (member) => member.ask('DELETE', await withNote(member)),
  addAttachment: withFile,
  listAttachments: async (member) => member.ask('GET', (await withFile(member)).path),
  downloadAttachment: async (member) => member.ask('GET', (await withFile(member)).file),
  deleteAttachment: async (member) => member.ask('DELETE', (await withFile(member)).file),
};

interface Pipeline {
  readonly id: string;
  readonly stages: readonly { readonly id: string }[];
}
const first = async (member: Member): Promise<Pipeline> => (await member.ask('GET', '/api/pipeline')).data[0];
/** Works on a new pipeline of two stages, which is archived afterwards. */
const onPipeline =
  (work: (member: Member, path: string, stageIds: readonly string[]) => Promise<unknown>): Work =>
  async (member) => {
    const { organizationId } = member;
    const created = { name: randomUUID(), stages: ['Lead', 'Won'], organizationId };
    const { id, stages } = (await member.ask('POST', '/api/pipeline', created)) as Pipeline;
    const path = `/api/pipeline/${id}`;
    await work(
      member,
      path,
      stages.map((stage) => stage.id),
    );
    return member.ask('DELETE', path);
  };
const move = async (member: Member) => {
  const [{ stages }, contactId] = [await first(member), await member.contact()];
  await member.ask('PUT', `/api/pipeline/${contactId}/move`, { stageId: stages[0]?.id });
  return contactId;
};

const PIPELINES: Operations = {
  listPipelines: get('/api/pipeline'),
  getPipeline: async (member) => member.ask('GET', `/api/pipeline/${(await first(member)).id}`),
  getBoard: async (member) => member.ask('GET', `/api/pipeline/${(await first(member)).id}/board`),
  createPipeline: onPipeline(() => Promise.resolve()),
  archivePipeline: onPipeline(() => Promise.resolve()),
  renamePipeline: onPipeline((member, path) => member.ask('PUT', path, { name: randomUUID() })),
  addStage: onPipeline((member, path) => member.ask('POST', `${path}/stages`, { name: 'Next' })),
  reorderStages: onPipeline((member, path, ids) =>
    member.ask('PUT', `${path}/stages`, { stageIds: ids.toReversed() }),
  ),
  renameStage: onPipeline((member, path, [id]) =>
    member.ask('PUT', `${path}/stages/${id}`, { name: 'Next' }),
  ),
  archiveStage: onPipeline((member, path, [id]) => member.ask('DELETE', `${path}/stages/${id}`)),
  moveContact: move,
  listMovements: async (member) => member.ask('GET', `/api/pipeline/${await move(member)}/history`),
};

export const CONTACT_OPERATIONS: Operations = { ...CONTACTS, ...PIPELINES };
