import { describe, expect, it } from 'vitest'
import { reasoningToken } from '../../../../src/core/gateway/answer/index.ts'
import { translateResponses } from '../../../../src/core/gateway/dialect/responses/index.ts'
import type { EarlierResponses } from '../../../../src/core/gateway/dialect/responses/index.ts'
import type { JsonObject, JsonValue } from '../../../../src/shared/strict-json.ts'
import { completion, facts, stepOf } from './stream-pieces.ts'

const base: JsonObject = { model: 'private/m', input: 'hello' }
const chat = (more: JsonObject): JsonObject => translateResponses({ ...base, ...more }).body
const toMessages = (input: JsonValue, more: JsonObject = {}): JsonValue =>
  chat({ input, ...more })['messages'] ?? null
const user = { role: 'user', content: 'hello' }
const tool = {
  type: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { enum: [null] } } },
}
const chatTool = { type: 'function', function: { name: 'read', parameters: tool.parameters } }
const call = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'read',
  arguments: '{"a":1}',
  status: 'completed',
}
const chatCall = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }
const output = { type: 'function_call_output', call_id: 'c1', output: 'one' }
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
const chatImage = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

it('ignores the name of the tool in its output', () => {
  const named = { ...output, name: 'read', namespace: 'files' }
  expect(toMessages([call, named])).toEqual(toMessages([call, output]))
})

describe('a Responses request becomes a chat completion', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['nothing more', {}, {}],
    [
      'null is absent',
      { previous_response_id: null, conversation: null, prompt: null, tools: null, temperature: null },
      {},
    ],
    ['a response that is kept', { store: true }, {}],
    [
      'what keeps nothing',
      {
        store: false,
        background: false,
        truncation: 'disabled',
        include: ['reasoning.encrypted_content'],
        top_logprobs: 0,
      },
      {},
    ],
    [
      'limits and sampling',
      { max_output_tokens: 9, temperature: 0, top_p: 1, user: 'u', safety_identifier: 's' },
      { max_completion_tokens: 9, temperature: 0, top_p: 1, user: 'u', safety_identifier: 's' },
    ],
    [
      'streaming asks for its usage',
      { stream: true, stream_options: { include_obfuscation: false } },
      { stream: true, stream_options: { include_usage: true } },
    ],
    ['reasoning', { reasoning: { effort: 'minimal', summary: 'auto' } }, { reasoning_effort: 'minimal' }],
    [
      'verbosity and plain text',
      { text: { verbosity: 'low', format: { type: 'text' } } },
      { verbosity: 'low' },
    ],
    ['any JSON', { text: { format: { type: 'json_object' } } }, { response_format: { type: 'json_object' } }],
    [
      'JSON of a schema',
      { text: { format: { type: 'json_schema', name: 'n', strict: true, schema: { type: 'object' } } } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'n', schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [
      'tools, whose schema is not touched',
      { tools: [{ ...tool, strict: null }], tool_choice: 'auto', parallel_tool_calls: false },
      { tools: [chatTool], tool_choice: 'auto', parallel_tool_calls: false },
    ],
    [
      'a tool by its name',
      { tools: [tool], tool_choice: { type: 'function', name: 'read' } },
      { tools: [chatTool], tool_choice: { type: 'function', function: { name: 'read' } } },
    ],
    [
      'some of the tools',
      {
        tools: [tool, { ...tool, name: 'write' }],
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'read' }] },
      },
      { tools: [chatTool], tool_choice: 'required' },
    ],
    [
      'tools of a namespace',
      {
        tools: [
          {
            type: 'namespace',
            name: 'crm',
            description: 'Customers',
            tools: [{ ...tool, description: 'Reads' }],
          },
        ],
      },
      {
        tools: [
          {
            type: 'function',
            function: { name: 'crm__read', description: 'Customers\n\nReads', parameters: tool.parameters },
          },
        ],
      },
    ],
    ['no choice among no tools', { tools: [], tool_choice: 'none', parallel_tool_calls: true }, {}],
  ])('%s', (_name, more, expected) => {
    expect(chat(more)).toEqual({ model: 'private/m', messages: [user], ...expected })
  })

  it.each<[string, JsonValue, JsonValue[], JsonObject?]>([
    [
      'instructions and the developer’s word are the system’s',
      [
        { role: 'developer', content: 'b' },
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'c' }] },
        user,
      ],
      [{ role: 'system', content: 'a\n\nb\n\nc' }, user],
      { instructions: 'a' },
    ],
    [
      'pictures, files and sound',
      [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'a' },
            { ...image, detail: 'low' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          ],
        },
      ],
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: image.image_url, detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
            { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          ],
        },
      ],
    ],
    [
      'an answer that is sent back',
      [
        user,
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'b', annotations: [], logprobs: [], parsed: { b: 1 } }],
        },
        { role: 'user', content: 'c' },
      ],
      [user, { role: 'assistant', content: 'b' }, { role: 'user', content: 'c' }],
    ],
    [
      'a refusal that is sent back',
      [user, { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }, user],
      [user, { role: 'assistant', content: null, refusal: 'no' }, user],
    ],
    [
      'words, parallel calls and their results',
      [
        user,
        { role: 'assistant', content: 'see' },
        call,
        { ...call, call_id: 'c2' },
        output,
        { ...output, call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
      ],
      [
        user,
        { role: 'assistant', content: 'see', tool_calls: [chatCall, { ...chatCall, id: 'c2' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'tool', tool_call_id: 'c2', content: 'two' },
      ],
    ],
    [
      'a picture that a tool returned',
      [user, call, { ...output, output: [image] }],
      [
        user,
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: 'What this tool returned beside its text follows in the next message of the user.',
        },
        { role: 'user', content: [{ type: 'text', text: 'The tool call c1 returned:' }, chatImage] },
      ],
    ],
    [
      'reasoning, from its token or from its text',
      [
        user,
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [],
          encrypted_content: reasoningToken({ member: 'reasoning', text: 'hm' }),
        },
        call,
        output,
        { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'so' }] },
        { role: 'assistant', content: 'b' },
      ],
      [
        user,
        { role: 'assistant', content: null, reasoning: 'hm', tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
        { role: 'assistant', content: 'b', reasoning_content: 'so' },
      ],
    ],
    [
      'a call whose arguments the SDK has read',
      [user, { ...call, parsed_arguments: { a: 1 } }, output],
      [
        user,
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
      ],
    ],
    [
      'a call of a namespace',
      [user, { ...call, namespace: 'crm' }, output],
      [
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ ...chatCall, function: { name: 'crm__read', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'one' },
      ],
    ],
  ])('%s', (_name, input, expected, more) => {
    expect(toMessages(input, more)).toEqual(expected)
    // The saved items of the response give the same messages.
    const items = translateResponses({ ...base, input, ...more }).contextFor('kept')
    const continued = translateResponses(
      { ...base, ...more, previous_response_id: 'resp_1', input: [user] },
      { response: () => ({ privacy: 'sealed', items }), item: () => null },
    )
    expect(continued.body['messages']).toEqual(toMessages([...(input as JsonValue[]), user], more))
  })

  it('lists the members that it ignores, and passes none of them on', () => {
    const { body, ignored } = translateResponses({
      ...base,
      input: [{ ...user, phase: 'commentary' }],
      prompt_cache_key: 'session-7',
      client_metadata: { installation: 'device-7' },
      service_tier: 'auto',
      max_tool_calls: 3,
      prompt_cache_options: { ttl: '30m' },
    })
    expect(ignored).toEqual([
      'prompt_cache_key',
      'prompt_cache_options',
      'client_metadata',
      'service_tier',
      'max_tool_calls',
      'input.phase',
    ])
    expect(JSON.stringify(body)).not.toMatch(/session-7|device-7|service_tier|ttl|phase/)
    expect(translateResponses(base).ignored).toEqual([])
  })
})

describe('a Responses request ignores members that don’t change its meaning', () => {
  it.each<[string, JsonObject]>([
    ['truncation', { truncation: 'auto' }],
    ['service_tier', { service_tier: 'flex' }],
    ['include', { include: ['reasoning.encrypted_content', 'web_search_call.action.sources'] }],
    ['reasoning.summary', { reasoning: { summary: 'detailed' } }],
    ['stream_options.include_obfuscation', { stream_options: { include_obfuscation: true } }],
    [
      'input.encrypted_content',
      { input: [{ type: 'reasoning', summary: [], encrypted_content: 'gAAAAA' }, user] },
    ],
    [
      'input.annotations',
      {
        input: [
          {
            role: 'assistant',
            content: [{ type: 'output_text', text: 'a', annotations: [{ type: 'url_citation' }] }],
          },
          user,
        ],
      },
    ],
  ])('%s: %j', (name, more) => {
    const { body, ignored } = translateResponses({ ...base, ...more })
    expect(ignored).toEqual([name])
    expect(JSON.stringify(body)).not.toMatch(
      /truncation|flex|sources|detailed|obfuscation|gAAAAA|url_citation/,
    )
  })
})

describe('translateResponses refuses', () => {
  it.each<[string, JsonObject]>([
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'p' } }],
    ['moderation', { moderation: { model: 'm' } }],
    ['context_management', { context_management: [{ type: 'compaction' }] }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['prompt_cache_options.prewarm', { prompt_cache_options: { prewarm: true } }],
    ...[
      'web_search',
      'web_search_preview',
      'file_search',
      'computer_use_preview',
      'code_interpreter',
      'image_generation',
      'mcp',
      'local_shell',
      'shell',
      'custom',
      'apply_patch',
      'tool_search',
    ].map((type): [string, JsonObject] => ['tools[1].type', { tools: [tool, { type }] }]),
    ['tools[0].defer_loading', { tools: [{ ...tool, defer_loading: true }] }],
    ['tools[0].output_schema', { tools: [{ ...tool, output_schema: {} }] }],
    ['tools[1].name', { tools: [tool, tool] }],
    [
      'tools[0].tools[0].type',
      { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'c' }] }] },
    ],
    ['tool_choice.type', { tool_choice: { type: 'mcp', server_label: 'x' } }],
    ['input[0].type', { input: [{ type: 'web_search_call', id: 'x', status: 'completed' }] }],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
    ],
    [
      'input[0].content[0].detail',
      { input: [{ role: 'user', content: [{ ...image, detail: 'original' }] }] },
    ],
    ['input[0].async', { input: [{ ...call, async: true }] }],
    ['something_new', { something_new: 1 }],
  ])('the unsupported member %s: %j', (param, more) => {
    expect(() => chat(more)).toThrow(
      expect.objectContaining({
        code: 'dialect/unsupported',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
  it('a web search, and explains how to turn it off in Codex', () => {
    expect(() => chat({ tools: [{ type: 'web_search', external_web_access: true }] })).toThrow(
      /web_search = "disabled"/,
    )
  })
  it.each<[string, JsonObject]>([
    ['input', { input: 7 }],
    ['input[0].content', { input: [{ role: 'user', content: {} }] }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['input[0].arguments', { input: [{ ...call, arguments: {} }] }],
  ])('a malformed %s', (param, more) => {
    expect(() => chat(more)).toThrow(
      expect.objectContaining({
        code: 'proxy/invalid-request',
        details: expect.objectContaining({ param }) as object,
      }),
    )
  })
  it('a request without a model', () => {
    expect(() => translateResponses({ input: 'a' })).toThrow(
      expect.objectContaining({ code: 'proxy/model-missing' }),
    )
  })
})

describe('a Responses request that refers to earlier ones', () => {
  const item = (id: string, more: JsonObject): { id: string; json: string } => ({
    id,
    json: JSON.stringify({ id, ...more }),
  })
  const asked = item('msg_1', {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'read it' }],
    status: 'completed',
  })
  const called = item('fc_1', { ...call, id: 'fc_1' })
  const earlier: EarlierResponses = {
    response: (id) => (id === 'resp_1' ? { privacy: 'sealed', items: [asked, called] } : null),
    item: (id) => (id === 'fc_1' ? { privacy: 'relayed', items: [called] } : null),
  }
  const turned = [
    { role: 'user', content: 'read it' },
    { role: 'assistant', content: null, tool_calls: [chatCall] },
    { role: 'tool', tool_call_id: 'c1', content: 'one' },
  ]

  it('includes the items of the previous response, but not its instructions', () => {
    const { body, earlier: added } = translateResponses(
      { ...base, instructions: 'be brief', previous_response_id: 'resp_1', input: [output] },
      earlier,
    )
    expect(body['messages']).toEqual([{ role: 'system', content: 'be brief' }, ...turned])
    expect(added).toEqual({ privacy: 'sealed', bytes: asked.json.length + called.json.length })
  })
  it.each<[string, JsonObject]>([
    ['with a type', { type: 'item_reference', id: 'fc_1' }],
    ['without a type', { id: 'fc_1' }],
  ])('resolves a reference %s to its item', (_name, reference) => {
    const { body, earlier: added } = translateResponses(
      { ...base, input: [{ role: 'user', content: 'read it' }, reference, output] },
      earlier,
    )
    expect(body['messages']).toEqual(turned)
    expect(added?.privacy).toBe('relayed')
  })
  it('saves every item with a type, an ID and parts', () => {
    const translated = translateResponses(
      {
        ...base,
        previous_response_id: 'resp_1',
        input: [
          { ...output, id: 'fco_7' },
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
      earlier,
    ).contextFor('abc')
    expect(translated.map(({ id }) => id)).toEqual(['msg_1', 'fc_1', 'fco_7', 'msg_abc_i3', 'msg_abc_i4'])
    expect(translated.slice(3).map(({ json }) => JSON.parse(json) as unknown)).toEqual([
      {
        id: 'msg_abc_i3',
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: 'a' }],
      },
      {
        id: 'msg_abc_i4',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'b', annotations: [] }],
      },
    ])
    expect(
      translateResponses({ ...base, input: 'hello' })
        .contextFor('abc')
        .map(({ json }) => JSON.parse(json) as unknown),
    ).toEqual([
      {
        id: 'msg_abc_i0',
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: 'hello' }],
      },
    ])
  })
  it('repeats the ID of the previous response and the value of store', () => {
    const echo = (more: JsonObject): JsonObject =>
      translateResponses({ ...base, ...more }, earlier)
        .answer(facts)
        .whole(stepOf(completion({ message: { content: 'a' }, finishReason: 'stop', chunks: [] })))
    expect(echo({ previous_response_id: 'resp_1', store: false, text: { verbosity: 'low' } })).toMatchObject({
      previous_response_id: 'resp_1',
      store: false,
      text: { format: { type: 'text' }, verbosity: 'low' },
    })
    expect(echo({})).toMatchObject({ previous_response_id: null, store: true })
  })
  it.each<[string, string, string, JsonObject]>([
    [
      'response/previous-unknown',
      'previous_response_not_found',
      'previous_response_id',
      { previous_response_id: 'resp_2' },
    ],
    [
      'response/unknown',
      'response/unknown',
      'input[0].id',
      { input: [{ type: 'item_reference', id: 'fc_2' }] },
    ],
    [
      'proxy/invalid-request',
      'proxy/invalid-request',
      'input[1].id',
      {
        input: [
          { type: 'item_reference', id: 'fc_1' },
          { type: 'item_reference', id: 'fc_1' },
        ],
      },
    ],
    [
      'proxy/invalid-request',
      'proxy/invalid-request',
      'input[0].id',
      { previous_response_id: 'resp_1', input: [{ type: 'item_reference', id: 'fc_1' }] },
    ],
  ])('is refused with %s', (code, codeForTools, param, more) => {
    expect(() => translateResponses({ ...base, ...more }, earlier)).toThrow(
      expect.objectContaining({ code, codeForTools, details: expect.objectContaining({ param }) as object }),
    )
  })
})
