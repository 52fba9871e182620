import type { JsonSchema } from './schema-value.js';

export interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images: number;
  readonly audio: readonly Buffer[];
}

export interface OfferedTool {
  readonly name: string;
  readonly parameters: JsonSchema;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** What a completion is asked for, without the words of a wire. */
export interface Prompt {
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
  readonly toolChoice: ToolChoice;
  /** The answer is JSON of this schema. */
  readonly schema: JsonSchema | null;
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
}

/** The text of the last turn that a tool or a person wrote. */
export const askedIn = ({ turns }: Prompt): string =>
  turns.findLast(({ role }) => role !== 'assistant')?.text ?? '';

/** All texts, in the order in which a provider would cache them. */
export const textOfPrompt = ({ system, turns, tools }: Prompt): string =>
  [JSON.stringify(tools), system, ...turns.map(({ text }) => text)].join('\n');
