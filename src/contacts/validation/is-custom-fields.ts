import { registerDecorator } from 'class-validator';
import { isLonger, tidyText } from '#libs/http';
import { CONTACT_LIMITS } from '../domain/contact.js';

const { customFields, customKey, customText } = CONTACT_LIMITS;

/** The first violation in a map of custom fields, undefined without one. */
export function faultOfCustomFields(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > customFields) return `must not hold more than ${customFields} fields`;
  if (entries.some(([key]) => tidyText(key) === null || isLonger(key, customKey)))
    return `must have names of 1 to ${customKey} characters`;
  if (!entries.every(([, one]) => isCustomValue(one)))
    return `must hold texts of at most ${customText} characters, numbers, booleans or null only`;
  return undefined;
}

function isCustomValue(value: unknown): boolean {
  if (typeof value === 'string') return !isLonger(value, customText);
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

/** A flat map within the limits of a contact. */
export function IsCustomFields(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isCustomFields',
      target: target.constructor,
      propertyName: String(property),
      options: { context: { code: 'not_custom_fields' } },
      validator: {
        validate: (value: unknown) => faultOfCustomFields(value) === undefined,
        defaultMessage: (about) => faultOfCustomFields(about?.value) ?? '',
      },
    });
}
