export { ContactNotFound } from './contact.errors.js';
