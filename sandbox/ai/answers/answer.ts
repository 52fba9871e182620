import { askedIn, type OfferedTool, type Prompt } from './prompt.js';
import { type JsonSchema, valueOf } from './schema-value.js';
import { tokensOf, writtenFor } from './tokens.js';

/** What the author of a prompt tells the sandbox by `[sandbox: …]` in its text. */
interface Directives {
  readonly refuses: boolean;
  /** A filter of the provider removes the answer. */
  readonly filters: boolean;
  readonly blocks: boolean;
  readonly words: number | null;
  readonly says: string | null;
  readonly thinks: number;
}

const DIRECTIVE = /\[sandbox: (refuse|filter|block|words \d{1,6}|think \d{1,6}|say [^\]]*)\]/g;

/** Of the last turn. */
export function directivesIn(text: string): Directives {
  const found = [...text.matchAll(DIRECTIVE)].map(([, directive = '']) => directive);
  const after = (verb: string): string | null =>
    found.find((directive) => directive.startsWith(`${verb} `))?.slice(verb.length + 1) ?? null;
  const words = after('words');
  return {
    refuses: found.includes('refuse'),
    filters: found.includes('filter'),
    blocks: found.includes('block'),
    words: words === null ? null : Number(words),
    says: after('say'),
    thinks: Number(after('think') ?? 0),
  };
}

export const withoutDirectives = (text: string): string => text.replaceAll(DIRECTIVE, '').trim();

/**
 * Why an answer ends. `refusal`: the model refuses in words, which are `tokens`. `filter`: the provider removed the answer.
 */
export type AnswerEnd = 'stop' | 'stop-sequence' | 'length' | 'tools' | 'refusal' | 'filter';

export interface AskedTool {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Answer {
  /** Of the text; joined they are the text. */
  readonly tokens: readonly string[];
  readonly toolCalls: readonly AskedTool[];
  readonly end: AnswerEnd;
  readonly stopSequence: string | null;
  readonly reasoningTokens: number;
}

const REFUSAL = 'I’m sorry, but I can’t help with that.';

/** The answer to a prompt, the same for the same one. @param transcript of the audio in the prompt */
export function answerTo(prompt: Prompt, maxTokens: number, transcript: string | null): Answer {
  const asked = askedIn(prompt);
  const { refuses, filters, thinks } = directivesIn(asked);
  if (refuses) return bounded(tokensOf(REFUSAL), 'refusal', maxTokens, 0);
  if (filters) return { ...bounded([], 'filter', maxTokens, 0), end: 'filter' };
  const toolCalls = toolsAskedFor(prompt, asked);
  if (toolCalls.length > 0) {
    return { tokens: [], toolCalls, end: 'tools', stopSequence: null, reasoningTokens: 0 };
  }
  const { text, stopSequence } = stopped(textFor(prompt, asked, transcript), prompt.stop);
  const end = stopSequence === null ? 'stop' : 'stop-sequence';
  return { ...bounded(tokensOf(text), end, maxTokens, thinks), stopSequence };
}

/** Reasoning comes first, so that a low limit can leave no text at all. */
function bounded(tokens: readonly string[], end: AnswerEnd, maxTokens: number, thinks: number): Answer {
  const reasoningTokens = Math.min(thinks, maxTokens);
  const left = maxTokens - reasoningTokens;
  const isCut = tokens.length > left || thinks > maxTokens;
  return {
    tokens: tokens.slice(0, left),
    toolCalls: [],
    end: isCut ? 'length' : end,
    stopSequence: null,
    reasoningTokens,
  };
}

function textFor({ schema }: Prompt, asked: string, transcript: string | null): string {
  if (transcript !== null) return transcript;
  const { says, words } = directivesIn(asked);
  const subject = withoutDirectives(asked);
  if (schema !== null) return JSON.stringify(valueOf(schema, subject));
  return says ?? writtenFor(subject, words);
}

function stopped(text: string, stop: readonly string[]): { text: string; stopSequence: string | null } {
  let first: { at: number; sequence: string } | null = null;
  for (const sequence of stop) {
    const at = sequence === '' ? -1 : text.indexOf(sequence);
    if (at >= 0 && (first === null || at < first.at)) first = { at, sequence };
  }
  return first === null
    ? { text, stopSequence: null }
    : { text: text.slice(0, first.at), stopSequence: first.sequence };
}

/** A tool that must be called, or whose name the person writes. After the result of a tool the model answers in words. */
function toolsAskedFor({ tools, toolChoice, turns }: Prompt, asked: string): readonly AskedTool[] {
  if (tools.length === 0 || toolChoice === 'none' || turns.at(-1)?.role === 'tool') return [];
  const named = tools.filter(({ name }) => asked.includes(name));
  return chosenTools(tools, named, toolChoice).map(({ name, parameters }) => ({
    name,
    arguments: valueOf(parameters, withoutDirectives(asked)) as Record<string, unknown>,
  }));
}

function chosenTools(
  tools: readonly OfferedTool[],
  named: readonly OfferedTool[],
  choice: Prompt['toolChoice'],
): readonly OfferedTool[] {
  if (typeof choice === 'object') return tools.filter(({ name }) => name === choice.name);
  if (choice === 'required' && named.length === 0) return tools.slice(0, 1);
  return named;
}

/** The schema of a tool without parameters. */
export const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} };

/** Tokens of the output without reasoning. */
export const outputTokens = ({ tokens, toolCalls }: Answer): number =>
  tokens.length +
  toolCalls.reduce((sum, call) => sum + tokensOf(call.name + JSON.stringify(call.arguments)).length, 0);
