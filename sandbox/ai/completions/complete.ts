import { type Answer, answerTo, directivesIn, outputTokens, withoutDirectives } from '../answers/answer.js';
import { askedIn, type Prompt, textOfPrompt } from '../answers/prompt.js';
import { countTokens } from '../answers/tokens.js';
import { type Heard, transcribed } from '../audio/tones.js';
import { draw } from '../pictures/drawing.js';
import { type BilledUsage, NOTHING_USED } from '../provider/bill.js';
import type { Ability } from '../provider/models.js';
import { invalid, refuse } from '../provider/problem.js';
import type { Admitted, ProviderCall, ProviderHandler } from '../provider/provider-call.js';
import { hasNoImage, spoiled } from '../provider/ai-faults.js';
import type { AskedCompletion, CompletionWire, DrawnPicture, MadeCompletion } from './completion.js';
import { streamOf } from './stream.js';

const TOKENS_PER_TURN = 4;
const TOKENS_PER_IMAGE = 258;
const AUDIO_TOKENS_PER_SECOND = 32;

interface InputTokens {
  readonly text: number;
  readonly image: number;
  readonly audio: number;
}

function inputTokensOf(prompt: Prompt, audioSeconds: number): InputTokens {
  const images = prompt.turns.reduce((sum, turn) => sum + turn.images, 0);
  return {
    text: countTokens(textOfPrompt(prompt)) + prompt.turns.length * TOKENS_PER_TURN,
    image: images * TOKENS_PER_IMAGE,
    audio: Math.ceil(audioSeconds * AUDIO_TOKENS_PER_SECOND),
  };
}

const sumOf = ({ text, image, audio }: InputTokens): number => text + image + audio;

/** @param cache how much of the input was read from and written to the cache */
function usageOf(
  input: InputTokens,
  cache: { readonly read: number; readonly written: number },
  answer: Answer,
): BilledUsage {
  const cachedInputTokens = Math.min(cache.read, input.text);
  const cacheWriteTokens = Math.min(cache.written, input.text - cachedInputTokens);
  return {
    ...NOTHING_USED,
    inputTokens: input.text - cachedInputTokens - cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    inputImageTokens: input.image,
    inputAudioTokens: input.audio,
    outputTokens: outputTokens(answer) + answer.reasoningTokens,
  };
}

const IMAGE_TOKENS = 1_120;

/** Answers a request for a completion in the words of a wire. */
export const completion =
  (wire: CompletionWire): ProviderHandler =>
  async (exchange) => {
    exchange.authenticate();
    const asked = wire.read(exchange);
    const admitted = exchange.admit(asked.model, abilityOf(asked));
    wire.check?.(asked, admitted.model, exchange);
    if (directivesIn(askedIn(asked.prompt)).blocks) refuse({ kind: 'policy', isImage: false });
    const { made, usage } = await make(exchange, wire, admitted, asked);
    const billed = exchange.accept(admitted, {
      ability: abilityOf(asked),
      prompt: askedIn(asked.prompt),
      usage: asked.isStreamed ? { ...usage, outputTokens: 0 } : usage,
    });
    if (asked.isStreamed) return streamOf(exchange, { wire, admitted, made, usage, billed });
    await exchange.think(admitted, billed);
    return exchange.answer(wire.whole(made), billed);
  };

const abilityOf = ({ prompt, picture }: AskedCompletion): Ability => {
  if (picture !== null) return 'image';
  return prompt.turns.some(({ audio }) => audio.length > 0) ? 'transcription' : 'completion';
};

async function make(
  exchange: ProviderCall,
  { refusesWithoutWords = false }: CompletionWire,
  admitted: Admitted,
  asked: AskedCompletion,
) {
  const { prompt } = asked;
  const { model, fault } = admitted;
  const heard = await heardIn(prompt);
  const input = inputTokensOf(prompt, heard?.seconds ?? 0);
  const [tokens, limit] = [sumOf(input), model.contextWindow];
  if (tokens >= limit) refuse({ kind: 'too-long', tokens, limit });
  const room = Math.min(prompt.maxTokens ?? model.maxOutputTokens, limit - tokens);
  const written = answerTo(prompt, room, heard === null ? null : heard.text);
  const answer = refusesWithoutWords && written.end === 'refusal' ? { ...written, tokens: [] } : written;
  const picture = await pictureFor(exchange, admitted, asked, answer);
  const used = usageOf(input, cacheOf(exchange, admitted, asked), answer);
  const usage = picture === null && fault?.kind !== 'bill-without-image' ? used : withImage(used, asked);
  const said = { 'no-usage': null, 'zero-usage': NOTHING_USED }[fault?.kind as string];
  const made: MadeCompletion = {
    asked,
    model,
    requestId: exchange.requestId,
    at: exchange.now,
    answer,
    picture,
    usage: said === undefined ? usage : said,
    reasoningTokens: answer.reasoningTokens,
    isEmpty: fault?.kind === 'empty-choices',
    tokensPerPart: exchange.provider.settings.tokensPerPart,
  };
  // The usage is billed, whatever the response says.
  return { made, usage };
}

async function heardIn(prompt: Prompt): Promise<Heard | null> {
  const audio = prompt.turns.flatMap((turn) => turn.audio)[0];
  if (!audio) return null;
  return (await transcribed(audio)) ?? invalid('The audio could not be processed.', 'audio');
}

function cacheOf(
  { provider, provider: { nature } }: ProviderCall,
  { key, model }: Admitted,
  { cacheable }: AskedCompletion,
): { read: number; written: number } {
  if (cacheable === null) return { read: 0, written: 0 };
  const found = provider.cache.read(`${key.id} ${model.id}`, cacheable);
  return { read: found.cached, written: nature.billsCacheWrites ? found.cacheable - found.cached : 0 };
}

async function pictureFor(
  exchange: ProviderCall,
  { model, fault }: Admitted,
  { picture, prompt }: AskedCompletion,
  { end }: Answer,
): Promise<DrawnPicture | null> {
  if (picture === null || end === 'refusal' || end === 'filter' || hasNoImage(fault)) return null;
  const subject = withoutDirectives(askedIn(prompt));
  const drawn = await draw({ ...picture, prompt: subject, index: 0 });
  const { gallery } = exchange.provider.world;
  const shown = { provider: exchange.provider.network, model: model.id, prompt: subject };
  await gallery.add({ ...shown, at: exchange.now.toISOString(), format: picture.format }, drawn);
  return { bytes: await spoiled(drawn, fault), mediaType: `image/${picture.format}` };
}

/** The text that comes with a picture is not sent. */
const withImage = (usage: BilledUsage, { picture }: AskedCompletion): BilledUsage => ({
  ...usage,
  outputTokens: 0,
  outputImageTokens:
    picture === null ? 0 : Math.round((IMAGE_TOKENS * picture.width * picture.height) / 1024 ** 2),
  images: picture === null ? 0 : 1,
});
