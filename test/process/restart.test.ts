import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import { SeenAnswer } from './seen-answer.ts'
import { startSotto, type SottoProcess } from './sotto-process.ts'

let folder: string
const running: SottoProcess[] = []
async function start(environment?: Record<string, string>): Promise<SottoProcess> {
  const sotto = await startSotto(folder, environment)
  running.push(sotto)
  return sotto
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-restart-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sotto) => sotto.stop('SIGKILL')))
  await rm(folder, { recursive: true, force: true })
})

const chat = (sotto: SottoProcess, text: string): Promise<Response> =>
  sotto.api('chat/send', { model: 'private/sandbox-lento-8b', text })

interface StoredState {
  conversations: Conversation[]
  messages: Message[]
  receipts: unknown[]
  key: string
  status: unknown
}
async function readState(sotto: SottoProcess): Promise<StoredState> {
  const conversations = (await sotto.call('conversations/list')) as Conversation[]
  const { messages } = (await sotto.call('conversations/get', { conversationId: conversations[0]!.id })) as {
    messages: Message[]
  }
  const { account, vault } = (await sotto.call('app/status')) as { account: unknown; vault: unknown }
  return {
    conversations,
    messages,
    receipts: (await sotto.call('receipts/list', {})) as unknown[],
    key: sotto.ready.proxy.key!,
    status: { account, vault },
  }
}

describe('a restart', () => {
  it('loses nothing: conversations, receipts, local key, connected account', async () => {
    const first = await start()
    await (await chat(first, 'Hello, quietly')).text()
    const before = await readState(first)
    expect(before.messages.map(({ state }) => state)).toEqual(['complete', 'complete'])
    expect(before.receipts).toHaveLength(1)
    expect(await first.stop('SIGTERM')).toBe(0)
    const second = await start()
    expect(await readState(second)).toEqual(before)
    expect(second.stderr()).toBe('')
  })

  it('after kill -9 in mid-answer keeps what had arrived, marked as interrupted', async () => {
    const first = await start()
    const response = await chat(first, 'Tell me a story of 800 words about rivers')
    const body: AsyncIterable<Uint8Array> = response.body!
    const seen = new SeenAnswer()
    const reading = seen.read(body).catch(() => 'the process was killed')
    await expect.poll(() => seen.before(1000).length, { timeout: 30_000 }).toBeGreaterThan(40)
    const secondAgo = seen.before(1000)
    await first.stop('SIGKILL')
    await reading
    const second = await start()
    const { messages } = await readState(second)
    expect(messages).toHaveLength(2)
    // Sotto wrote no receipt, but stored who could read the answer.
    expect(messages[1]).toMatchObject({ role: 'assistant', state: 'interrupted', privacy: 'sealed' })
    expect(messages[1]!.receiptId).toBeUndefined()
    // At most the last second of the answer is lost.
    expect(messages[1]!.text.slice(0, secondAgo.length)).toBe(secondAgo)
  })

  it('has neither what was temporary nor what was deleted and not taken back, also after kill -9', async () => {
    const first = await start()
    const begun = async (text: string, begin?: object): Promise<Conversation> => {
      await (
        await first.api('chat/send', { model: 'private/sandbox-lento-8b', text, ...(begin && { begin }) })
      ).text()
      return ((await first.call('conversations/list')) as Conversation[]).find(({ title }) => title === text)!
    }
    const stays = await begun('stays')
    const goes = await begun('goes')
    const temporary = await begun('passes', { temporary: true })
    expect(temporary.temporary).toBe(true)
    await (
      await first.api('chat/send', {
        conversationId: stays.id,
        model: 'private/sandbox-lento-8b',
        text: 'a second question',
      })
    ).text()
    const { messages } = (await first.call('conversations/get', { conversationId: stays.id })) as {
      messages: Message[]
    }
    const receiptId = (
      (await first.call('conversations/get', { conversationId: goes.id })) as { messages: Message[] }
    ).messages[1]?.receiptId
    await first.call('conversations/remove', { conversationId: goes.id })
    await first.call('conversations/remove', { conversationId: stays.id, messageId: messages[2]!.id })
    await first.stop('SIGKILL')

    const database = join(folder, 'profiles', 'sandbox', 'sotto.db')
    const rows = (): { conversations: unknown; messages: unknown } => {
      const file = new DatabaseSync(database, { readOnly: true })
      try {
        const count = (table: string) =>
          file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']
        return { conversations: count('conversations'), messages: count('messages') }
      } finally {
        file.close()
      }
    }
    // Temporary messages were never stored; deleted ones still are.
    expect(rows()).toEqual({ conversations: 2, messages: 6 })
    const second = await start()
    expect(((await second.call('conversations/list')) as Conversation[]).map(({ title }) => title)).toEqual([
      'stays',
    ])
    expect(
      (
        (await second.call('conversations/get', { conversationId: stays.id })) as { messages: Message[] }
      ).messages.map(({ id }) => id),
    ).toEqual(messages.slice(0, 2).map(({ id }) => id))
    expect(((await second.call('receipts/list', {})) as { id: string }[]).map(({ id }) => id)).toContain(
      receiptId,
    )
    await second.stop('SIGTERM')
    expect(rows()).toEqual({ conversations: 1, messages: 2 })
  })

  it('with the wrong passphrase stays locked: nothing is replaced, and nothing becomes the sandbox’s', async () => {
    const first = await start()
    await (await chat(first, 'Hello')).text()
    const before = await readState(first)
    await first.stop('SIGTERM')
    const locked = await start({ SOTTO_PASSPHRASE: 'wrong' })
    expect(locked.ready.proxy.key).toBeNull()
    expect(await locked.call('app/status')).toMatchObject({ vault: { state: 'locked' } })
    const refused = await fetch(`${locked.ready.proxy.baseUrl}/models`, {
      headers: { authorization: `Bearer ${before.key}` },
    })
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'vault/locked',
    ])
    await locked.call('vault/unlock', { passphrase: 'correct horse' })
    expect((await readState(locked)).conversations).toEqual(before.conversations)
  })
})

describe('one owner', () => {
  it('of two starters at once on one data folder', async () => {
    const starts = await Promise.allSettled([start(), start(), start()])
    const refused = starts.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const { reason } of refused) expect(String(reason)).toContain('host/already-running')
  })
  it('and another after it was killed', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow('host/already-running')
    await first.stop('SIGKILL')
    expect((await start()).ready.event).toBe('ready')
  })
})

describe('ports', () => {
  async function occupied(): Promise<{ port: number; free: () => void }> {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => server.once('listening', listening))
    const address = server.address()
    return { port: typeof address === 'object' && address ? address.port : 0, free: () => server.close() }
  }
  it('one that was asked for and is taken is an error', async () => {
    const { port, free } = await occupied()
    try {
      await expect(start({ SOTTO_PORT: String(port) })).rejects.toThrow('proxy/port-taken')
    } finally {
      free()
    }
  })
  it('a setting that cannot be used is named', async () => {
    await expect(start({ SOTTO_PORT: 'eighty' })).rejects.toThrow('SOTTO_PORT')
    await expect(start({ SOTTO_VAULT: 'safe' })).rejects.toThrow('SOTTO_VAULT')
  })
})

it('prints exactly one line, and the passphrase nowhere', async () => {
  const sotto = await start()
  expect(sotto.ready).toMatchObject({ event: 'ready', service: 'sandbox' })
  expect(sotto.ready.proxy.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect(sotto.ready.proxy.key).toMatch(/^sk-sotto-/)
  const environment =
    process.platform === 'linux'
      ? await import('node:fs/promises').then(({ readFile }) =>
          readFile(`/proc/${String(sotto.child.pid)}/cmdline`, 'utf8'),
        )
      : ''
  expect(environment).not.toContain('correct horse')
})
