import { Matches } from 'class-validator';
import { Env } from '#libs/config';

const SECRET = /^[\x21-\x7e]{8,200}$/;
const IN_WORDS = { message: 'must be 8 to 200 printable ASCII characters without a blank' };

/** Keys that the AI providers of a new sandbox accept. */
export class SandboxAiConfig {
  @Env('SANDBOX_OPENAI_KEY', {
    description: 'API key that the OpenAI of the sandbox accepts.',
    default: 'sk-sandbox-openai',
  })
  @Matches(SECRET, IN_WORDS)
  openai!: string;

  @Env('SANDBOX_OPENROUTER_KEY', {
    description: 'API key that the OpenRouter of the sandbox accepts.',
    default: 'sk-or-sandbox-openrouter',
  })
  @Matches(SECRET, IN_WORDS)
  openrouter!: string;

  @Env('SANDBOX_ANTHROPIC_KEY', {
    description: 'API key that the Anthropic of the sandbox accepts.',
    default: 'sk-ant-sandbox-anthropic',
  })
  @Matches(SECRET, IN_WORDS)
  anthropic!: string;

  @Env('SANDBOX_GOOGLE_AI_KEY', {
    description: 'API key that the Gemini API of the sandbox accepts.',
    default: 'AIza-sandbox-google',
  })
  @Matches(SECRET, IN_WORDS)
  google!: string;

  @Env('SANDBOX_AI_GATEWAY_TOKEN', {
    description: 'Token that the AI gateway of the sandbox accepts in X-AI-Gateway-Token.',
    default: 'sandbox-ai-gateway-token',
  })
  @Matches(SECRET, IN_WORDS)
  gatewayToken!: string;
}
