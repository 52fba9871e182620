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
    description: 'Maximum number of concurrent streamed completions in one process (1 to 50000).',
    default: '10000',
  })
  @IsInt()
  @Min(1)
  @Max(50_000)
  maxStreams!: number;

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
}
