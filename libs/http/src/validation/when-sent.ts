import { ValidateIf } from 'class-validator';

/** Not sent is fine; what is sent, null too, has to be right. */
export const WhenSent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Not sent is fine, and null says there is none. */
export const WhenSentOrNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
