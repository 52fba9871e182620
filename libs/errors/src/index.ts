export { DomainError, domainError } from './domain-error.js';
export type { DomainErrorOptions, ErrorKind, FieldError, Occurrence } from './domain-error.js';
