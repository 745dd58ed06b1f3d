import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clientOf, type ContractClient } from '../../src/cli/client.ts'
import { unlockVault } from '../../src/core/core.ts'
import { CacheSecrets } from '../../src/core/gateway/relay/index.ts'
import { routePrompt } from '../../src/sandbox/chat/request.ts'
import { formsOf } from '../canary.ts'
import { PRIVATE_MODEL, startWorld, type World } from '../world.ts'
import { askChat } from './conversations/ask-chat.ts'

const messages = [{ role: 'user' as const, content: 'the same prompt' }]
const request = { model: PRIVATE_MODEL, messages, max_tokens: 20 }
const saltOf = (secret?: string) =>
  routePrompt({ ...request, ...(secret !== undefined && { user_cache_secret: secret }) }).salt
/** The cache that all customers of the service would share. */
const SHARED = saltOf()

let world: World
let client: ContractClient
beforeAll(async () => {
  world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
  })
  client = clientOf(world.core)
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.clearReceived())

/** The names of the caches that the router chose since the last call. */
function salts(of: World = world): string[] {
  const found = of.sandbox.received().flatMap(({ cacheSalt }) => cacheSalt ?? [])
  of.sandbox.clearReceived()
  return found
}

async function saltOfKey(
  secret: string,
  body: object = request,
  path = '/v1/chat/completions',
): Promise<string> {
  const response = await world.post(body, { authorization: `Bearer ${secret}` }, path)
  expect(response.status).toBe(200)
  await response.text()
  const [salt, ...others] = salts()
  expect(others).toEqual([])
  return salt!
}

async function saltOfChat(
  begin: object = {},
  conversationId?: string,
): Promise<{ salt: string; id: string }> {
  const { events, error } = await askChat(world, 'chat/send', {
    text: 'the same prompt',
    model: PRIVATE_MODEL,
    ...(conversationId === undefined ? { begin } : { conversationId }),
  })
  expect(error).toBeUndefined()
  const started = events.find((event) => event.type === 'started')!
  const [salt] = salts()
  return { salt: salt!, id: started.conversation.id }
}

describe('the prompt cache of the enclave’s router', () => {
  it('is named by the published construction', () => {
    // SHA-256 of "tinfoil/cache-salt/v1", then tenant and secret, each after its length in four bytes.
    expect(SHARED).toMatch(/^[\w-]{43}$/)
    expect(saltOf('')).toBe(SHARED)
    expect(saltOf('a')).not.toBe(saltOf('b'))
    const { request: routed } = routePrompt({ ...request, user_cache_secret: 'a', cache_salt: 'b' })
    expect(routed).toEqual(request)
  })

  it('is one for each local key and one for the window, and none is shared by all customers', async () => {
    const { secret } = await client.localApi.create({ name: 'Second', limits: {} })
    const first = await saltOfKey(world.key)
    const second = await saltOfKey(secret)
    const { salt: window } = await saltOfChat()
    expect(new Set([first, second, window, SHARED]).size).toBe(4)
    expect(await saltOfKey(world.key)).toBe(first)
    expect((await saltOfChat()).salt).toBe(window)
  })

  it('is the key’s in each dialect', async () => {
    const expected = await saltOfKey(world.key)
    expect(
      await saltOfKey(world.key, { model: PRIVATE_MODEL, input: 'the same prompt' }, '/v1/responses'),
    ).toBe(expected)
    expect(
      await saltOfKey(world.key, { model: PRIVATE_MODEL, messages, max_tokens: 20 }, '/v1/messages'),
    ).toBe(expected)
  })

  it('is its own for each temporary chat', async () => {
    const { salt: window } = await saltOfChat()
    const { salt: one, id } = await saltOfChat({ temporary: true })
    const { salt: other } = await saltOfChat({ temporary: true })
    expect(new Set([window, one, other, SHARED]).size).toBe(4)
    expect((await saltOfChat({}, id)).salt).toBe(one)
  })

  it('is the caller’s own if it sends a secret', async () => {
    expect(await saltOfKey(world.key, { ...request, user_cache_secret: 'mine' })).toBe(saltOf('mine'))
    expect(await saltOfKey(world.key, { ...request, user_cache_secret: '' })).not.toBe(SHARED)
  })

  it('is another for two installations with the same prompt', async () => {
    await using other = await startWorld()
    await (await other.post(request)).text()
    const [theirs] = salts(other)
    expect(theirs).not.toBe(await saltOfKey(world.key))
    expect(theirs).not.toBe(SHARED)
  })

  it('is another after a month, and after it was renewed', async () => {
    // The enclave's own clock doesn't follow: its document v3 would be a month old.
    await client.privacy.setFreshEvidence({ from: 'never' })
    const before = await saltOfKey(world.key)
    expect(await client.privacy.renewCacheSecret()).toBeUndefined()
    const renewed = await saltOfKey(world.key)
    expect(renewed).not.toBe(before)
    world.clock.ahead = 32 * 86_400_000
    try {
      expect(await saltOfKey(world.key)).not.toBe(renewed)
    } finally {
      world.clock.ahead = 0
    }
  })

  it('has a secret that is in the sealed body and nowhere else: no header, no plaintext, no record, no export', async () => {
    const root = (await world.vault.get('cache-secret'))!
    const secrets = new CacheSecrets({ root, profileId: world.sandbox.profile.id, now: Date.now })
    const secretOf = (scope: string) => z.string().parse(secrets.addTo({}, scope)['user_cache_secret'])
    const [first] = await client.localApi.keys()
    expect(await saltOfKey(world.key)).toBe(saltOf(secretOf(first!.id)))
    expect((await saltOfChat()).salt).toBe(saltOf(secretOf('window')))
    const secret = secretOf(first!.id)
    // The search would find it.
    expect(formsOf(secret, Buffer.from(`x-header: ${secret}`))).toContain('raw')
    const files = await Promise.all(
      (await readdir(world.folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name))),
    )
    const answers = [
      await client.receipts.list({}),
      await client.privacy.proof({}),
      await client.localApi.keys(),
    ]
    for (const place of [...world.outbound, ...files, Buffer.from(JSON.stringify(answers))]) {
      expect(formsOf(secret, place)).toEqual([])
      expect(formsOf(Buffer.from(root).toString('hex'), place)).toEqual([])
    }
  })

  it('is named in no header, as newer clients do', () => {
    const names = world.outbound
      .map((bytes) => bytes.toString('latin1'))
      .filter((text) => /^(?:GET|POST) http/.test(text))
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((text) => /tinfoil-(?:model|cache)|cache-prefix|cache-salt/i.test(text))).toEqual([])
  })

  it('keeps working with a vault in memory', async () => {
    await using memory = await startWorld({ vault: (folder) => unlockVault({ mode: 'memory', folder }) })
    await (
      await memory.post({ ...request, messages: [{ role: 'user', content: randomBytes(4).toString('hex') }] })
    ).text()
    expect(salts(memory)).toEqual([expect.not.stringMatching(SHARED)])
  })
})
