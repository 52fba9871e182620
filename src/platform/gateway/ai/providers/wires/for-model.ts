import type { Accepts } from '../accepts.types.js';
import type { CompletionRequest } from './requests.js';
import { closedSchema } from './closed-schema.js';
import type { Members } from './values.js';

/** Empty for a model that refuses a temperature: the request works without. */
export const temperatureFor = (
  { temperature }: CompletionRequest,
  { maxTemperature }: Accepts,
): { readonly temperature?: number } =>
  temperature === null || maxTemperature === null
    ? {}
    : { temperature: Math.min(temperature, maxTemperature) };

/** In the dialect of the model. `unsendable` has refused what it cannot express. */
export const schemaFor = (
  { schema }: NonNullable<CompletionRequest['responseSchema']>,
  accepts: Accepts,
): Members => (accepts.schema === 'closed' ? closedSchema(schema) : schema);
