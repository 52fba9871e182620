export type { ContactSummary } from './contact.view.js';
export { FindContacts } from './queries/find-contacts.js';
