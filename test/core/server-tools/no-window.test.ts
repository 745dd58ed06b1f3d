import { expect, it } from 'vitest'
import { sendKeyChat, type ProxyBackend } from '../../../src/core/gateway/proxy/route-context.ts'
import type { ChatRequest, RelayAnswer } from '../../../src/core/gateway/relay/index.ts'
import { insertKey } from '../../../src/replica/local-keys.ts'

const request: ChatRequest = {
  body: { model: 'private/model', messages: [] },
  caller: { kind: 'proxy', localKeyId: 'key' },
  signal: new AbortController().signal,
}
const answer: RelayAnswer = {
  privacy: 'sealed',
  receiptId: 'receipt',
  model: 'private/model',
  contentType: 'application/json',
  timing: { addedMs: 0, proofMs: undefined, sealMs: undefined },
  body: (async function* () {})(),
  receipt: () => undefined,
}

/** A backend that remembers what was sent. */
function backend(more: Pick<ProxyBackend, 'chatWithTools'> = {}) {
  const sent: ChatRequest[] = []
  const relay = {
    chat: (chat: ChatRequest) => {
      sent.push(chat)
      return Promise.resolve(answer)
    },
  }
  return { sent, parts: { relay, ...more } }
}

it('a key without server tools, and a request without a key, are sent as they are', async () => {
  const { sent, parts } = backend({ chatWithTools: () => Promise.reject(new Error('not used')) })
  expect(await sendKeyChat(parts, { localKey: null }, request, [])).toBe(answer)
  expect(await sendKeyChat(parts, { localKey: { id: 'key', limits: {} } }, request, [])).toBe(answer)
  expect(sent).toEqual([request, request])
  expect(sent[0]).toBe(request)
})

it('a key with server tools is refused where no window could ask, and nothing is sent', () => {
  const { sent, parts } = backend()
  const localKey = { id: 'key', limits: { serverTools: { webSearch: true } } } as const
  expect(() => sendKeyChat(parts, { localKey }, request, [])).toThrow(
    expect.objectContaining({ code: 'tools/no-window' }),
  )
  expect(sent).toEqual([])
})

it('replicas refuse to create a key with server tools', async () => {
  const unused = (): Promise<never> => Promise.reject(new Error('not used'))
  await expect(
    insertKey(
      { query: unused, execute: unused },
      { name: 'Key', hash: 'ab'.repeat(32), limits: { serverTools: { webSearch: true } } },
    ),
  ).rejects.toThrow(expect.objectContaining({ code: 'tools/no-window' }))
})
