import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Test } from '@nestjs/testing';
import { ConfigIsInvalid, Env, EnvironmentModule, loadConfig, provideConfig, variablesOf } from './index.js';

class SampleConfig {
  @Env('SAMPLE_PORT', { description: 'Port.', default: '3000' })
  @IsInt()
  @Min(1)
  @Max(65535)
  port!: number;

  @Env('SAMPLE_URL', { description: 'Address.' })
  @IsString()
  url!: string;

  @Env('SAMPLE_TLS', { description: 'Encrypt.', default: 'false' })
  @IsBoolean()
  tls!: boolean;

  @Env('SAMPLE_NOTE', { description: 'Note.' })
  @IsOptional()
  @IsString()
  note?: string;
}

describe('loading the configuration', () => {
  it('converts by type, fills defaults and leaves out what is not set', () => {
    const config = loadConfig(SampleConfig, { SAMPLE_URL: 'http://x', SAMPLE_TLS: 'true', SAMPLE_NOTE: ' ' });
    expect(config).toEqual({ port: 3000, url: 'http://x', tls: true });
  });

  it('names everything that is wrong at once', () => {
    const attempt = () => loadConfig(SampleConfig, { SAMPLE_PORT: 'abc' });
    expect(attempt).toThrow(ConfigIsInvalid);
    expect(attempt).toThrow(/SAMPLE_PORT[\s\S]*SAMPLE_URL/);
  });

  it('takes the word false for false', () => {
    expect(loadConfig(SampleConfig, { SAMPLE_URL: 'u', SAMPLE_TLS: 'false' }).tls).toBe(false);
  });

  it('cannot be changed afterwards', () => {
    const config = loadConfig(SampleConfig, { SAMPLE_URL: 'u' });
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });

  it('lists its variables for .env.example', () => {
    expect(variablesOf(SampleConfig).map((variable) => variable.name)).toEqual([
      'SAMPLE_PORT',
      'SAMPLE_URL',
      'SAMPLE_TLS',
      'SAMPLE_NOTE',
    ]);
  });

  it('is that of the service, however many run in one process', async () => {
    const boot = async (url: string) => {
      const service = await Test.createTestingModule({
        imports: [EnvironmentModule.forRoot({ SAMPLE_URL: url })],
        providers: [provideConfig(SampleConfig)],
      }).compile();
      return service.get(SampleConfig);
    };
    expect((await boot('http://one')).url).toBe('http://one');
    expect((await boot('http://two')).url).toBe('http://two');
  });
});
