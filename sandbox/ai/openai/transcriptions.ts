import { extname } from 'node:path';
import { countTokens } from '../answers/tokens.js';
import { type Heard, transcribed } from '../audio/tones.js';
import { type BilledUsage, NOTHING_USED } from '../provider/bill.js';
import type { AiModel } from '../provider/models.js';
import { invalid, refuse } from '../provider/problem.js';
import type { ProviderCall, ProviderHandler } from '../provider/provider-call.js';

const EXTENSIONS = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm'];
const MAX_FILE_BYTES = 26_214_400;
const AUDIO_TOKENS_PER_SECOND = 10;
const FIELDS = new Set(
  'file model language prompt response_format temperature stream chunking_strategy include include[] timestamp_granularities[]'.split(
    ' ',
  ),
);

export const transcribe: ProviderHandler = async (exchange) => {
  exchange.authenticate();
  const form = await formOf(exchange);
  const file = fileIn(form);
  const { model, prompt } = { model: textIn(form, 'model'), prompt: textIn(form, 'prompt') };
  const admitted = exchange.admit(model, 'transcription');
  mustBeFormat(textIn(form, 'response_format') || 'json', admitted.model);
  if (!EXTENSIONS.includes(extname(file.name).slice(1).toLowerCase()))
    invalid(
      `Invalid file format. Supported formats: ${JSON.stringify(EXTENSIONS).replaceAll('"', "'")}`,
      null,
    );
  const heard = await transcribed(Buffer.from(await file.arrayBuffer()));
  if (!heard) return invalid('Audio file might be corrupted or unsupported', 'file', 'invalid_value');
  const usage = usageOf(heard, prompt, admitted.model);
  const billed = exchange.accept(admitted, { ability: 'transcription', prompt: heard.text, usage });
  await exchange.think(admitted, billed);
  const { fault } = admitted;
  const said = fault?.kind === 'zero-usage' ? NOTHING_USED : usage;
  return exchange.answer(
    { text: heard.text, ...(fault?.kind !== 'no-usage' && { usage: written(said, admitted.model) }) },
    billed,
  );
};

async function formOf({ call }: ProviderCall): Promise<FormData> {
  const form = await call.multipart();
  if (!form) return invalid('The body must be multipart/form-data.', null);
  const unknown = [...form.keys()].find((name) => !FIELDS.has(name));
  return unknown === undefined
    ? form
    : invalid(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
}

function fileIn(form: FormData): File {
  const file = form.get('file');
  if (!(file instanceof File))
    return invalid("Missing required parameter: 'file'.", 'file', 'missing_required_parameter');
  if (file.size > MAX_FILE_BYTES) refuse({ kind: 'too-large' });
  return file;
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

function mustBeFormat(format: string, { id }: AiModel): void {
  if (format !== 'json')
    invalid(
      `response_format '${format}' is not compatible with model '${id}'. Use 'json' instead.`,
      'response_format',
      'unsupported_value',
    );
}

function usageOf({ text, seconds }: Heard, prompt: string, { audioUnit }: AiModel): BilledUsage {
  if (audioUnit === 'seconds') return { ...NOTHING_USED, audioSeconds: Math.ceil(seconds) };
  return {
    ...NOTHING_USED,
    inputTokens: countTokens(prompt),
    inputAudioTokens: Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND),
    outputTokens: countTokens(text),
  };
}

function written(usage: BilledUsage, { audioUnit }: AiModel): unknown {
  if (audioUnit === 'seconds') return { type: 'duration', seconds: usage.audioSeconds };
  const input = usage.inputTokens + usage.inputAudioTokens;
  return {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { text_tokens: usage.inputTokens, audio_tokens: usage.inputAudioTokens },
    output_tokens: usage.outputTokens,
    total_tokens: input + usage.outputTokens,
  };
}
