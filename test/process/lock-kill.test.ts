import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PrivacyChoices } from '../../src/shared/contract/privacy.ts'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import { SeenAnswer } from './seen-answer.ts'
import { startSotto, type SottoProcess } from './sotto-process.ts'

const PASSPHRASE = 'a heron and a passphrase'
const CANARY = 'the heron canary wades at dawn'
const MODEL = 'private/sandbox-lento-8b'
const PRELOAD = pathToFileURL(join(import.meta.dirname, 'kill-step.mjs')).href

let folder: string
let sotto: SottoProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-lock-kill-'))
})
afterEach(async () => {
  await sotto?.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** @param kill the call and the step before which the process is killed */
async function start(kill: { path: string; step: number }): Promise<SottoProcess> {
  const environment = {
    SOTTO_PASSPHRASE: PASSPHRASE,
    SOTTO_TEST_KILL_STEP: JSON.stringify({ ...kill, path: `/api/${kill.path}` }),
  }
  sotto = await startSotto(folder, environment, ['--import', PRELOAD])
  return sotto
}

/**
 * The data that must survive a kill. It excludes a key's spent budget and last use, which may change with
 * each round.
 */
async function readState(running: SottoProcess): Promise<{ conversations: Conversation[]; rest: object }> {
  const keys = (await running.call('localApi/keys')) as { id: string; name: string; limits: object }[]
  return {
    conversations: (await running.call('conversations/list')) as Conversation[],
    rest: {
      keys: keys.map(({ id, name, limits }) => ({ id, name, limits })),
      first: await running.call('localApi/get').then((api) => (api as { key: string }).key),
      vault: await running.call('vault/view'),
      // The sandbox listens on another port after each start.
      settings: await running.call('privacy/choices').then((choices) => ({
        ...(choices as PrivacyChoices),
        freshEvidence: (choices as PrivacyChoices).freshEvidence?.chosen,
      })),
      accounts: await running.call('accounts/list'),
    },
  }
}
const messagesOf = async (running: SottoProcess, conversationId: string): Promise<Message[]> =>
  ((await running.call('conversations/get', { conversationId })) as { messages: Message[] }).messages

interface Asked {
  readonly id: string
  readonly title: string
  readonly question: string
}

/** Resolves when the answer has begun. */
async function beginAnswer(
  running: SottoProcess,
  question: string,
): Promise<{ asked: Asked; reading: Promise<unknown> }> {
  const seen = new SeenAnswer()
  const reading = seen
    .read((await running.api('chat/send', { model: MODEL, text: question })).body!)
    .catch(() => 'cut')
  await expect.poll(() => seen.before(0).length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(0)
  const [newest] = (await running.call('conversations/list')) as Conversation[]
  return { asked: { id: newest!.id, title: newest!.title, question }, reading }
}

describe.each(['vault/lock', 'vault/unlock'])(
  'kill -9 before each step of %s that changes the data folder',
  (path) => {
    it('loses nothing, leaves nothing readable, and isn’t reported as a change of records', async () => {
      const steps: string[] = []
      const secrets: Record<string, string> = { prompt: CANARY, passphrase: PASSPHRASE }
      let before: Awaited<ReturnType<typeof readState>> | undefined
      let asked: Asked | undefined
      for (let step = 1; steps.at(-1) !== 'the end'; step++) {
        const running = await start({ path, step })
        expect([
          step,
          ((await running.call('app/status')) as { notices: { id: string }[] }).notices.map(({ id }) => id),
        ]).toEqual([step, []])
        const now = await readState(running)
        if (before) {
          expect([step, steps.at(-1), now.rest]).toEqual([step, steps.at(-1), before.rest])
          expect([step, now.conversations.slice(asked ? 1 : 0)]).toEqual([step, before.conversations])
          if (asked) {
            expect(now.conversations[0]).toMatchObject({ id: asked.id, title: asked.title })
            expect(await messagesOf(running, asked.id)).toMatchObject([
              { role: 'user', text: asked.question },
              { role: 'assistant', state: 'interrupted' },
            ])
          }
        } else {
          const { secret } = (await running.call('localApi/create', {
            name: 'heron tool',
            limits: { budget: { picoUsd: '10000000000', period: 'day' } },
          })) as { secret: string }
          secrets['key'] = secret
          secrets['firstKey'] = (now.rest as { first: string }).first
        }

        // Give the lock new data to store: a setting, so that the root and the vault change, and a running
        // answer.
        await running.call('vault/setAutoLock', {
          afterMinutes: step % 2 === 0 ? 15 : 60,
          onSleep: step % 2 === 0,
        })
        before = await readState(running)
        const answer =
          path === 'vault/lock'
            ? await beginAnswer(running, `${CANARY}: tell me a story of 800 words, ${String(step)}`)
            : undefined
        if (path === 'vault/unlock') await running.call('vault/lock')
        const exited = once(running.child, 'exit')
        await running
          .call(path, path === 'vault/unlock' ? { passphrase: PASSPHRASE } : undefined)
          .catch(() => 'killed')
        await exited
        await answer?.reading
        asked = answer?.asked
        expect(running.child.signalCode).toBe('SIGKILL')
        steps.push(/^killed before (.+)$/m.exec(running.stderr())?.[1] ?? running.stderr())
        expect([step, await readable(folder, secrets)]).toEqual([step, []])
      }
      if (path === 'vault/lock') expect(steps).toContain('rename vault.json.partial')

      // The search finds each text in a file that contains it.
      await writeFile(join(folder, 'planted'), JSON.stringify(secrets))
      expect(await readable(folder, secrets)).toEqual(
        Object.keys(secrets)
          .toSorted()
          .map((name) => `${name} in planted`),
      )
    }, 300_000)
  },
)

/**
 * The names of the texts that files of the data folder contain, unchanged or in UTF-16, hex or base64. The
 * folder of the simulated service is excluded, because it is a server.
 */
async function readable(dataDir: string, texts: Readonly<Record<string, string>>): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || path.startsWith(join(dataDir, 'sandbox'))) continue
    const bytes = await readFile(path)
    for (const [name, text] of Object.entries(texts))
      if (formsOf(text).some((form) => bytes.includes(form))) found.push(`${name} in ${entry.name}`)
  }
  return found.toSorted()
}

function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  // In base64, at each of the three offsets, without the characters that depend on adjacent bytes.
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  )
  return [text, bytes.toString('hex'), ...base64]
    .map((form) => Buffer.from(form))
    .concat(Buffer.from(text, 'utf16le'))
}
