import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Conversation } from '../../src/shared/conversation.ts'
import { codesIn, startSotto, type SottoProcess } from './sotto-process.ts'

let folder: string
let sotto: SottoProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-service-'))
})
afterEach(async () => {
  await sotto?.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Chooses a service and types the code that the terminal shows. */
async function choose(running: SottoProcess, profileId: string): Promise<unknown> {
  const shown = running.stderr().length
  const chosen = running.call('profiles/choose', { profileId })
  const codes = (): string[] => codesIn(running.stderr().slice(shown))
  await expect.poll(codes).toHaveLength(1)
  const [code] = codes()
  const { id } = (await running.call('confirmations/pending')) as { id: string }
  expect(await running.call('confirmations/answer', { id, code })).toEqual({ accepted: true })
  return chosen
}
const service = async (running: SottoProcess): Promise<string> =>
  ((await running.call('app/status')) as { service: { profileId: string } }).service.profileId

it('a chosen service stays chosen, on data of its own, and the sandbox starts again only by choice', async () => {
  sotto = await startSotto(folder)
  await (
    await sotto.api('chat/send', { model: 'private/sandbox-lento-8b', text: 'said in the sandbox' })
  ).text()

  await choose(sotto, 'ppq')
  await expect.poll(() => service(sotto!)).toBe('ppq')
  expect(await sotto.call('app/status')).toMatchObject({
    service: { kind: 'service', trust: 'built-in', enclaveHost: 'inference.tinfoil.sh' },
    account: { connected: false },
  })
  expect(await sotto.call('conversations/list')).toEqual([])
  expect(JSON.parse(await readFile(join(folder, 'service.json'), 'utf8'))).toEqual({ profileId: 'ppq' })
  await sotto.stop('SIGTERM')

  // A vault that stays locked leads to no sandbox either.
  sotto = await startSotto(folder, { SOTTO_PASSPHRASE: '' })
  expect([sotto.ready.service, sotto.ready.proxy.key]).toEqual(['service', null])
  await sotto.stop('SIGTERM')

  sotto = await startSotto(folder)
  expect(await service(sotto)).toBe('ppq')
  await choose(sotto, 'sandbox')
  expect(sotto.stderr()).toContain('Switch to demo mode?')
  await expect.poll(() => service(sotto!)).toBe('sandbox')
  const conversations = (await sotto.call('conversations/list')) as Conversation[]
  expect(conversations.map(({ title }) => title)).toEqual(['said in the sandbox'])
})

it('a change of the service leaves a stopped Local API stopped, and at its port', async () => {
  sotto = await startSotto(folder)
  const proxyOf = async (): Promise<{ baseUrl: string; serving: boolean }> =>
    ((await sotto!.call('app/status')) as { proxy: { baseUrl: string; serving: boolean } }).proxy
  const { baseUrl } = await proxyOf()
  await sotto.call('localApi/serve', { on: false })
  await choose(sotto, 'ppq')
  await expect.poll(() => service(sotto!)).toBe('ppq')
  expect(await proxyOf()).toMatchObject({ baseUrl, serving: false })
})
