import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import { SeenAnswer } from './seen-answer.ts'
import { startSotto } from './sotto-process.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-full-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const MODEL = 'private/sandbox-lento-8b'

it.runIf(process.platform === 'linux')(
  'a disk that becomes full during a reply loses at most its last second, and everything continues once there is space',
  async () => {
    const sotto = await startSotto(folder)
    try {
      const response = await sotto.api('chat/send', { model: MODEL, text: 'Write 900 words about rivers' })
      const seen = new SeenAnswer()
      const reading = seen.read(response.body!)
      await expect.poll(() => seen.before(1000).length, { timeout: 30_000 }).toBeGreaterThan(40)
      const secondAgo = seen.before(1000)
      const { size } = await stat(join(folder, 'profiles', 'sandbox', 'sotto.db-wal'))
      // Node ignores the signal of a write beyond the limit, so the write fails as on a full disk.
      const limit = (bytes: string) =>
        execFileSync('prlimit', ['--pid', String(sotto.child.pid), `--fsize=${bytes}:unlimited`])
      limit(String(size))
      await reading.catch(() => 'the stream was told to have failed')

      const started = seen.events.find((event) => event.type === 'started')!
      const {
        conversation: { id: conversationId },
      } = started
      const stored = async () =>
        ((await sotto.call('conversations/get', { conversationId })) as { messages: Message[] }).messages
      const [question, answer] = await stored()
      expect(question?.text).toBe('Write 900 words about rivers')
      expect(answer!.text.slice(0, secondAgo.length)).toBe(secondAgo)
      // The stream doesn't report a successful end of the answer.
      expect(seen.events.some((event) => event.type === 'ended' && event.failure === undefined)).toBe(false)
      // The core refuses the next message with the reason.
      expect(
        await (await sotto.api('chat/send', { conversationId, model: MODEL, text: 'and now?' })).text(),
      ).toContain('store/unwritable')

      limit('unlimited')
      await expect.poll(async () => (await stored())[1]?.state, { timeout: 30_000 }).toBe('interrupted')
      const again = new SeenAnswer()
      await again.read(
        (await sotto.api('chat/send', { conversationId, model: MODEL, text: 'Go on, in one word' })).body!,
      )
      expect(again.events.at(-1)).toMatchObject({
        type: 'ended',
        answer: { state: 'complete', privacy: 'sealed' },
      })
    } finally {
      await sotto.stop('SIGKILL')
    }
  },
)
