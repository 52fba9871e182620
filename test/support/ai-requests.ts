import type {
  CompletionRequest,
  ImageRequest,
  TranscriptionRequest,
} from '../../src/platform/gateway/ai/providers/wires/requests.js';

export const aCompletion = (changes: Partial<CompletionRequest> = {}): CompletionRequest => ({
  system: null,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxTokens: 256,
  temperature: null,
  stop: [],
  tools: [],
  toolChoice: null,
  responseSchema: null,
  ...changes,
});

export const anImage = (changes: Partial<ImageRequest> = {}): ImageRequest => ({
  prompt: 'A red square',
  count: 1,
  width: 1024,
  height: 1024,
  quality: null,
  format: 'png',
  ...changes,
});

export const aRecording = (changes: Partial<TranscriptionRequest> = {}): TranscriptionRequest => ({
  file: { name: 'tone.wav', mediaType: 'audio/wav', bytes: Buffer.from('RIFF....WAVEfmt ') },
  language: null,
  prompt: null,
  ...changes,
});
