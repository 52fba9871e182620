export type { ContactEvent } from './contact.events.js';
