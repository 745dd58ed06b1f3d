import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../../src/core/core.ts'
import type { Receipt } from '../../../../../src/shared/receipt.ts'
import { giveFirstKey } from '../../../../limited-key.ts'
import { OPEN, PRIVATE, scriptedWorld } from '../../../../scripted-world.ts'
import { startWorld } from '../../../../world.ts'

const MESSAGE = 'Upstream is too busy'

const scripted = scriptedWorld()

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const text = event({ choices: [{ index: 0, delta: { content: 'part' } }] })
const stop = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const usage = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } })
const done = 'data: [DONE]\n\n'
const error = { error: { message: MESSAGE, code: 'server_overloaded' } }

function answers(type: string, body: string): void {
  scripted.script = (_request, answer) => {
    answer.begin({ 'content-type': type })
    answer.end(Buffer.from(body))
  }
}

/** The mark of a complete stream, in each interface. */
const COMPLETE = /message_stop|response\.completed|\[DONE\]|"done":true/

const interfaces = [
  { path: '/chat/completions', body: { messages: [{ role: 'user', content: 'hello' }] } },
  { path: '/messages', body: { max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] } },
  { path: '/responses', body: { input: 'hello' } },
  { path: '/api/chat', body: { messages: [{ role: 'user', content: 'hello' }] } },
]
const receipt = async (): Promise<Receipt> =>
  ((await scripted.world.call('receipts/list', { limit: 1 })) as Receipt[])[0]!

describe.each(
  interfaces.flatMap(({ path, body }) => [OPEN, PRIVATE].map((model) => ({ path, body, model }))),
)('$path with $model', ({ path, body, model }) => {
  it.each([
    ['first', event(error)],
    ['mid-stream', text + event(error)],
    ['last, with [DONE]', text + stop + event(error) + done],
    ['as an error event', `${text}event: error\ndata: ${JSON.stringify(error)}\n\n`],
  ])(
    'a stream with an error %s fails with the service’s message, and has no complete receipt',
    async (_where, stream) => {
      answers('text/event-stream', stream)
      const received = await (await scripted.world.post({ ...body, model, stream: true }, {}, path)).text()
      expect(received).toContain(MESSAGE)
      expect(received).not.toMatch(COMPLETE)
      expect(await receipt()).toMatchObject({ outcome: 'failed', code: 'service/unavailable' })
    },
  )

  it('a stream that ends with finish_reason "error" fails', async () => {
    answers(
      'text/event-stream',
      text + event({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }] }) + done,
    )
    expect(await (await scripted.world.post({ ...body, model, stream: true }, {}, path)).text()).toContain(
      'The response contains an error.',
    )
    expect(await receipt()).toMatchObject({ outcome: 'failed', code: 'service/failed' })
  })

  it('a JSON error is a refusal with its own status', async () => {
    answers('application/json', JSON.stringify({ error: { message: MESSAGE, code: 429 } }))
    const response = await scripted.world.post({ ...body, model, stream: false }, {}, path)
    expect([response.status, await response.text()]).toEqual([429, expect.stringContaining(MESSAGE)])
    expect(await receipt()).toMatchObject({ outcome: 'failed', code: 'service/rate-limited' })
  })

  it('a stream with a finish reason and without [DONE] is complete, and its receipt records this', async () => {
    answers('text/event-stream', text + stop + usage)
    const received = await (await scripted.world.post({ ...body, model, stream: true }, {}, path)).text()
    expect(received).toMatch(COMPLETE)
    expect(await receipt()).toMatchObject({
      outcome: 'complete',
      withoutEndMark: true,
      usage: { prompt: 7, completion: 3 },
    })
  })

  it('parts of a reply that this interface can’t return are named, and the reported cost is used', async () => {
    answers(
      'application/json',
      JSON.stringify({
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: [{ type: 'text', text: 'Here.' }],
              images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
              annotations: [
                { type: 'url_citation', url_citation: { url: 'https://a.example/', title: 'A' } },
              ],
            },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 3, cost: 0.0000123 },
      }),
    )
    const received = await (await scripted.world.post({ ...body, model, stream: false }, {}, path)).text()
    expect(received).toContain('image/png')
    expect(received).toContain('https://a.example/')
    expect(await receipt()).toMatchObject({
      outcome: 'complete',
      cost: '12300000',
      costStated: true,
      listedCost: expect.any(String) as string,
    })
  })
})

it('an impossible usage doesn’t use up a budget', async () => {
  await using limited = await startWorld({
    profile: (profile) => ({ ...profile, baseUrl: scripted.service.baseUrl }),
    vault: async (folder) => {
      const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await giveFirstKey({
        vault,
        folder,
        profileId: 'sandbox',
        limits: { budget: { picoUsd: 10n ** 12n, period: 'total' } },
      })
      return vault
    },
  })
  answers(
    'application/json',
    JSON.stringify({
      choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10 ** 15, completion_tokens: 10 ** 15 },
    }),
  )
  for (let asked = 0; asked < 2; asked++) {
    expect(
      (await limited.post({ model: OPEN, max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] }))
        .status,
    ).toBe(200)
    const [newest] = (await limited.call('receipts/list', { limit: 1 })) as Receipt[]
    expect(newest).toMatchObject({ charged: newest?.estimate?.most, costDoubted: true })
  }
})
