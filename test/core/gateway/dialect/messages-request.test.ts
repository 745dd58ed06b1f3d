import { describe, expect, it } from 'vitest'
import { reasoningToken } from '../../../../src/core/gateway/answer/index.ts'
import {
  translateMessages,
  translateTokenCount,
} from '../../../../src/core/gateway/dialect/messages/index.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import type { JsonObject, JsonValue } from '../../../../src/shared/strict-json.ts'

const hello: JsonValue[] = [{ role: 'user', content: 'hello' }]
const base: JsonObject = { model: 'private/m', max_tokens: 100, messages: hello }
const chat = (more: JsonObject): JsonObject => translateMessages({ ...base, ...more }).body
const toMessages = (messages: JsonValue[], more: JsonObject = {}): JsonValue =>
  chat({ messages, ...more })['messages'] ?? null
const tool = {
  name: 'read',
  input_schema: { type: 'object', properties: { path: { type: 'string', default: null } } },
}
const search = { type: 'web_search_20250305', name: 'web_search' }
const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'é' } }
const chatCall = { id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{"path":"é"}' } }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const chatImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

describe('a Messages request becomes a chat completion', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['nothing more', {}, {}],
    ['null is absent', { temperature: null, tools: null, thinking: null, container: null }, {}],
    [
      'sampling',
      { temperature: 0.5, top_p: 0.9, stop_sequences: ['END'] },
      { temperature: 0.5, top_p: 0.9, stop: ['END'] },
    ],
    [
      'streaming asks for its usage',
      { stream: true },
      { stream: true, stream_options: { include_usage: true } },
    ],
    [
      'effort',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      { reasoning_effort: 'high' },
    ],
    ['no thinking', { thinking: { type: 'disabled' } }, { reasoning_effort: 'none' }],
    [
      'structured output',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'output', schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [
      'structured output, as it was called before',
      { output_format: { type: 'json_schema', schema: {} } },
      { response_format: { type: 'json_schema', json_schema: { name: 'output', schema: {}, strict: true } } },
    ],
    [
      'tools, whose schema is not touched',
      { tools: [{ ...tool, description: 'Reads', strict: true, cache_control: { type: 'ephemeral' } }] },
      {
        tools: [
          {
            type: 'function',
            function: { name: 'read', description: 'Reads', parameters: tool.input_schema, strict: true },
          },
        ],
      },
    ],
    [
      'a web search is the service’s plugin',
      { tools: [{ ...search, max_uses: 8, allowed_domains: [], cache_control: null }] },
      { plugins: [{ id: 'web' }] },
    ],
    [
      'a web search among tools',
      { tools: [tool, { type: 'web_search_20260209', name: 'web_search' }], tool_choice: { type: 'any' } },
      {
        tools: [{ type: 'function', function: { name: 'read', parameters: tool.input_schema } }],
        tool_choice: 'required',
        plugins: [{ id: 'web' }],
      },
    ],
    [
      'a web search by its name',
      { tools: [search], tool_choice: { type: 'tool', name: 'web_search' } },
      { plugins: [{ id: 'web' }] },
    ],
    [
      'a web search as the only tool to choose',
      { tools: [search], tool_choice: { type: 'any' } },
      { plugins: [{ id: 'web' }] },
    ],
    [
      'no web search if another tool is chosen',
      { tools: [tool, search], tool_choice: { type: 'tool', name: 'read' } },
      {
        tools: [{ type: 'function', function: { name: 'read', parameters: tool.input_schema } }],
        tool_choice: { type: 'function', function: { name: 'read' } },
      },
    ],
    ['no web search if no tool may be used', { tools: [search], tool_choice: { type: 'none' } }, {}],
    [
      'any tool, one at a time',
      { tools: [tool], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      {
        tools: [{ type: 'function', function: { name: 'read', parameters: tool.input_schema } }],
        tool_choice: 'required',
        parallel_tool_calls: false,
      },
    ],
    [
      'a tool by its name',
      { tool_choice: { type: 'tool', name: 'read' } },
      { tool_choice: { type: 'function', function: { name: 'read' } } },
    ],
    ['no choice among no tools', { tools: [], tool_choice: { type: 'auto' } }, {}],
    [
      'what clears nothing',
      {
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        mcp_servers: [],
        speed: 'standard',
      },
      {},
    ],
  ])('%s', (_name, more, expected) => {
    expect(chat(more)).toEqual({
      model: 'private/m',
      max_completion_tokens: 100,
      messages: hello,
      ...expected,
    })
  })

  it.each<[string, JsonValue[], JsonValue[], JsonObject?]>([
    [
      'a system prompt, in one text or in several',
      [{ role: 'user', content: 'a' }],
      [
        { role: 'system', content: 'x\ny' },
        { role: 'user', content: 'a' },
      ],
      {
        system: [
          { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'y' },
        ],
      },
    ],
    [
      'a word of the system between turns, where it stands',
      [
        { role: 'user', content: 'a' },
        { role: 'system', content: [{ type: 'text', text: 's' }] },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'system', content: 's' },
      ],
    ],
    [
      'an answer that the SDK has read',
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'text', text: '{}', citations: null, parsed_output: {} }] },
        { role: 'user', content: 'b' },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: '{}' },
        { role: 'user', content: 'b' },
      ],
    ],
    [
      'pictures by content and by address',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            image,
            { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            chatImage,
            { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          ],
        },
      ],
    ],
    [
      'documents',
      [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'a.pdf',
              source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
            },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
            { type: 'text', text: 'words' },
          ],
        },
      ],
    ],
    [
      'parallel calls and their results, then words',
      [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'see' }, call, { ...call, id: 'toolu_2', input: {} }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'one' },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              is_error: true,
              content: [{ type: 'text', text: 'two' }],
            },
            { type: 'text', text: 'go on' },
          ],
        },
      ],
      [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: 'see',
          tool_calls: [chatCall, { ...chatCall, id: 'toolu_2', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'one' },
        { role: 'tool', tool_call_id: 'toolu_2', content: 'The tool failed:\ntwo' },
        { role: 'user', content: 'go on' },
      ],
    ],
    [
      'a picture that a tool returned, after the last result',
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [call] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [image] },
            { type: 'tool_result', tool_use_id: 'toolu_2' },
          ],
        },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        {
          role: 'tool',
          tool_call_id: 'toolu_1',
          content: 'What this tool returned beside its text follows in the next message of the user.',
        },
        { role: 'tool', tool_call_id: 'toolu_2', content: '' },
        { role: 'user', content: [{ type: 'text', text: 'The tool call toolu_1 returned:' }, chatImage] },
      ],
    ],
    [
      'thinking goes back to where it came from',
      [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            {
              type: 'thinking',
              thinking: 'hm',
              signature: reasoningToken({ member: 'reasoning', text: '' }),
            },
            call,
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'one' }] },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: null, reasoning: 'hm', tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'one' },
      ],
    ],
    [
      'thinking out of sight too, and another service’s words',
      [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            {
              type: 'thinking',
              thinking: '',
              signature: reasoningToken({ member: 'reasoning_content', text: 'hidden' }),
            },
            { type: 'thinking', thinking: 'told', signature: 'EqQBCg' },
            { type: 'text', text: 'b' },
          ],
        },
        { role: 'user', content: 'c' },
      ],
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b', reasoning_content: 'hidden\ntold' },
        { role: 'user', content: 'c' },
      ],
    ],
  ])('%s', (_name, messages, expected, more) => {
    expect(toMessages(messages, more)).toEqual(expected)
  })

  it('includes a deferred tool only after a result has named it', () => {
    const tools: JsonValue[] = [
      { ...tool, name: 'search' },
      { ...tool, defer_loading: true },
    ]
    const found: JsonValue[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [{ ...call, name: 'search' }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'tool_reference', tool_name: 'read' }],
          },
        ],
      },
    ]
    const names = (body: JsonObject): string[] =>
      (body['tools'] as { function: { name: string } }[]).map((one) => one.function.name)
    expect(names(chat({ tools }))).toEqual(['search'])
    expect(names(chat({ tools, messages: found }))).toEqual(['search', 'read'])
    expect(toMessages(found, { tools })).toContainEqual({
      role: 'tool',
      tool_call_id: 'toolu_1',
      content: '{"tool_reference":"read"}',
    })
  })

  it('lists the members that it ignores, and passes none of them on', () => {
    const { body, ignored } = translateMessages({
      ...base,
      metadata: { user_id: 'device-7' },
      service_tier: 'auto',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] },
      ],
      tools: [{ ...tool, eager_input_streaming: true }],
    })
    expect(ignored).toEqual(['metadata', 'service_tier', 'cache_control', 'tools.eager_input_streaming'])
    expect(JSON.stringify(body)).not.toMatch(/device-7|service_tier|cache_control|eager/)
    expect(translateMessages(base).ignored).toEqual([])
  })

  it.each<[string, JsonObject, string[]]>([
    ['top_k', { top_k: 5 }, ['top_k']],
    ['any service tier', { service_tier: 'priority' }, ['service_tier']],
    ['betas in the body', { betas: ['context-1m-2025-08-07'] }, ['betas']],
    [
      'edits that only clear',
      {
        context_management: {
          edits: [
            { type: 'clear_tool_uses_20250919', trigger: { type: 'input_tokens', value: 30_000 } },
            { type: 'clear_thinking_20251015', keep: 'all' },
          ],
        },
      },
      ['context_management'],
    ],
    [
      'redacted thinking',
      {
        messages: [
          ...hello,
          {
            role: 'assistant',
            content: [
              { type: 'redacted_thinking', data: 'secret' },
              { type: 'text', text: 'b' },
            ],
          },
          { role: 'user', content: 'c' },
        ],
      },
      ['redacted_thinking'],
    ],
    [
      'citations of an earlier reply',
      {
        messages: [
          ...hello,
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'b', citations: [{ type: 'char_location', cited_text: 'secret' }] },
            ],
          },
          { role: 'user', content: 'c' },
        ],
      },
      ['citations'],
    ],
    [
      'ids of messages and blocks',
      { messages: [{ role: 'user', id: 'secret', content: [{ type: 'text', id: 'secret', text: 'a' }] }] },
      [],
    ],
  ])('ignores %s, and lists it', (_name, more, ignored) => {
    const translated = translateMessages({ ...base, ...more })
    expect(translated.ignored).toEqual(ignored)
    expect(JSON.stringify(translated.body)).not.toMatch(/secret|top_k|priority|betas|clear_/)
  })

  it.each<[JsonObject, string | undefined]>([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 31_999 } }, 'high'],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 }, output_config: { effort: 'max' } }, 'max'],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'max' } }, 'none'],
    [{ thinking: { type: 'enabled' } }, undefined],
  ])('maps a thinking budget to an effort: %j', (more, effort) => {
    expect(chat(more)['reasoning_effort']).toBe(effort)
  })

  it('counts tokens without a token limit', () => {
    expect(translateTokenCount({ model: 'm', messages: hello })).toEqual({ model: 'm', messages: hello })
  })
})

describe('translateMessages refuses', () => {
  it.each<[string, JsonObject]>([
    ['container', { container: 'c' }],
    ['inference_geo', { inference_geo: 'eu' }],
    ['speed', { speed: 'fast' }],
    ['mcp_servers', { mcp_servers: [{ type: 'url' }] }],
    ['thinking.type', { thinking: { type: 'between_tools' } }],
    ['context_management.edits[0].type', { context_management: { edits: [{ type: 'compact_20260112' }] } }],
    ['output_config.task_budget', { output_config: { task_budget: { tokens: 5 } } }],
    ['tools[0].type', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['tools[0].type', { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }],
    ['tools[0].allowed_domains', { tools: [{ ...search, allowed_domains: ['example.com'] }] }],
    ['tools[0].blocked_domains', { tools: [{ ...search, blocked_domains: ['example.com'] }] }],
    [
      'tools[0].user_location',
      { tools: [{ ...search, user_location: { type: 'approximate', city: 'Rome' } }] },
    ],
    [
      'messages[0].content[0].source.type',
      {
        messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] }],
      },
    ],
    ['tools[0].input_examples', { tools: [{ ...tool, input_examples: [{}] }] }],
    ['tools[0].allowed_callers[0]', { tools: [{ ...tool, allowed_callers: ['code_execution_20250825'] }] }],
    [
      'messages[0].content[0].type',
      { messages: [{ role: 'user', content: [{ type: 'search_result', source: 'x' }] }] },
    ],
    [
      'messages[0].content[0].source.type',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
    ],
    [
      'messages[0].content[0].citations.enabled',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'document',
                citations: { enabled: true },
                source: { type: 'text', media_type: 'text/plain', data: 'a' },
              },
            ],
          },
        ],
      },
    ],
    ['messages[1]', { messages: [...hello, { role: 'assistant', content: 'The answer is (' }] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'a' }] }],
    ['something_new', { something_new: 1 }],
    ['a??b', { 'a\r\nb': 1 }],
  ])('the unsupported member %s', (param, more) => {
    expect(() => chat(more)).toThrow(
      expect.objectContaining({
        code: 'dialect/unsupported',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
  it.each<[string, JsonObject]>([
    ['max_tokens', { max_tokens: 'many' }],
    ['messages', { messages: 'hello' }],
    ['messages', { messages: [] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
    ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['tools[0].input_schema', { tools: [{ name: 'a', input_schema: [] }] }],
  ])('a malformed %s', (param, more) => {
    expect(() => chat(more)).toThrow(
      expect.objectContaining({
        code: 'proxy/invalid-request',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
  it.each([[undefined], [''], [7], [null]])('a request without a model: %j', (model) => {
    const { model: _, ...rest } = base
    expect(() => translateMessages(model === undefined ? rest : { ...rest, model })).toThrow(
      expect.objectContaining({ code: 'proxy/model-missing' }),
    )
  })
  it.each<[string, JsonObject]>([
    ['Parameter: "speed". "fast" is not supported. It must be "standard".', { speed: 'fast' }],
    [
      'Parameter: "tools[0].type". "web_fetch_20250910" is not supported. It must be one of "custom", "web_search_20250305", "web_search_20260209".',
      { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
    ],
    [
      'Parameter: "messages[0].role". "tool" is not supported. It must be one of "user", "assistant", "system".',
      { messages: [{ role: 'tool', content: 'a' }] },
    ],
    ['Parameter: "something_new".', { something_new: 1 }],
    ['Parameter: "max_tokens". It must be at least 1.', { max_tokens: 0 }],
    ['Parameter: "temperature". It must be a number.', { temperature: 'warm' }],
  ])('a value, and lists the supported values: %s', (named, more) => {
    expect(() => chat(more)).toThrow(named)
  })
  it('a request without quoting its content', () => {
    try {
      chat({ messages: [{ role: 'user', content: [{ type: 'text', text: 'canary', extra: 'canary' }] }] })
      expect.unreachable()
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(SottoError)
      expect((thrown as SottoError).message).toContain('"messages[0].content[0].extra"')
      expect((thrown as SottoError).message).not.toContain('canary')
    }
  })
})
