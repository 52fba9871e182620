import { ValidateIf } from 'class-validator';

/** Optional. A sent value, null included, must be valid. */
export const WhenSent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Optional. Null clears the value. */
export const WhenSentOrNull = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
