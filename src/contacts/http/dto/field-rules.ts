import { registerDecorator } from 'class-validator';
import { isLonger, isText, tidyText } from '#libs/http';
import type { FieldRule } from '../../domain/field-declaration.js';
import { CONTACT_FIELDS } from '../../domain/contact-fields.js';

export function Follows({ name, code, message, isRight }: FieldRule): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message, context: { code } },
      validator: {
        validate: (value: unknown) => [value].flat().every((one) => isText(one) && isRight(one)),
      },
    });
}

const { maxItems, maxKey, max } = CONTACT_FIELDS.customFields;

export function faultOfCustomFields(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > maxItems) return `must not hold more than ${maxItems} fields`;
  if (entries.some(([key]) => tidyText(key) === null || isLonger(key, maxKey)))
    return `must have names of 1 to ${maxKey} characters`;
  if (!entries.every(([, one]) => isCustomValue(one)))
    return `must hold texts of at most ${max} characters, numbers, booleans or null only`;
  return undefined;
}

function isCustomValue(value: unknown): boolean {
  if (typeof value === 'string') return !isLonger(value, max);
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

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
