import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import {
  dialectNames,
  findTool,
  maskKey,
  tools,
  type Setting,
} from '../../src/renderer/features/developer/tools/index.ts'
import { documentation } from '../../src/shared/tools/documentation.ts'
import { compactAt, contextOf, outputOf, type ToolFacts } from '../../src/shared/tools/facts.ts'
import { codePointString, jsonString, jsonText } from '../../src/shared/tools/quote.ts'
import { runnableTools } from '../../src/shared/tools/runnable.ts'

const facts: ToolFacts = {
  baseUrl: 'http://127.0.0.1:7788/v1',
  key: 'sk-sotto-ABC_def-123',
  model: 'private/large',
  contextLength: 131_072,
  maxOutput: 16_384,
  images: true,
  reasoning: true,
}

function settingsOf(id: string, filled: ToolFacts = facts): readonly Setting[] {
  return findTool(id)?.settings(filled) ?? []
}

function textOf(id: string, at: number, filled: ToolFacts = facts): string {
  return settingsOf(id, filled)[at]?.text ?? ''
}

function whole(settings: readonly Setting[]): string {
  return settings.map(({ text, fields }) => text ?? fields.map(({ value }) => value).join('\n')).join('\n')
}

/** Names that a service could list to have something else read or run. */
const hostile = [
  'x\'; rm -rf ~ #"',
  '"; import os #',
  '`id`$(id)',
  '{env:HOME}',
  '{file:~/.ssh/id_ed25519}',
  '${{ secrets.KEY }}',
  'a\nb',
  'a\\',
  '\u202egpj',
  '\u200bx',
  '\u0007\u001b[2J',
  'модель/ü',
  '😀',
  '\ud800',
  '--help',
  'a: b',
  '# x',
  ']]>',
]

describe('every tool', () => {
  test('is listed once, and can be found', () => {
    expect(tools.map(({ id }) => id).toSorted()).toEqual(Object.keys(documentation).toSorted())
    for (const tool of tools) expect(findTool(tool.id)).toBe(tool)
    expect(findTool('requests')).toBeUndefined()
  })

  test.each(tools.map(({ id }) => id))(
    '%s has its address, key and model filled in, and no placeholder',
    (id) => {
      const text = whole(settingsOf(id))
      expect(text).toContain(new URL(facts.baseUrl).origin)
      expect(text).toContain(facts.key)
      // A chat window lets its user choose among all models.
      if (id !== 'open-webui') expect(text).toContain(facts.model)
      expect(text).not.toMatch(/undefined|null|NaN|<[A-Z_a-z ]+>|YOUR|\[object/)
    },
  )

  test.each(tools.map(({ id }) => id))(
    '%s uses a dialect of the proxy, at the address that its client expects',
    (id) => {
      const tool = findTool(id)
      expect(dialectNames).toHaveProperty(tool?.dialect ?? '')
      const text = whole(settingsOf(id))
      // Clients of Anthropic’s interface add /v1 themselves.
      if (tool?.dialect === 'messages') expect(text).not.toContain('/v1')
      // Goose takes the origin and the path apart.
      else expect(text).toContain(id === 'goose' ? 'v1/chat/completions' : facts.baseUrl)
    },
  )

  test('is in docs/tools.md with the same name, command and link', () => {
    const written = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8')
      .split('\n')
      .flatMap(
        (line) => /^\| \[([^\]]+)\]\(([^)]+)\) \| (?:`sotto run (\w+)`|) *\|/.exec(line)?.slice(1) ?? [],
      )
    const expected = tools
      .filter(({ id }) => documentation[id] !== undefined)
      .flatMap(({ id, name }) => [
        name,
        documentation[id],
        runnableTools.find((tool) => tool.id === id)?.command,
      ])
    expect(written).toEqual(expected)
  })

  test('contains no key if it’s masked', () => {
    const masked = { ...facts, key: maskKey(facts.key) }
    for (const tool of tools) expect(whole(tool.settings(masked))).not.toContain('ABC_def')
  })
})

describe('a settings file has the intended values for any model name', () => {
  test.each(hostile)('%j', (name) => {
    const model = name.toWellFormed()
    const filled = { ...facts, model: name }
    expect(JSON.parse(textOf('claude-code', 0, filled))).toMatchObject({
      env: {
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:7788',
        ANTHROPIC_AUTH_TOKEN: facts.key,
        ANTHROPIC_MODEL: model,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      },
    })
    expect(JSON.parse(textOf('opencode', 0, filled))).toMatchObject({
      provider: {
        sotto: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: facts.baseUrl, apiKey: facts.key },
          models: { [model]: { name: model } },
        },
      },
      model: `sotto/${model}`,
    })
    expect(JSON.parse(textOf('kilo-code', 0, filled))).toMatchObject({
      provider: {
        sotto: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: facts.baseUrl, apiKey: facts.key },
          models: { [model]: { name: model } },
        },
      },
      model: `sotto/${model}`,
    })
    expect(JSON.parse(textOf('zed', 0, filled))).toMatchObject({
      language_models: {
        openai_compatible: { sotto: { api_url: facts.baseUrl, available_models: [{ name: model }] } },
      },
    })
    expect(parseToml(textOf('codex', 0, filled))).toMatchObject({
      model,
      model_provider: 'sotto',
      web_search: 'disabled',
      model_providers: {
        sotto: { name: 'Sotto', base_url: facts.baseUrl, env_key: 'SOTTO_API_KEY', wire_api: 'responses' },
      },
    })
    expect(JSON.parse(textOf('codex', 1, filled))).toMatchObject({ models: [{ slug: model }] })
    expect(parseYaml(textOf('continue', 0, filled))).toMatchObject({
      name: 'Sotto',
      version: '0.0.1',
      schema: 'v1',
      models: [
        {
          name: `${model} by Sotto`,
          provider: 'openai',
          model,
          apiBase: facts.baseUrl,
          apiKey: facts.key,
          roles: ['chat', 'edit', 'apply'],
        },
      ],
    })
    expect(JSON.parse(textOf('qwen-code', 0, filled))).toMatchObject({
      modelProviders: { openai: [{ id: model, baseUrl: facts.baseUrl, envKey: 'SOTTO_API_KEY' }] },
      model: { name: model },
    })
    expect(JSON.parse(textOf('pi', 0, filled))).toMatchObject({
      providers: { sotto: { baseUrl: facts.baseUrl, apiKey: facts.key, models: [{ id: model }] } },
    })
    expect(JSON.parse(textOf('cline', 1, filled))).toMatchObject({
      providers: { 'openai-compatible': { settings: { apiKey: facts.key, model } } },
    })
    expect(JSON.parse(textOf('aider', 1, filled))).toMatchObject({
      [`openai/${model}`]: { litellm_provider: 'openai' },
    })
    expect(JSON.parse(`{${textOf('vscode', 1, filled)}}`)).toMatchObject({
      models: [{ id: model, url: `${facts.baseUrl}/chat/completions` }],
    })
    expect(parseYaml(textOf('librechat', 0, filled))).toMatchObject({
      endpoints: { custom: [{ baseURL: facts.baseUrl, models: { default: [model] }, titleModel: model }] },
    })
  })

  test('contains nothing that a tool expands in its own files', () => {
    for (const model of ['{env:HOME}', '{file:/etc/passwd}', '${{ secrets.KEY }}']) {
      for (const tool of [
        'opencode',
        'kilo-code',
        'continue',
        'claude-code',
        'zed',
        'codex',
        'qwen-code',
        'pi',
        'vscode',
      ])
        expect(textOf(tool, 0, { ...facts, model })).not.toMatch(/\{env:|\{file:|\$\{\{/)
    }
  })
})

describe('the settings contain what the listing reports of a model', () => {
  /** Each tool's settings with the window, the longest reply and images of a listed model, and of one without facts. */
  const unlisted = { baseUrl: facts.baseUrl, key: facts.key, model: facts.model }
  const read: Readonly<Record<string, (filled: ToolFacts) => unknown>> = {
    'claude-code': (filled) => (JSON.parse(textOf('claude-code', 0, filled)) as { env: object }).env,
    codex: (filled) => ({
      ...parseToml(textOf('codex', 0, filled)),
      ...(JSON.parse(textOf('codex', 1, filled)) as { models: object[] }).models[0],
    }),
    opencode: (filled) =>
      (
        JSON.parse(textOf('opencode', 0, filled)) as {
          provider: { sotto: { models: Record<string, object> } }
        }
      ).provider.sotto.models[facts.model],
    'kilo-code': (filled) =>
      (
        JSON.parse(textOf('kilo-code', 0, filled)) as {
          provider: { sotto: { models: Record<string, object> } }
        }
      ).provider.sotto.models[facts.model],
    continue: (filled) => (parseYaml(textOf('continue', 0, filled)) as { models: object[] }).models[0],
    zed: (filled) =>
      (
        JSON.parse(textOf('zed', 0, filled)) as {
          language_models: { openai_compatible: { sotto: { available_models: object[] } } }
        }
      ).language_models.openai_compatible.sotto.available_models[0],
    'qwen-code': (filled) =>
      (
        JSON.parse(textOf('qwen-code', 0, filled)) as {
          modelProviders: { openai: { generationConfig: object }[] }
        }
      ).modelProviders.openai[0]?.generationConfig,
    pi: (filled) =>
      (JSON.parse(textOf('pi', 0, filled)) as { providers: { sotto: { models: object[] } } }).providers.sotto
        .models[0],
    vscode: (filled) => (JSON.parse(`{${textOf('vscode', 1, filled)}}`) as { models: object[] }).models[0],
    cline: (filled) =>
      (JSON.parse(textOf('cline', 1, filled)) as { providers: Record<string, { settings: object }> })
        .providers['openai-compatible']?.settings,
    aider: (filled) =>
      (JSON.parse(textOf('aider', 1, filled)) as Record<string, object>)[`openai/${facts.model}`],
  }

  test.each([
    [
      'claude-code',
      { CLAUDE_CODE_MAX_CONTEXT_TOKENS: '131072', CLAUDE_CODE_MAX_OUTPUT_TOKENS: '16384' },
      { CLAUDE_CODE_MAX_CONTEXT_TOKENS: '32768', CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8192' },
    ],
    [
      'codex',
      {
        model_context_window: 131_072,
        model_auto_compact_token_limit: 114_688,
        context_window: 131_072,
        input_modalities: ['text', 'image'],
      },
      { model_context_window: 32_768, model_auto_compact_token_limit: 24_576, input_modalities: ['text'] },
    ],
    [
      'opencode',
      {
        limit: { context: 131_072, output: 16_384 },
        modalities: { input: ['text', 'image'], output: ['text'] },
        reasoning: true,
      },
      { limit: { context: 32_768, output: 8192 }, modalities: { input: ['text'] }, reasoning: false },
    ],
    [
      'kilo-code',
      { limit: { context: 131_072, output: 16_384 } },
      { limit: { context: 32_768, output: 8192 } },
    ],
    [
      'continue',
      {
        capabilities: ['tool_use', 'image_input'],
        defaultCompletionOptions: { contextLength: 131_072, maxTokens: 16_384 },
      },
      { capabilities: ['tool_use'], defaultCompletionOptions: { contextLength: 32_768, maxTokens: 8192 } },
    ],
    [
      'zed',
      { max_tokens: 131_072, max_output_tokens: 16_384, capabilities: { tools: true, images: true } },
      { max_tokens: 32_768, capabilities: { images: false } },
    ],
    [
      'qwen-code',
      { contextWindowSize: 131_072, modalities: { image: true } },
      { contextWindowSize: 32_768, modalities: { image: false } },
    ],
    [
      'pi',
      { contextWindow: 131_072, maxTokens: 16_384, input: ['text', 'image'] },
      { contextWindow: 32_768, maxTokens: 8192, input: ['text'] },
    ],
    [
      'vscode',
      { maxInputTokens: 114_688, maxOutputTokens: 16_384, vision: true, toolCalling: true },
      { maxInputTokens: 24_576, vision: false },
    ],
    ['cline', { contextWindow: 114_688, maxTokens: 16_384 }, { contextWindow: 24_576, maxTokens: 8192 }],
    [
      'aider',
      { max_input_tokens: 131_072, max_output_tokens: 16_384, supports_vision: true },
      { max_input_tokens: 32_768 },
    ],
  ])('for %s', (id, listed, fallback) => {
    expect(read[id]?.(facts)).toMatchObject(listed)
    expect(read[id]?.(unlisted)).toMatchObject(fallback)
  })

  test('and limit a reply to a quarter of the context window, so that a prompt still fits', () => {
    const positive = fc.integer({ min: 1, max: 4_000_000 })
    fc.assert(
      fc.property(
        fc.record({ contextLength: positive, maxOutput: positive }, { requiredKeys: [] }),
        (listed) => {
          const output = outputOf(listed)
          expect(output).toBeGreaterThanOrEqual(1)
          if (output > 1) expect(output).toBeLessThanOrEqual(contextOf(listed) / 4)
          expect(output).toBeLessThanOrEqual(listed.maxOutput ?? Infinity)
          expect(compactAt(listed) + output).toBe(contextOf(listed))
        },
      ),
    )
  })
})

test('no command of a tool has its key in an argument, or expands a model’s name', () => {
  for (const model of hostile) {
    for (const tool of runnableTools) {
      const { args, env, files } = tool.run({ ...facts, model }, (name) => `/tmp/${name}`)
      expect(args.join('\n')).not.toContain(facts.key)
      expect([...Object.values(env), ...Object.values(files)].join('\n')).toContain(facts.key)
      for (const text of Object.values(files)) expect(text).not.toMatch(/\{env:|\{file:|\$\{\{/)
    }
  }
})

describe('strings', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...hostile),
  )

  test('of JSON, TOML and YAML contain any text, without invisible or bidirectional characters', () => {
    fc.assert(
      fc.property(text, (any) => {
        const meant = any.toWellFormed()
        expect(JSON.parse(jsonString(any))).toBe(meant)
        expect(parseToml(`a = ${codePointString(any)}`)).toEqual({ a: meant })
        expect(parseYaml(codePointString(any))).toBe(meant)
        for (const written of [jsonString(any), codePointString(any)])
          expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}{]/u)
      }),
      { numRuns: 300 },
    )
  })

  test('are valid in any JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => name !== '__proto__'),
          fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { minLength: 1 })),
          { minKeys: 1 },
        ),
        (value) => {
          expect(JSON.parse(jsonText(value))).toEqual(value)
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('the key is masked except for its beginning', () => {
  expect(maskKey('sotto-0123456789abcdef')).toBe('sotto-••••••••••••')
  expect(maskKey('abc')).not.toContain('abc')
})
