export { ContactNotFound } from './domain/contact.errors.js';
