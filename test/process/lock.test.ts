import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { masterFromPassphrase, vaultKey } from '../../src/core/storage/vault/vault-key.ts'
import { decryptSecrets, readVaultFile } from '../../src/core/storage/vault/vault-file.ts'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import { findInMemory } from './memory-search.ts'
import { SeenAnswer } from './seen-answer.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from './sotto-process.ts'
import { errorCodeOf } from './command-json.ts'

const PASSPHRASE = 'a heron and a passphrase'
const CANARY = 'the heron canary wades at dawn'
const RESPONSE_CANARY = 'the ibis canary waits for the next turn'
const MODEL = 'private/sandbox-lento-8b'

let folder: string
const running: SottoProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-lock-'))
})
afterEach(async () => {
  for (const sotto of running.splice(0)) await sotto.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(
  environment: Record<string, string> = {},
  execArgv: readonly string[] = [],
): Promise<SottoProcess> {
  const sotto = await startSotto(folder, { SOTTO_PASSPHRASE: PASSPHRASE, ...environment }, execArgv)
  running.push(sotto)
  return sotto
}
const lockCommand = (...args: string[]): Promise<Finished> =>
  runSotto(['lock', ...args], { SOTTO_DATA_DIR: folder })
const vaultOf = async (sotto: SottoProcess): Promise<unknown> =>
  ((await sotto.call('app/status')) as { vault: unknown }).vault
const unlock = (sotto: SottoProcess): Promise<unknown> =>
  sotto.call('vault/unlock', { passphrase: PASSPHRASE })
const ask = async (sotto: SottoProcess, text: string, more: object = {}): Promise<string> =>
  (await sotto.api('chat/send', { model: MODEL, text, ...more })).text()

/** All data of this test that survives a restart. */
async function readState(sotto: SottoProcess): Promise<object> {
  const conversations = (await sotto.call('conversations/list')) as Conversation[]
  const messages = await Promise.all(
    conversations.map(
      async ({ id }) =>
        ((await sotto.call('conversations/get', { conversationId: id })) as { messages: Message[] }).messages,
    ),
  )
  const { account } = (await sotto.call('app/status')) as { account: unknown }
  return {
    conversations,
    messages,
    receipts: await sotto.call('receipts/list', {}),
    keys: await sotto.call('localApi/keys'),
    account,
  }
}

describe('lock', () => {
  it('ends what runs with a code, refuses everything, and loses nothing; the address stays', async () => {
    const sotto = await start()
    await ask(sotto, CANARY)
    const before = await readState(sotto)
    const { baseUrl, key } = sotto.ready.proxy
    const headers = { authorization: `Bearer ${key!}`, 'content-type': 'application/json' }
    const story = {
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'Tell me a story of 800 words about rivers' }],
    }
    const streaming = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(story),
    })
    const inWindow = new SeenAnswer()
    const reading = inWindow
      .read(
        (await sotto.api('chat/send', { model: MODEL, text: 'Tell me a story of 800 words about lakes' }))
          .body!,
      )
      .catch(() => 'the stream was cut')
    await expect.poll(() => inWindow.before(0).length, { timeout: 30_000 }).toBeGreaterThan(0)

    expect(await sotto.call('vault/lock')).toEqual({ wasOpen: true })
    expect(await streaming.text()).toContain('"code":"request/locked"')
    await reading
    expect(inWindow.events.at(-1)).toMatchObject({ type: 'ended', failure: { code: 'request/locked' } })
    expect(await vaultOf(sotto)).toEqual({ kind: 'file', state: 'locked', lockedBy: { by: 'request' } })
    const refused = await fetch(`${baseUrl}/models`, { headers })
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'vault/locked',
    ])
    for (const path of ['conversations/list', 'localApi/get', 'drafts/all', 'vault/recoveryCopy']) {
      expect([
        path,
        ((await sotto.call(path, { passphrase: 'another passphrase' })) as { data: { code: string } }).data
          .code,
      ]).toEqual([path, 'vault/locked'])
    }
    expect(
      ((await sotto.call('vault/unlock', { passphrase: 'wrong' })) as { data: { code: string } }).data.code,
    ).toBe('vault/wrong-passphrase')
    expect(await sotto.call('vault/lock')).toEqual({ wasOpen: false })

    await unlock(sotto)
    expect(await vaultOf(sotto)).toEqual({ kind: 'file', state: 'open' })
    const after = (await readState(sotto)) as { conversations: Conversation[]; messages: Message[][] }
    const rivers = after.messages[0]!.at(-1)!
    expect(rivers).toMatchObject({ role: 'assistant', state: 'interrupted', errorCode: 'request/locked' })
    expect(after.conversations.slice(1)).toEqual((before as { conversations: unknown }).conversations)
    expect((await fetch(`${baseUrl}/models`, { headers })).status).toBe(200)
    expect(sotto.stderr()).toBe('')
  })

  it('from the command line: locked, already locked, not running; memory is refused', async () => {
    expect(await lockCommand('--json')).toMatchObject({
      code: 0,
      stdout: '{"data":{"result":"not-running"},"schema":1}\n',
    })
    const sotto = await start()
    expect(await lockCommand('--json')).toMatchObject({
      code: 0,
      stdout: '{"data":{"result":"locked"},"schema":1}\n',
    })
    expect(await vaultOf(sotto)).toMatchObject({ state: 'locked' })
    expect(await lockCommand()).toMatchObject({ code: 0, stdout: 'Sotto was already locked.\n' })
    await sotto.stop('SIGTERM')
    expect(await lockCommand()).toMatchObject({ code: 0, stderr: '' })
    const memory = await start({ SOTTO_VAULT: 'memory' })
    const refused = await lockCommand('--json')
    expect([refused.code, errorCodeOf(refused.stdout)]).toEqual([1, 'vault/cannot-lock'])
    expect(await vaultOf(memory)).toEqual({ kind: 'memory', state: 'open' })
    expect(
      (
        (await memory.call('vault/setAutoLock', { afterMinutes: 5, onSleep: true })) as {
          data: { code: string }
        }
      ).data.code,
    ).toBe('vault/cannot-lock')
  })

  it('ends temporary conversations, keeps the choice of when to lock, and a local API that was stopped stays stopped', async () => {
    const sotto = await start()
    await ask(sotto, CANARY)
    await ask(sotto, 'a temporary question', { begin: { temporary: true } })
    expect(await sotto.call('vault/setAutoLock', { afterMinutes: 15, onSleep: true })).toMatchObject({
      autoLock: { afterMinutes: 15, onSleep: true },
    })
    await sotto.call('localApi/serve', { on: false })
    await sotto.call('vault/lock')
    expect(await sotto.call('vault/view')).toMatchObject({ state: 'locked', autoLock: null })
    await unlock(sotto)
    expect(await sotto.call('vault/view')).toMatchObject({
      state: 'open',
      autoLock: { afterMinutes: 15, onSleep: true },
    })
    expect(((await sotto.call('conversations/list')) as Conversation[]).map(({ title }) => title)).toEqual([
      CANARY,
    ])
    expect(await sotto.call('app/status')).toMatchObject({ proxy: { serving: false } })
  })

  it('and unlock at once, in whatever order they arrive, leave one whole state', async () => {
    const sotto = await start()
    await ask(sotto, CANARY)
    const before = await readState(sotto)
    await Promise.all([
      sotto.call('vault/lock'),
      unlock(sotto),
      sotto.call('vault/lock'),
      unlock(sotto),
      sotto.call('conversations/list'),
      sotto.call('vault/lock'),
    ])
    await unlock(sotto)
    expect(await readState(sotto)).toEqual(before)
  })
})

describe.skipIf(process.platform !== 'linux')('the memory of a locked Sotto', () => {
  it('holds no key, credential, passphrase or conversation; the search would have found them', async () => {
    const sotto = await start({ SOTTO_PASSPHRASE: '' })
    await sotto.call('vault/protect', { passphrase: PASSPHRASE })
    await ask(sotto, CANARY)
    // A search loads its texts into memory.
    await sotto.call('library/search', { question: 'heron canary' })
    const { key } = (await sotto.call('localApi/get')) as { key: string }
    const { credentials } = (await sotto.call('accounts/create', {})) as {
      credentials: { apiKey: string; creditId: string }
    }
    const { sealing, storeKey } = await keysOf(folder)
    const response = await fetch(`${sotto.ready.proxy.baseUrl}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, input: RESPONSE_CANARY, max_output_tokens: 20 }),
    })
    expect(await response.json()).toMatchObject({ store: true })
    const running = sotto.api('chat/send', { model: MODEL, text: `${CANARY}, in a story of 800 words` }).then(
      (response) => response.text(),
      () => undefined,
    )
    await expect.poll(async () => ((await sotto.call('conversations/list')) as unknown[]).length).toBe(2)
    const needles = {
      prompt: CANARY,
      response: RESPONSE_CANARY,
      passphrase: PASSPHRASE,
      localKey: key,
      storeKeyText: storeKey.toString('base64'),
      ...credentials,
      sealing,
      storeKey,
    }
    expect(await findInMemory(sotto, needles)).toEqual(
      expect.arrayContaining(['apiKey', 'creditId', 'localKey', 'prompt', 'response', 'sealing', 'storeKey']),
    )

    await sotto.call('vault/lock')
    await running
    expect(await findInMemory(sotto, needles)).toEqual([])

    await unlock(sotto)
    expect(await findInMemory(sotto, needles)).toEqual(
      expect.arrayContaining(['localKey', 'sealing', 'storeKey']),
    )
  }, 300_000)
})

/** The keys that the search looks for, from the vault's file. */
async function keysOf(dataDir: string): Promise<{ sealing: Buffer; storeKey: Buffer }> {
  const file = await readVaultFile(dataDir)
  if (typeof file === 'string' || file.header.kind !== 'file')
    throw new Error('there is no vault that a passphrase opens')
  const key = vaultKey(await masterFromPassphrase(PASSPHRASE, file.header), file.header)
  return {
    sealing: Buffer.from(key.sealing),
    storeKey: Buffer.from(decryptSecrets(file, key)!.get('store-key')!),
  }
}

describe('a start after a lock and kill -9', () => {
  const database = (name = ''): string => join(folder, 'profiles', 'sandbox', `sotto.db${name}`)
  const notices = async (sotto: SottoProcess): Promise<string[]> =>
    ((await sotto.call('app/status')) as { notices: { id: string }[] }).notices.map(({ id }) => id)

  it.each<[string, () => Promise<void>, string[]]>([
    ['reports nothing if the records are as they were', () => Promise.resolve(), []],
    ['reports a database that was deleted', () => rm(database()), ['records-changed']],
    // Only the revision that the lock stored in the vault is newer than the copy's.
    [
      'reports a database from before the lock',
      () => copyFile(join(folder, 'earlier.db'), database()),
      ['records-changed'],
    ],
  ])('%s', async (_, change, reported) => {
    const first = await start()
    await ask(first, CANARY)
    await first.stop('SIGTERM')
    await copyFile(database(), join(folder, 'earlier.db'))
    const second = await start()
    await second.call('vault/setAutoLock', { afterMinutes: 15, onSleep: true })
    await second.call('vault/lock')
    await second.stop('SIGKILL')
    await change()
    const third = await start()
    expect(await notices(third)).toEqual(reported)
    expect(await vaultOf(third)).toMatchObject({ state: 'open' })
  })
})
