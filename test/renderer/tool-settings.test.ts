import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { dialectNames, findTool, maskKey, tools, type Facts, type Setting } from '../../src/renderer/features/local-api/tools/index.ts'
import { codePointString, jsonString, jsonText } from '../../src/renderer/features/local-api/tools/quote.ts'

const facts: Facts = { baseUrl: 'http://127.0.0.1:7788/v1', key: 'sk-sotto-ABC_def-123', model: 'private/large', contextLength: 131_072 }

function settingsOf(id: string, filled: Facts = facts): readonly Setting[] {
  return findTool(id)?.settings(filled) ?? []
}

function textOf(id: string, at: number, filled: Facts = facts): string {
  return settingsOf(id, filled)[at]?.text ?? ''
}

function whole(settings: readonly Setting[]): string {
  return settings.map(({ text, fields }) => text ?? fields.map(({ value }) => value).join('\n')).join('\n')
}

/** Names that a service could list to have something else read or run. */
const hostile = ['x\'; rm -rf ~ #"', '"; import os #', '`id`$(id)', '{env:HOME}', '{file:~/.ssh/id_ed25519}', '${{ secrets.KEY }}', 'a\nb', 'a\\', '\u202egpj', '\u200bx', '\u0007\u001b[2J', 'модель/ü', '😀', '\ud800', '--help', 'a: b', '# x', ']]>']

describe('every tool', () => {
  test('stands once, is one of many, and can be found', () => {
    expect(new Set(tools.map(({ id }) => id)).size).toBe(tools.length)
    expect(tools.length).toBeGreaterThanOrEqual(16)
    for (const tool of tools) expect(findTool(tool.id)).toBe(tool)
    expect(findTool('requests')).toBeUndefined()
  })

  test.each(tools.map(({ id }) => id))('%s has its address, key and model filled in, and nothing left to fill in', (id) => {
    const text = whole(settingsOf(id))
    expect(text).toContain(new URL(facts.baseUrl).origin)
    expect(text).toContain(facts.key)
    // A chat window lets its user choose among all models.
    if (id !== 'open-webui') expect(text).toContain(facts.model)
    expect(text).not.toMatch(/undefined|null|NaN|<[A-Z_a-z ]+>|YOUR|\[object/)
  })

  test.each(tools.map(({ id }) => id))('%s speaks an interface of the proxy, at the address that its client expects', (id) => {
    const tool = findTool(id)
    expect(dialectNames).toHaveProperty(tool?.dialect ?? '')
    const text = whole(settingsOf(id))
    // Clients of Anthropic’s interface add /v1 themselves.
    if (tool?.dialect === 'messages') expect(text).not.toContain('/v1')
    else expect(text).toContain(facts.baseUrl)
  })

  test('masked, none holds the key', () => {
    const masked = { ...facts, key: maskKey(facts.key) }
    for (const tool of tools) expect(whole(tool.settings(masked))).not.toContain('ABC_def')
  })
})

describe('a settings file is read back as it was meant, whatever the model is called', () => {
  test.each(hostile)('%j', (name) => {
    const model = name.toWellFormed()
    const filled = { ...facts, model: name }
    expect(JSON.parse(textOf('claude-code', 0, filled))).toMatchObject({ env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:7788', ANTHROPIC_AUTH_TOKEN: facts.key, ANTHROPIC_MODEL: model, ANTHROPIC_DEFAULT_HAIKU_MODEL: model } })
    expect(JSON.parse(textOf('opencode', 0, filled))).toMatchObject({ provider: { sotto: { npm: '@ai-sdk/openai-compatible', options: { baseURL: facts.baseUrl, apiKey: facts.key }, models: { [model]: { name: model } } } }, model: `sotto/${model}` })
    expect(JSON.parse(textOf('zed', 0, filled))).toMatchObject({ language_models: { openai_compatible: { sotto: { api_url: facts.baseUrl, available_models: [{ name: model, max_tokens: 131_072 }] } } } })
    expect(parseToml(textOf('codex', 0, filled))).toEqual({ model, model_provider: 'sotto', web_search: 'disabled', model_providers: { sotto: { name: 'Sotto', base_url: facts.baseUrl, env_key: 'SOTTO_API_KEY', wire_api: 'responses' } } })
    expect(parseYaml(textOf('continue', 0, filled))).toEqual({ name: 'Sotto', version: '0.0.1', schema: 'v1', models: [{ name: `${model} by Sotto`, provider: 'openai', model, apiBase: facts.baseUrl, apiKey: facts.key, roles: ['chat', 'edit', 'apply'] }] })
  })

  test('what a tool expands in its own files is not there to be expanded', () => {
    for (const model of ['{env:HOME}', '{file:/etc/passwd}', '${{ secrets.KEY }}']) {
      for (const tool of ['opencode', 'continue', 'claude-code', 'zed', 'codex']) expect(textOf(tool, 0, { ...facts, model })).not.toMatch(/\{env:|\{file:|\$\{\{/)
    }
  })

  test('a context that is not listed is left out, or small', () => {
    const { contextLength: _, ...short } = facts
    expect(textOf('opencode', 0, short)).not.toContain('limit')
    expect(JSON.parse(textOf('zed', 0, short))).toMatchObject({ language_models: { openai_compatible: { sotto: { available_models: [{ max_tokens: 32_768 }] } } } })
  })
})

describe('strings', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...hostile))

  test('of JSON, TOML and YAML hold any text, and show nothing that hides or turns', () => {
    fc.assert(fc.property(text, (any) => {
      const meant = any.toWellFormed()
      expect(JSON.parse(jsonString(any))).toBe(meant)
      expect(parseToml(`a = ${codePointString(any)}`)).toEqual({ a: meant })
      expect(parseYaml(codePointString(any))).toBe(meant)
      for (const written of [jsonString(any), codePointString(any)]) expect(written).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}{]/u)
    }), { numRuns: 300 })
  })

  test('stand in any JSON', () => {
    fc.assert(fc.property(fc.dictionary(fc.string().filter((name) => name !== '__proto__'), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { minLength: 1 })), { minKeys: 1 }), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(value)
    }), { numRuns: 100 })
  })
})

test('the key is masked but for its beginning', () => {
  expect(maskKey('sotto-0123456789abcdef')).toBe('sotto-••••••••••••')
  expect(maskKey('abc')).not.toContain('abc')
})
