export {
  DomainError,
  domainError,
  type DomainErrorOptions,
  type ErrorKind,
  type FieldError,
} from './domain-error.js';
