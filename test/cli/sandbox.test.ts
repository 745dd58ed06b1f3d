import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { COMMAND } from '../process/command.ts'
import { sandboxFolder } from '../sandbox/cached-roots.ts'
import { dataOf } from '../process/command-json.ts'

interface Ready {
  readonly baseUrl: string
  readonly revision: string
  readonly creditId: string
  readonly apiKey: string
  readonly controlToken: string
}

/** Runs `sotto sandbox` until it has reported that it is ready and `use` is done with it. */
async function run<T>(options: string[], use: (ready: Ready) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [COMMAND, 'sandbox', '--json', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return await use(dataOf(line) as Ready)
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

const balance = async ({ baseUrl, apiKey }: Ready) =>
  await (
    await fetch(`${baseUrl}/credits/balance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
    })
  ).json()

test(
  'sotto sandbox creates a funded account, saves it with --data, applies --revision, and protects its switches with a token',
  { timeout: 120_000 },
  async () => {
    const data = await sandboxFolder()
    const first = await run(['--data', data, '--revision', 'A', '--seed', 'concert'], async (ready) => {
      expect(ready.revision).toBe('A')
      expect(await balance(ready)).toEqual({ balance: 20 })
      expect((await fetch(`${ready.baseUrl}/private/attestation`)).status).toBe(404)
      expect((await fetch(`${ready.baseUrl}/openapi.json`)).status).toBe(200)
      const order = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-sandbox-control': ready.controlToken },
        body: JSON.stringify({ do: 'set-balance', credit_id: ready.creditId, usd: 7 }),
      }
      expect((await fetch(`${ready.baseUrl}/_sandbox/control`, order)).status).toBe(200)
      return ready
    })
    await run(['--data', data], async (ready) => {
      expect([ready.revision, ready.creditId, ready.apiKey]).toEqual(['B', first.creditId, first.apiKey])
      expect(ready.controlToken).not.toBe(first.controlToken)
      expect(await balance(ready)).toEqual({ balance: 7 })
    })
    // The output for a person, at a chosen port.
    const child = spawn(
      process.execPath,
      [COMMAND, 'sandbox', '--data', data, '--port', new URL(first.baseUrl).port],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const exited = once(child, 'exit')
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await expect.poll(() => output, { timeout: 60_000 }).toContain('/_sandbox/control')
    for (const part of [first.baseUrl, `${first.baseUrl}/openapi.html`, first.creditId, first.apiKey])
      expect(output).toContain(part)
    expect((await fetch(`${first.baseUrl}/openapi.html`)).headers.get('content-type')).toMatch(/^text\/html/)
    child.kill('SIGTERM')
    await exited
    // The same seed creates the same account in another folder.
    await run(['--data', await sandboxFolder(), '--seed', 'concert'], (ready) => {
      expect([ready.creditId, ready.apiKey]).toEqual([first.creditId, first.apiKey])
      return Promise.resolve()
    })
  },
)
