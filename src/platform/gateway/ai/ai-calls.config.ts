import { totalmem } from 'node:os';
import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

const MIB = 1_048_576;

/** The budgets of a process fit into this memory with the streams of AI_MAX_STREAMS: docs/design/ai-capacity.md. */
const MEASURED_MEMORY = 3_456 * MIB;

/** A process with less memory, such as a smaller container, has less of a budget in proportion, and enough for the largest request. */
function ofMemory(budget: number, least: number): number {
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return Math.max(least, Math.floor(budget * Math.min(1, memory / MEASURED_MEMORY)));
}

/** Limits of calls to AI providers. */
export class AiCallsConfig {
  @Env('AI_TIMEOUT_MS', {
    description:
      'Time limit of a request to an AI route with all of its attempts, and of a stream to its end, in milliseconds (1000 to 3600000). A request can ask for less.',
    default: '300000',
  })
  @IsInt()
  @Min(1_000)
  @Max(3_600_000)
  timeoutMs!: number;

  @Env('AI_MAX_STREAMS', {
    description: 'Maximum number of concurrent completions, streamed or whole, in one process (1 to 50000).',
    default: '10000',
  })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxCompletions!: number;

  /** Concurrent images and transcriptions in one process; each holds its files in memory. */
  maxCallsWithFiles = 64;

  maxAudioBytes = 25 * MIB;

  /** The JSON of a completion, which can have images in Base64. Above 1 MiB it needs a Content-Length. */
  maxBodyBytes = 21 * MIB;

  /** Bytes of completions from 4 KiB on and of recordings that one process holds at once. Each takes up to six of memory. */
  maxBytes = ofMemory(64 * MIB, 32 * MIB);

  /**
   * Bytes of images in Base64 that one process expects at once, each up to eight of memory. A call reserves 12 MiB for each image, 24
   * MiB with a side above 1536 pixels, 40 MiB above 3072, together at most 240 MiB. Calls that reserve more are never served.
   */
  maxImageBytes = ofMemory(240 * MIB, 40 * MIB);

  /** Percentage of all these limits that one organization may have while others have or want some. One that is alone may have all. */
  organizationShare = 50;
}
