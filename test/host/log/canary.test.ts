import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLog } from '../../../src/host/log/create-log.ts'
import { requestMethods } from '../../../src/shared/log-events.ts'
import { proxyRoutes } from '../../../src/shared/proxy-route.ts'
import { documentedLine } from './documented-line.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld } from '../../world.ts'
import { KeyWindow, windowOf } from '../../core/server-tools/key-window.ts'
import { windowCaller } from '../../window-caller.ts'

it('nothing that was asked, answered or presented is in the log, whatever becomes of a request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-canary-'))
  const { log, close } = await createLog({ level: 'debug', to: 'file' }, folder)
  const world = await startWorld({ log })
  const canary = 'canary-5f1d'
  const messages = [{ role: 'user', content: canary }]
  const answers: string[] = []
  const ask = async (body: unknown, headers: Record<string, string> = {}, path?: string) =>
    answers.push(await (await world.post(body, headers, path)).text())
  for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL, `nobody/${canary}`, `private/${canary}`]) {
    for (const stream of [false, true]) await ask({ model, messages, stream, user: canary })
  }
  for (const fault of [
    'status-500-html',
    'plaintext-200',
    'other-measurement',
    'cut-inside-frame',
  ] as const) {
    world.core.invalidateVerdict()
    world.sandbox.setFault(fault, true)
    for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL]) await ask({ model, messages, stream: true })
    world.sandbox.setFault(fault, false)
  }
  await ask({ model: PLAINTEXT_MODEL, messages }, { authorization: `Bearer ${canary}` })
  await ask({ model: PLAINTEXT_MODEL, messages }, { 'content-type': canary, 'user-agent': canary })
  await ask(`{"${canary}`)
  await ask({ model: PLAINTEXT_MODEL, messages }, {}, `/v1/${canary}?key=${canary}`)
  await ask({ model: PLAINTEXT_MODEL, messages }, {}, `/v1/chat/completions?model=${canary}`)
  await (
    await world.core.api(
      new Request('http://sotto.invalid/api/chat/send', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ json: { model: PRIVATE_MODEL, text: canary } }),
      }),
      windowCaller,
    )
  ).text()
  const api = windowOf(world)
  const { id: knowledge } = await api.projects.create({ name: canary })
  await api.knowledge.add({ projectId: knowledge, name: `${canary}.md`, content: new Blob([canary]) })
  const { secret } = await api.localApi.create({
    name: 'Server tools',
    limits: { serverTools: { webSearch: true, knowledge } },
  })
  {
    await using window = await KeyWindow.open(world)
    const content = `call sotto_project_search with {"query":"${canary}"} and call sotto_web_search with {"query":"${canary}"}`
    for (const stream of [false, true])
      await ask(
        { model: PRIVATE_MODEL, messages: [{ role: 'user', content }], stream },
        { authorization: `Bearer ${secret}` },
      )
    expect(window.shown).toHaveLength(4)
  }
  const {
    accounts: [{ apiKey }],
  } = JSON.parse(Buffer.from((await world.vault.get('accounts/sandbox'))!).toString('utf8')) as {
    accounts: [{ apiKey: string }]
  }
  await world[Symbol.asyncDispose]()
  await close()

  const text = await readFile(join(folder, 'logs', 'sotto.log'), 'utf8')
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  await rm(folder, { recursive: true })
  expect(answers.some((answer) => answer.includes(canary))).toBe(true)
  expect(new Set(lines.map(({ event }) => event))).toEqual(
    new Set(['vault/opened', 'proxy/listening', 'proxy/refused', 'attestation/verified', 'request/ended']),
  )
  expect(
    new Set(lines.filter(({ event }) => event === 'request/ended').map(({ outcome }) => outcome)),
  ).toEqual(new Set(['complete', 'refused', 'failed', 'interrupted']))
  for (const forbidden of [
    canary,
    PLAINTEXT_MODEL,
    PRIVATE_MODEL,
    'sk-',
    '127.0.0.1',
    '?',
    world.key,
    apiKey,
  ])
    expect(text).not.toContain(forbidden)
  // Every line is of the documented schema, and every value is a number, a word of the program, or an identifier that it drew.
  const closedValues = new Set<unknown>([...proxyRoutes, ...requestMethods])
  for (const line of lines) {
    expect(documentedLine.safeParse(line).error).toBeUndefined()
    for (const value of Object.values(line))
      expect(
        ['number', 'boolean'].includes(typeof value) ||
          closedValues.has(value) ||
          /^[a-z/-]{2,40}$|^[0-9a-f-]{36}$|^[0-9a-f]{8}$/.test(String(value)),
      ).toBe(true)
  }
})
