import { describe, expect, it } from 'vitest'
import { countChatTokens } from '../../../../src/core/gateway/tokens/chat.ts'
import { countTextTokens } from '../../../../src/core/gateway/tokens/text.ts'
import type { JsonObject, JsonValue } from '../../../../src/shared/strict-json.ts'
import { inputTokens } from '../../../../src/sandbox/chat/tokens.ts'
import { chatRequestSchema } from '../../../../src/sandbox/chat/request.ts'

/** A PNG header of that size. */
function png(width: number, height: number): string {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return `data:image/png;base64,${Buffer.concat([bytes, size, Buffer.alloc(40)]).toString('base64')}`
}

const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const ask = (content: JsonValue) => ({ model: 'm', messages: [{ role: 'user', content }] })
const overhead = 4
const countTokens = (body: JsonObject) =>
  countChatTokens(body, { count: (texts) => Promise.all(texts.map(countTextTokens)) })

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file and returns its text, line by line.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path of the file' },
          limit: { type: 'integer' },
        },
        required: ['path'],
      },
    },
  },
]

describe('the tokens of a chat', () => {
  it('counts texts, and the template of each message', async () => {
    expect(await countTokens(ask('hello world'))).toBe(overhead + 2)
    expect(
      await countTokens(
        ask([
          { type: 'text', text: 'hello world' },
          { type: 'text', text: 'hello world' },
        ]),
      ),
    ).toBe(overhead + 4)
    expect(
      await countTokens({
        messages: [
          { role: 'system', content: 'hello world' },
          { role: 'assistant', content: null },
        ],
      }),
    ).toBe(overhead + 4 + 2)
  })

  it('counts tool definitions and calls', async () => {
    const plain = await countTokens(ask('hello world'))
    expect(await countTokens({ ...ask('hello world'), tools })).toBeGreaterThan((plain ?? 0) + 40)
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path":"/etc/hosts"}' },
    }
    expect(
      await countTokens({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] }),
    ).toBeGreaterThan(overhead + 6)
  })

  it.each([
    ['one pixel', png(1, 1), 1],
    ['1000 × 750', png(1000, 750), 1000],
    ['larger than any model reads', png(9000, 9000), 1600],
    ['of an address, which is not fetched', 'https://images.example/a.png', 1600],
    ['damaged', 'data:image/png;base64,AAAA', 1600],
    [
      'of no known kind',
      `data:image/svg+xml;base64,${Buffer.from('<svg width="1" height="1"/>').toString('base64')}`,
      1600,
    ],
    ['of a size that is none', png(0, 10), 1],
    [
      'a JPEG without a size',
      `data:image/jpeg;base64,${Buffer.from(`ffd8ffe0${'00'.repeat(300)}`, 'hex').toString('base64')}`,
      1600,
    ],
  ])('counts an image by its size: %s', async (_, url, tokens) => {
    expect(await countTokens(ask([image(url)]))).toBe(overhead + tokens)
  })

  it.each([
    ['a file', [{ type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } }]],
    ['audio', [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]],
    ['an unknown part', [{ type: 'video_url' }]],
    ['a part that is no object', ['text']],
    ['a number', 5],
  ])('is unknown with %s', async (_, content) => {
    expect(await countTokens(ask(content))).toBeNull()
  })

  it('is unknown without messages', async () => {
    expect(await countTokens({})).toBeNull()
    expect(await countTokens({ messages: ['text'] })).toBeNull()
  })

  it.each([
    {
      name: 'English',
      text: 'A private model is reached only through an enclave whose attestation was verified on this machine. '.repeat(
        20,
      ),
    },
    {
      name: 'code',
      text: 'export function parse(text: string): number | undefined {\n  const value = Number(text)\n  return Number.isFinite(value) ? value : undefined\n}\n'.repeat(
        20,
      ),
    },
    {
      name: 'Chinese',
      text: '只有在本机验证了飞地的证明之后，才会访问私有模型；如果验证失败，则不会发送任何内容。'.repeat(20),
    },
    {
      name: 'Japanese',
      text: '検証に失敗した場合は、何も送信されません。このコンピューターで確認されます。'.repeat(20),
    },
  ])('is within 15 % of the sandbox, with tools and an image: $name', async ({ text }) => {
    const body = { ...ask([{ type: 'text', text }, image(png(600, 400))]), tools }
    const share = ((await countTokens(body)) ?? 0) / inputTokens(chatRequestSchema.parse(body))
    expect(share).toBeGreaterThan(0.87)
    expect(share).toBeLessThan(1.15)
  })
})
