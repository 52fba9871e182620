import { directivesIn, withoutDirectives } from '../answers/answer.js';
import { countTokens } from '../answers/tokens.js';
import { draw, type PictureFormat } from '../pictures/drawing.js';
import { hasNoImage, spoiled } from '../provider/ai-faults.js';
import { type BilledUsage, NOTHING_USED } from '../provider/bill.js';
import { asText, invalid, jsonBody, type Members, refuse } from '../provider/problem.js';
import type { Admitted, ProviderCall, ProviderHandler } from '../provider/provider-call.js';

const PARAMETERS = new Set(
  'background model moderation n output_compression output_format partial_images prompt quality size stream user'.split(
    ' ',
  ),
);
const MAX_PROMPT = 32_000;
/** Output tokens of a picture of 1024 × 1024. */
const TOKENS = { low: 272, medium: 1_056, high: 4_160 } as const;
const MAX_SIDE = 3_840;
const MAX_PIXELS = MAX_SIDE * 2_160;
const MIN_PIXELS = 655_360;

interface Order {
  readonly model: string;
  readonly prompt: string;
  readonly count: number;
  readonly width: number;
  readonly height: number;
  readonly quality: keyof typeof TOKENS;
  readonly format: PictureFormat;
  readonly background: string;
}

/** `POST /v1/images/generations` of GPT image models. */
export const generateImages: ProviderHandler = async (exchange) => {
  exchange.authenticate();
  const order = orderIn(jsonBody(exchange.call, 'We could not parse the JSON body of your request.'));
  const admitted = exchange.admit(order.model, 'image');
  if (directivesIn(order.prompt).blocks || directivesIn(order.prompt).refuses)
    refuse({ kind: 'policy', isImage: true });
  const usage = usageOf(order, admitted);
  const billed = exchange.accept(admitted, { ability: 'image', prompt: order.prompt, usage });
  await exchange.think(admitted, billed);
  const data = hasNoImage(admitted.fault) ? [] : await drawn(exchange, admitted, order);
  return exchange.answer(bodyOf(order, data, admitted, usage, exchange), billed);
};

function orderIn(body: Members): Order {
  const unknown = Object.keys(body).find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) invalid(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  const { model, prompt, n = 1, output_format: format = 'png', background = 'auto', quality = 'auto' } = body;
  if (asText(model) === '')
    invalid("Missing required parameter: 'model'.", 'model', 'missing_required_parameter');
  if (asText(prompt) === '')
    invalid("Missing required parameter: 'prompt'.", 'prompt', 'missing_required_parameter');
  if (asText(prompt).length > MAX_PROMPT)
    invalid(
      `Invalid 'prompt': string too long. Expected a string with maximum length ${MAX_PROMPT}.`,
      'prompt',
      'string_above_max_length',
    );
  if (!Number.isInteger(n) || (n as number) < 1 || (n as number) > 10)
    invalid("Invalid 'n': expected a value between 1 and 10.", 'n', 'integer_above_max_value');
  mustBeOneOf('output_format', format, ['png', 'jpeg', 'webp']);
  mustBeOneOf('background', background, ['auto', 'opaque', 'transparent']);
  mustBeOneOf('quality', quality, ['auto', 'low', 'medium', 'high']);
  if (body.stream === true) invalid('Streaming of images is not simulated.', 'stream');
  return {
    model: asText(model),
    prompt: asText(prompt),
    count: n as number,
    ...sizeIn(asText(body.size) || 'auto', asText(model)),
    quality: quality === 'auto' ? 'medium' : (quality as Order['quality']),
    format: format as PictureFormat,
    background: background as string,
  };
}

function mustBeOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (allowed.includes(value as string)) return;
  const values = allowed.map((each) => `'${each}'`).join(', ');
  invalid(`Invalid value: '${String(value)}'. Supported values are: ${values}.`, name, 'invalid_value');
}

/** The models before gpt-image-2. */
const OF_THREE_SIZES = /^gpt-image-1\b/;
const THREE_SIZES = ['1024x1024', '1536x1024', '1024x1536'];

/** Steps of 16 up to 3840 × 2160, at most three times as long as wide, and at least 655 360 pixels. */
function sizeIn(size: string, model: string): { readonly width: number; readonly height: number } {
  if (size === 'auto') return { width: 1_024, height: 1_024 };
  if (OF_THREE_SIZES.test(model)) mustBeOneOf('size', size, [...THREE_SIZES, 'auto']);
  const [width = 0, height = 0] = /^(\d{2,4})x(\d{2,4})$/.exec(size)?.slice(1).map(Number) ?? [];
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const fits = short > 0 && short % 16 === 0 && long % 16 === 0 && long <= 3 * short && long <= MAX_SIDE;
  if (!fits || short * long > MAX_PIXELS)
    invalid(`Invalid size '${size}'. Width and height must be divisible by 16.`, 'size', 'invalid_value');
  if (short * long < MIN_PIXELS)
    invalid(`Invalid size '${size}'. It has fewer than ${MIN_PIXELS} pixels.`, 'size', 'invalid_value');
  return { width, height };
}

async function drawn(exchange: ProviderCall, { model, fault }: Admitted, order: Order): Promise<unknown[]> {
  const { provider, now } = exchange;
  const prompt = withoutDirectives(order.prompt);
  const data: unknown[] = [];
  for (let index = 0; index < order.count; index += 1) {
    const picture = await draw({ ...order, prompt, index });
    const shown = { provider: provider.network, model: model.id, prompt, format: order.format };
    await provider.world.gallery.add({ ...shown, at: now.toISOString() }, picture);
    data.push({ b64_json: (await spoiled(picture, fault)).toString('base64') });
  }
  return data;
}

function usageOf(order: Order, { fault }: Admitted): BilledUsage {
  if (fault?.kind === 'no-image') return NOTHING_USED;
  const share = (order.width * order.height) / 1_024 ** 2;
  return {
    ...NOTHING_USED,
    inputTokens: countTokens(order.prompt),
    outputImageTokens: Math.ceil(TOKENS[order.quality] * share) * order.count,
    images: fault?.kind === 'bill-without-image' ? 0 : order.count,
  };
}

function bodyOf(
  order: Order,
  data: readonly unknown[],
  { fault }: Admitted,
  billed: BilledUsage,
  { now }: ProviderCall,
): unknown {
  const usage = fault?.kind === 'zero-usage' ? NOTHING_USED : billed;
  const [input, output] = [usage.inputTokens, usage.outputImageTokens];
  return {
    created: Math.floor(now.getTime() / 1_000),
    background: order.background === 'transparent' ? 'transparent' : 'opaque',
    data,
    output_format: order.format,
    quality: order.quality,
    size: `${order.width}x${order.height}`,
    ...(fault?.kind !== 'no-usage' && {
      usage: {
        input_tokens: input,
        input_tokens_details: { text_tokens: input, image_tokens: 0 },
        output_tokens: output,
        total_tokens: input + output,
      },
    }),
  };
}
