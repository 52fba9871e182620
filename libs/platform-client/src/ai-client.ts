import type {
  AiClientCall,
  AiResult,
  CompletionRequest,
  CompletionResult,
  ImageRequest,
  ImagesResult,
  Recording,
  TranscriptResult,
} from './ai.types.js';

/** Calls to AI providers through the gateway, which chooses the model and the fallbacks. No method throws. */
export abstract class AiClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  abstract complete(call: AiClientCall, request: CompletionRequest): Promise<AiResult<CompletionResult>>;

  abstract drawImages(call: AiClientCall, request: ImageRequest): Promise<AiResult<ImagesResult>>;

  abstract transcribe(call: AiClientCall, recording: Recording): Promise<AiResult<TranscriptResult>>;
}
