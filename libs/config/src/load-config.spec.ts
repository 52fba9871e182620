import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  allVariablesOf,
  ConfigIsInvalid,
  configsOf,
  Env,
  EnvironmentModule,
  FromConfig,
  IsBaseUrl,
  loadConfig,
  loadAll,
  provideConfig,
  variablesOf,
} from './index.js';

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

class OtherConfig {
  @Env('SAMPLE_PORT', { description: 'Port.', default: '3000' })
  @IsInt()
  port!: number;

  @Env('SAMPLE_LEVEL', { description: 'Level.', default: '1' })
  @IsInt()
  level!: number;
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

  it('reports one problem per variable, the gravest', () => {
    const problems = (environment: Record<string, string>) => {
      try {
        return loadConfig(SampleConfig, environment);
      } catch (error) {
        return (error as ConfigIsInvalid).problems;
      }
    };
    const notANumber = 'SAMPLE_PORT: must be an integer number';
    expect(problems({ SAMPLE_PORT: 'abc' })).toEqual([notANumber, 'SAMPLE_URL: must be set']);
    expect(problems({ SAMPLE_PORT: '70000', SAMPLE_URL: 'u' })).toEqual([
      'SAMPLE_PORT: must not be greater than 65535',
    ]);
  });

  it('reports the problems of several classes at once, each once', () => {
    const environment = { SAMPLE_PORT: 'abc', SAMPLE_LEVEL: 'x' };
    const load = () =>
      loadAll(() => {
        const url = new URL(loadConfig(SampleConfig, environment).url);
        return loadAll(() => [url, loadConfig(OtherConfig, environment)]);
      });
    expect(load).toThrow(
      new ConfigIsInvalid(['SAMPLE_PORT: must be an integer number', 'SAMPLE_URL: must be set']),
    );
    const both = () =>
      loadAll(() => [SampleConfig, OtherConfig].map((one) => loadConfig<object>(one, environment)));
    const rest = ['SAMPLE_URL: must be set', 'SAMPLE_LEVEL: must be an integer number'];
    expect(both).toThrow(new ConfigIsInvalid(['SAMPLE_PORT: must be an integer number', ...rest]));
    expect(() => loadConfig(OtherConfig, environment)).toThrow(ConfigIsInvalid);
  });

  it('is found in a module and what that imports, before any of it is made', () => {
    @Module({ providers: [provideConfig(OtherConfig), { provide: 'x', useValue: 1 }] })
    class Inner {}
    @Module({ imports: [Inner] })
    class Outer {}
    const root = { module: Outer, imports: [Inner], providers: [provideConfig(SampleConfig)] };
    expect(new Set(configsOf(root))).toEqual(new Set([SampleConfig, OtherConfig]));
  });

  it('takes the word false for false', () => {
    expect(loadConfig(SampleConfig, { SAMPLE_URL: 'u', SAMPLE_TLS: 'false' }).tls).toBe(false);
  });

  it('takes for a base address what a path can be appended to', () => {
    class BaseConfig {
      @Env('SAMPLE_BASE', { description: 'Address.' })
      @IsBaseUrl()
      base!: string;
    }
    const load = (SAMPLE_BASE: string) => loadConfig(BaseConfig, { SAMPLE_BASE }).base;
    for (const base of ['http://127.0.0.1:9000', 'https://api.internal/x', 'http://localhost'])
      expect(load(base)).toBe(base);
    for (const slash of ['http://127.0.0.1:9000/', 'https://api.internal/x//'])
      expect(() => load(slash)).toThrow('SAMPLE_BASE: must not end with a slash');
    for (const none of ['http://a.test?b', 'http://a.test#b', 'a.test', 'ftp://a.test', 'x'])
      expect(() => load(none)).toThrow('SAMPLE_BASE: must be an http(s) address without query and fragment');
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

  describe('a value of another config', () => {
    class OwnerConfig {
      @Env('SAMPLE_WAIT', { description: 'Milliseconds.', default: '100' })
      @IsInt()
      waitMs!: number;

      @Env('SAMPLE_HOME', { description: 'Address.' })
      @IsOptional()
      @IsString()
      home?: string;
    }
    class UserConfig {
      @Env('SAMPLE_LEASE', { description: 'Milliseconds.', default: '300' })
      @IsInt()
      leaseMs!: number;

      @FromConfig(OwnerConfig, 'waitMs')
      callMs!: number;

      @FromConfig(OwnerConfig, 'home', { default: 'here' })
      home!: string;
    }

    it('is typed, and its variable is that of the owner', () => {
      expect({ ...loadConfig(UserConfig, { SAMPLE_WAIT: '5' }) }).toEqual({
        leaseMs: 300,
        callMs: 5,
        home: 'here',
      });
      expect(loadConfig(UserConfig, { SAMPLE_HOME: 'there' }).home).toBe('there');
      expect(variablesOf(UserConfig).map(({ name }) => name)).toEqual(['SAMPLE_LEASE']);
      expect(allVariablesOf(UserConfig).map(({ name, property }) => [name, property])).toEqual([
        ['SAMPLE_LEASE', 'leaseMs'],
        ['SAMPLE_WAIT', 'callMs'],
        ['SAMPLE_HOME', 'home'],
      ]);
    });

    it('is refused by the rules of its owner, and reported once', () => {
      const load = () =>
        loadAll(() => [
          loadConfig(OwnerConfig, { SAMPLE_WAIT: 'x' }),
          loadConfig(UserConfig, { SAMPLE_WAIT: 'x' }),
        ]);
      expect(load).toThrow(/^The environment is not valid:\n {2}- SAMPLE_WAIT: must be an integer number$/);
    });
  });
});
