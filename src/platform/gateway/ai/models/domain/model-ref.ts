/** A model of a provider, written `provider/model`, for example `openai/gpt-image-2`. The model can contain slashes. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

/** Of requests that store one. */
export const REF = /^[a-z][a-z0-9-]{0,62}\/[^\s"'\\]{1,200}$/;

/** null for text that is no reference. */
export function parseModelRef(text: string): ModelRef | null {
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1) return null;
  return { provider: text.slice(0, slash), model: text.slice(slash + 1) };
}

export const modelRef = ({ provider, model }: ModelRef): string => `${provider}/${model}`;
