import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { SeenAnswer } from './seen-answer.ts'
import { startSotto, type SottoProcess } from './sotto-process.ts'

const MODEL = 'private/sandbox-lento-8b'
const LONG = 'Tell me a story of 800 words about rivers'

let folder: string
let sotto: SottoProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-sign-out-'))
  sotto = await startSotto(folder)
})
afterEach(async () => {
  await sotto.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Another browser window, with its own token. */
async function openWindow(): Promise<{ post(path: string, input?: unknown): Promise<Response> }> {
  const { origin, hash } = new URL(await sotto.newAddress())
  const exchanged = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: hash.slice('#code='.length) }),
  })
  const { token } = (await exchanged.json()) as { token: string }
  return {
    post: (path, input) =>
      fetch(`${origin}/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ json: input }),
      }),
  }
}

it('signing a window out ends its stream; the reply so far is saved, and its receipt shows the cancellation', async () => {
  const other = await openWindow()
  // The test's own window is open before the answer begins.
  await sotto.call('app/status')
  const seen = new SeenAnswer()
  const reading = seen.read((await other.post('chat/send', { model: MODEL, text: LONG })).body!)
  const cut = expect(reading).rejects.toThrow()
  await expect.poll(() => seen.before(0).length, { timeout: 30_000 }).toBeGreaterThan(0)

  const windows = (await sotto.call('windows/list')) as { id: string; current: boolean }[]
  const [signedOut] = windows.filter(({ current }) => !current)
  expect(await sotto.call('windows/signOut', { id: signedOut!.id })).toEqual({ signedOut: true })
  await cut
  expect((await other.post('app/status')).status).toBe(401)

  const answer = async (): Promise<Message> => {
    const [conversation] = (await sotto.call('conversations/list')) as Conversation[]
    return (
      (await sotto.call('conversations/get', { conversationId: conversation!.id })) as { messages: Message[] }
    ).messages.at(-1)!
  }
  await expect.poll(async () => (await answer()).state).toBe('cancelled')
  const saved = await answer()
  expect(saved).toMatchObject({ role: 'assistant', privacy: 'sealed' })
  expect(JSON.stringify(saved)).toContain(JSON.stringify(seen.before(0)).slice(1, -1))
  const receipts = (await sotto.call('receipts/list', {})) as Receipt[]
  expect(receipts).toHaveLength(1)
  expect(receipts[0]).toMatchObject({ privacy: 'sealed', outcome: 'cancelled' })
  // The window that signed the other one out still works.
  expect(await (await sotto.api('chat/send', { model: MODEL, text: 'hello' })).text()).toContain(
    '"state":"complete"',
  )
  expect(sotto.stderr()).toBe('')
})

it('signing a window out doesn’t affect a reply of another window', async () => {
  const other = await openWindow()
  expect((await other.post('app/status')).status).toBe(200)
  const seen = new SeenAnswer()
  const reading = seen.read((await sotto.api('chat/send', { model: MODEL, text: 'hello' })).body!)
  const windows = (await sotto.call('windows/list')) as { id: string; current: boolean }[]
  for (const { id, current } of windows)
    if (!current) expect(await sotto.call('windows/signOut', { id })).toEqual({ signedOut: true })
  await reading
  expect(seen.events.at(-1)).toMatchObject({
    type: 'ended',
    answer: { state: 'complete', privacy: 'sealed' },
  })
})
