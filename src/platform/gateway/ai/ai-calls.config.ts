import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

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

  @Env('AI_MAX_CALLS', {
    description:
      'Maximum number of concurrent images and transcriptions in one process (1 to 10000); each holds its files in memory.',
    default: '64',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  maxCallsWithFiles!: number;

  @Env('AI_MAX_AUDIO_BYTES', {
    description: 'Maximum size of an audio file to transcribe, in bytes (1024 to 104857600).',
    default: '26214400',
  })
  @IsInt()
  @Min(1_024)
  @Max(104_857_600)
  maxAudioBytes!: number;

  @Env('AI_MAX_BODY_BYTES', {
    description:
      'Maximum size of the JSON of a completion, which can have images in Base64, in bytes (1048576 to 104857600). Above 1 MiB it needs a Content-Length.',
    default: '22020096',
  })
  @IsInt()
  @Min(1_048_576)
  @Max(104_857_600)
  maxBodyBytes!: number;

  @Env('AI_MAX_BYTES', {
    description:
      'Maximum number of bytes of completions from 4 KiB on and of recordings that one process holds at once (1048576 to 17179869184). A byte of a request takes up to six of memory. Not below AI_MAX_BODY_BYTES and AI_MAX_AUDIO_BYTES, otherwise the largest are never served.',
    default: '67108864',
  })
  @IsInt()
  @Min(1_048_576)
  @Max(17_179_869_184)
  maxBytes!: number;

  @Env('AI_MAX_IMAGE_BYTES', {
    description:
      'Maximum number of bytes of images in Base64 that one process expects at once (41943040 to 17179869184). A call reserves 12 MiB for each image, 24 MiB with a side above 1536 pixels, 40 MiB above 3072, together at most 240 MiB. A byte takes up to eight of memory. Calls that reserve more than the limit are never served.',
    default: '251658240',
  })
  @IsInt()
  @Min(41_943_040)
  @Max(17_179_869_184)
  maxImageBytes!: number;

  @Env('AI_ORGANIZATION_SHARE', {
    description:
      'Percentage of AI_MAX_STREAMS, AI_MAX_CALLS, AI_MAX_BYTES and AI_MAX_IMAGE_BYTES of a process that one organization may have while others have or want some (1 to 100). An organization that is alone may have all.',
    default: '50',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  organizationShare!: number;
}
