import { registerDecorator, type ValidationOptions } from 'class-validator';
import { webUriOf } from '#libs/content';

/** Longest text any of the networks takes is 63 206 characters (a post on the page-and-group network). */
export const MAX_TEXT = 65_000;
export const MAX_TITLE = 300;
export const MAX_LINK = 2_048;
export const MAX_MEDIA = 20;
/** Characters of one tag, and of all tags of a post: the largest limit of a network (YouTube: 500 in all). */
export const MAX_TAG = 100;
export const MAX_TAGS = 500;
export const MAX_THREAD_POSITION = 1_000;

/** Code points, so that one emoji outside of the basic plane counts as one. */
export function MaxCodePoints(limit: number, options: ValidationOptions = {}): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'maxCodePoints',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: `must not be longer than ${limit} characters`,
        context: { code: 'too_long' },
        ...options,
      },
      validator: { validate: (value: unknown) => typeof value === 'string' && isWithin(value, limit) },
    });
}

/** Code points of all texts of a list together. Other rules refuse what is no list of texts. */
export function MaxTotalCodePoints(limit: number): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'maxTotalCodePoints',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: `must not have more than ${limit} characters in all`,
        context: { code: 'too_long' },
      },
      validator: { validate: (value: unknown) => !Array.isArray(value) || isWithin(value.join(''), limit) },
    });
}

/** Avoids counting the code points of texts that are certainly shorter or longer. */
function isWithin(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  if (text.length > 2 * limit) return false;
  return [...text].length <= limit;
}

/** An absolute address a network can show: http or https, with a host, without credentials. It is sent as a URI. */
export function IsWebAddress(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isWebAddress',
      target: target.constructor,
      propertyName: String(property),
      options: {
        message: `must be an http or https address of at most ${MAX_LINK} characters as a URI`,
        context: { code: 'not_a_web_address' },
      },
      validator: { validate: isWebAddress },
    });
}

function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_LINK) return false;
  const uri = webUriOf(value);
  return uri !== null && uri.length <= MAX_LINK;
}
