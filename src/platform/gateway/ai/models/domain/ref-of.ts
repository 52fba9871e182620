import { ModelIsNotFound } from '../model.errors.js';
import { type ModelRef, parseModelRef } from './model-ref.js';

/** Of a request. @throws ModelIsNotFound */
export function refOf(model: string): ModelRef {
  const ref = parseModelRef(model);
  if (!ref) throw new ModelIsNotFound(model.slice(0, 264));
  return ref;
}
