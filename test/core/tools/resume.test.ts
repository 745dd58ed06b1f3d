import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { resumeChat, sendChat } from '../../../src/core/conversations/chat.ts'
import { createStore } from '../../../src/core/storage/index.ts'
import type { Message } from '../../../src/shared/conversation.ts'
import { KEY } from '../storage/examples.ts'
import { Life, startKillableChat, type Outside } from './killable-chat.ts'

const CALLER = { kind: 'window', id: 'window' } as const
const QUESTION = { model: 'private/model', text: 'question', tools: ['fetch-url'] }
const [A, B] = ['https://a.example.org/', 'https://b.example.org/']

/** A file system in memory, because the test waits for each write to be durable. */
const MEMORY = '/dev/shm'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'sotto-resume-'))
  createStore({ folder: join(folder, 'template'), key: KEY, now: () => 1 }).close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function outside(name: string): Outside {
  // A copy is faster than creating the tables.
  cpSync(join(folder, 'template'), join(folder, name), { recursive: true })
  return { folder: join(folder, name), key: KEY, loaded: new Map(), requests: [], rounds: [[A], [B]] }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The answer that a killed process left, if it wrote one. */
function answerIn(messages: readonly Message[]): Message | undefined {
  return messages.find(({ role }) => role === 'assistant')
}

it('after a kill at any operation, an answer shows what is known and continues without repeating a call', async () => {
  const seen = new Set<string>()
  for (let operations = 0; ; operations += 1) {
    const world = outside(String(operations))
    const life = new Life(operations)
    {
      await using chat = startKillableChat(world, life)
      await chat.read(sendChat(chat.core, QUESTION, undefined, CALLER)).catch(() => undefined)
    }
    await using chat = startKillableChat(world)
    const { store, conversations } = chat.core
    const [conversation] = store.conversations.list()
    const conversationId = conversation?.id ?? ''
    const answer = conversation && answerIn(conversations.get(conversationId).messages)
    if (!answer) continue
    const known = store.tools.calls(answer.id)
    const place = { conversationId, answerId: answer.id }
    for (const { state, arguments: args } of known) {
      const wasLoaded = [...world.loaded.keys()].some((url) => args.includes(url))
      if (state === 'asked') expect([operations, wasLoaded]).toEqual([operations, false])
      expect(state).not.toBe('running')
    }
    if (known.length === 0 || answer.state === 'complete') {
      if (known.length === 0) expect(world.loaded.size).toBe(0)
      await expect(resumeChat(chat.core, place, undefined, CALLER).next()).rejects.toMatchObject({
        code: 'tools/no-resume',
      })
      if (answer.state === 'complete') break
      continue
    }
    expect(answer.state).toBe('interrupted')
    // Kills between the same writes leave the same state.
    const left = JSON.stringify([known.map(({ state }) => state), answer.text, world.loaded.size])
    if (seen.has(left)) continue
    seen.add(left)
    const before = known.filter(({ state }) => state === 'unknown').map(({ id }) => id)
    const events = await chat.read(resumeChat(chat.core, place, undefined, CALLER))
    const ended = events.at(-1)
    expect(ended).toMatchObject({ type: 'ended', answer: { id: answer.id, state: 'complete' } })
    if (ended?.type !== 'ended') continue
    expect(ended.answer.text).toBe('Round 0. Round 1. Done.')
    for (const [url, count] of world.loaded) expect([operations, url, count]).toEqual([operations, url, 1])
    // A call that may have run stays unknown.
    for (const { id, state } of store.tools.calls(answer.id))
      expect([operations, state]).toEqual([operations, before.includes(id) ? 'unknown' : 'done'])
    expect(ended.answer.toolCalls?.map(({ round }) => round)).toEqual([0, 1])
    expect(ended.answer.end).toBeUndefined()
    // The receipt lists each tool with digests, and nothing of the content.
    const { tools = [], ...receipt } = store.receipts.get(ended.answer.receiptId ?? '') ?? {}
    expect(tools).toEqual(
      [A, B].map((url, round) => ({
        tool: 'fetch-url',
        sendsTo: 'host',
        argumentsDigest: sha256(JSON.stringify({ url })),
        ...(before.includes(`${answer.id}.${String(round)}.0`)
          ? { outcome: 'unknown' }
          : { outcome: 'result', resultDigest: sha256(`page ${url}`) }),
      })),
    )
    expect(JSON.stringify([tools, receipt])).not.toContain('example.org')
  }
  expect(seen.size).toBeGreaterThan(6)
})

it('saves no digest of a temporary chat', async () => {
  await using chat = startKillableChat(outside('temporary'))
  const events = await chat.read(
    sendChat(chat.core, { ...QUESTION, begin: { temporary: true } }, undefined, CALLER),
  )
  const ended = events.at(-1)
  const tools = ended?.type === 'ended' ? ended.receipt?.tools : undefined
  const listed = { tool: 'fetch-url', sendsTo: 'host', outcome: 'result' }
  expect(tools).toEqual([listed, listed])
})

it('a later question is sent with the earlier calls and results, and a chat without tools has them, too', async () => {
  const world = outside('later')
  await using chat = startKillableChat(world)
  const events = await chat.read(sendChat(chat.core, QUESTION, undefined, CALLER))
  const ended = events.at(-1)
  const { conversationId = '' } = ended?.type === 'ended' ? ended.answer : {}
  const loop = world.requests.at(-1) ?? []
  await chat.read(
    sendChat(chat.core, { ...QUESTION, conversationId, text: 'next', tools: [] }, undefined, CALLER),
  )
  const sent = world.requests.at(-1) ?? []
  expect(sent).toEqual([...loop, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'next' }])
  expect(sent.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
    'user',
  ])
})

it('in a private-only project, a reply of a model that isn’t private can’t be continued', async () => {
  const world = outside('private-only')
  await using chat = startKillableChat(world)
  const { store } = chat.core
  const plaintext = { ...QUESTION, model: 'public-model' }
  const events = await chat.read(sendChat(chat.core, plaintext, undefined, CALLER))
  const ended = events.at(-1)
  const { conversationId = '', id: answerId = '' } = ended?.type === 'ended' ? ended.answer : {}
  store.messages.update(answerId, { state: 'interrupted' })
  const { id: projectId } = store.projects.put({ name: 'Work', instructions: '', privateOnly: true })
  store.conversations.touch(conversationId, { projectId })
  const sent = world.requests.length
  await expect(
    resumeChat(chat.core, { conversationId, answerId }, undefined, CALLER).next(),
  ).rejects.toMatchObject({ code: 'project/private-only' })
  expect(world.requests.length).toBe(sent)
  store.projects.put({ id: projectId, name: 'Work', instructions: '', privateOnly: false })
  const continued = await chat.read(resumeChat(chat.core, { conversationId, answerId }, undefined, CALLER))
  expect(continued.at(-1)?.type).toBe('ended')
})
