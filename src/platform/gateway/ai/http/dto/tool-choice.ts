import { ValidateBy } from 'class-validator';
import { TOOL_NAME } from './tool.dto.js';

const WORDS: readonly unknown[] = ['auto', 'none', 'required'];

function isToolChoice(value: unknown): boolean {
  if (WORDS.includes(value)) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { name, ...others } = value as { name?: unknown };
  return typeof name === 'string' && TOOL_NAME.test(name) && Object.keys(others).length === 0;
}

/** `auto`, `none`, `required` or `{ name }`. */
export const IsToolChoice = (): PropertyDecorator =>
  ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: isToolChoice,
      defaultMessage: () => 'must be auto, none, required or the name of a tool as { name }',
    },
  });
