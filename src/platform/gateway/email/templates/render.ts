import type { FieldError } from '#libs/errors';
import { escaped } from '#libs/pages';
import { finding, isHeaderText } from '../shared/addresses.js';

/** Lower-case words joined by hyphens, at most 64 characters. */
export const TEMPLATE_NAME = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** `text` is any text; `url` is an absolute http or https address, so that no link runs a script. */
export const VARIABLE_TYPES = ['text', 'url'] as const;

export interface TemplateVariable {
  readonly name: string;
  readonly type: (typeof VARIABLE_TYPES)[number];
  /** Used when a message has no value for it; null: a value is required. */
  readonly fallback: string | null;
}

export interface TemplateContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly variables: readonly TemplateVariable[];
}

export interface RenderedContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** Lower-case words joined by underscores. */
export const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,49}$/;
/** Blanks around the name are part of the match: to skip them here takes more than linear time where no closing braces follow. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** Braces of another template language. A closing pair by itself is allowed: style sheets end with it. */
const LEFTOVER = /\{\{/;
const TRIPLE = /\{\{\{/;
const MAX_VALUE = 20_000;
/** Of the subject, the text and the HTML together. Few bytes of placeholders could give a text that fills the memory. */
const MAX_RENDERED = 2_000_000;

/** What is wrong with a template: placeholders that are not declared, and braces that are none. */
export function findingsIn({ subject, text, html, variables }: TemplateContent): FieldError[] {
  const declared = new Set(variables.map(({ name }) => name));
  return Object.entries({ subject, text, html: html ?? '' }).flatMap(([member, content]) => {
    const unknown = placeholdersIn(content).filter((name) => !declared.has(name));
    const findings = [...new Set(unknown)].map((name) =>
      finding(member, 'variable_not_declared', `{{${name.slice(0, 50)}}} is not a declared variable`),
    );
    const isMalformed = TRIPLE.test(content) || LEFTOVER.test(content.replace(PLACEHOLDER, ''));
    if (isMalformed)
      findings.push(finding(member, 'placeholder_malformed', 'must have placeholders like {{name}} only'));
    return findings;
  });
}

const placeholdersIn = (content: string): string[] =>
  [...content.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());

/**
 * Puts the values in. Values are escaped in HTML and are never read as placeholders.
 * @returns the findings when values are missing, unknown or not valid
 */
export function render(
  template: TemplateContent,
  values: Readonly<Record<string, string>>,
): RenderedContent | { readonly findings: FieldError[] } {
  const findings = [
    ...unknownIn(template, values),
    ...template.variables.flatMap((one) => findingOf(one, values, template)),
  ];
  if (findings.length > 0) return { findings };
  const complete = new Map(
    template.variables.map((variable) => [variable.name, valueOf(variable, values) ?? '']),
  );
  const lengthOf = (content: string): number =>
    placeholdersIn(content).reduce((sum, name) => sum + (complete.get(name)?.length ?? 0), content.length);
  const length = lengthOf(template.subject) + lengthOf(template.text) + lengthOf(template.html ?? '');
  if (length > MAX_RENDERED)
    return { findings: [finding('variables', 'too_long', `must give at most ${MAX_RENDERED} characters`)] };
  const fill = (content: string, encode: (value: string) => string): string =>
    content.replace(PLACEHOLDER, (_, name: string) => encode(complete.get(name.trim()) ?? ''));
  const same = (value: string): string => value;
  return {
    subject: fill(template.subject, same),
    text: fill(template.text, same),
    html: template.html === null ? null : fill(template.html, escaped),
  };
}

function unknownIn({ variables }: TemplateContent, values: Readonly<Record<string, string>>): FieldError[] {
  const declared = new Set(variables.map(({ name }) => name));
  return Object.keys(values)
    .filter((name) => !declared.has(name))
    .map((name) => inVariable(name, 'variable_not_declared', 'is not a variable of the template'));
}

/** Own members only: a variable may be named as an inherited member, such as constructor. */
const valueOf = ({ name, fallback }: TemplateVariable, values: Readonly<Record<string, string>>) =>
  (Object.hasOwn(values, name) ? values[name] : undefined) ?? fallback;

function findingOf(
  variable: TemplateVariable,
  values: Readonly<Record<string, string>>,
  { subject }: TemplateContent,
): FieldError[] {
  const { name, type } = variable;
  const value = valueOf(variable, values);
  if (value === null) return [inVariable(name, 'variable_missing', 'must be sent')];
  if (value.length > MAX_VALUE)
    return [inVariable(name, 'too_long', `must have at most ${MAX_VALUE} characters`)];
  if (type === 'url' && !isWebAddress(value))
    return [inVariable(name, 'not_a_url', 'must be an absolute http or https address')];
  if (placeholdersIn(subject).includes(name) && !isHeaderText(value))
    return [inVariable(name, 'not_one_line', 'must be one line, because the subject has it')];
  return [];
}

const inVariable = (name: string, code: string, detail: string): FieldError =>
  finding(`variables/${name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 60)}`, code, detail);

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
