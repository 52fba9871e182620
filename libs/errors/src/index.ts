export { DomainError, domainError } from './domain-error.js';
export type { DomainErrorOptions, ErrorKind, FieldError } from './domain-error.js';
