import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { hashOfLocalKey, newLocalKey } from '../../src/core/gateway/proxy/index.ts'
import { createKey } from '../../src/replica/local-keys.ts'
import { COMMAND } from '../process/command.ts'
import { KillableReplica } from './killable-replica.ts'
import { createMigrated, describeWithPostgres, startPostgres } from './postgres.ts'

const examples = join(import.meta.dirname, '../../build/deployment')
const HOST = 'sotto.example'
const hasCaddy = process.platform === 'linux' && spawnSync('caddy', ['version']).error === undefined
if (!hasCaddy && process.env['CI'] !== undefined && process.platform === 'linux')
  throw new Error('Caddy isn’t installed.')
if (!hasCaddy) console.warn('The test of replicas behind Caddy is skipped: caddy isn’t installed.')

const example = readFileSync(join(examples, 'replicas.Caddyfile'), 'utf8')

const composeSchema = z.object({ services: z.object({ sotto: z.object({ command: z.array(z.string()) }) }) })

/** The options of the example's replicas, at another port and for this host. */
function flagsAt(port: number): string[] {
  const { sotto } = composeSchema.parse(parse(readFileSync(join(examples, 'replicas.yaml'), 'utf8'))).services
  return sotto.command.map((flag) =>
    flag.replace(':8480', `:${String(port)}`).replace(/^\$\{SOTTO_HOST.*$/, HOST),
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Runs Caddy with the example until the test ends. @returns its port */
async function startCaddy(folder: string, upstreams: readonly number[]): Promise<number> {
  const port = await freePort()
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const options = (name: string, content: string): string[] => {
    writeFileSync(join(folder, name), content)
    return ['--adapter', 'caddyfile', '--config', join(folder, name)]
  }
  execFileSync('caddy', ['validate', ...options('example', example)], { env: environment, stdio: 'ignore' })
  // A name with two addresses needs a DNS server, so these upstreams are named.
  const addresses = upstreams.map((each) => `127.0.0.1:${String(each)}`).join(' ')
  const changed = example.replace(/dynamic a sotto 8480 \{[^}]*\}/, `to ${addresses}`)
  expect(changed).toContain(addresses)
  const caddy = spawn('caddy', ['run', ...options('Caddyfile', changed)], {
    env: { ...environment, SOTTO_HOST: `http://${HOST}:${String(port)}` },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    const ended = once(caddy, 'exit')
    caddy.kill()
    await ended
  })
  return port
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Sends a request to Caddy, as a tool that reaches it by its host name. */
function ask(port: number, path: string, key: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: HOST, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const options = { port, host: '127.0.0.1', path, method: body ? 'POST' : 'GET', agent: false, headers }
    httpRequest(options, (response) => {
      const { statusCode = 0, headers: got } = response
      text(response).then(
        (content) => resolve({ status: statusCode, type: got['content-type'] ?? '', body: content }),
        reject,
      )
    })
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
}

const chat = (stream: boolean) => ({
  model: 'sandbox/allegro-mini',
  max_tokens: 16,
  stream,
  messages: [{ role: 'user', content: 'hello' }],
})

describeWithPostgres('the example with two replicas, PostgreSQL and Caddy', () => {
  it.runIf(hasCaddy)(
    'answers through both replicas, and through one after the other was killed',
    async () => {
      const server = await startPostgres()
      const { address, database } = await createMigrated(server)
      const { secret } = newLocalKey()
      const limits = { budget: { picoUsd: 10n ** 13n, period: 'day' } } as const
      await createKey(database, { name: 'Team', hash: hashOfLocalKey(secret), limits })
      const folder = mkdtempSync(join(tmpdir(), 'sotto-caddy-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      writeFileSync(join(folder, 'database-url'), address, { mode: 0o600 })
      const ports = [await freePort(), await freePort()] as const
      const replicas = ports.map((port) => {
        const replica = new KillableReplica(
          COMMAND,
          {
            SOTTO_DATABASE_URL_FILE: join(folder, 'database-url'),
            SOTTO_SERVICE: 'sandbox',
            SOTTO_DATA_DIR: folder,
            // The options are the container's.
            SOTTO_CONTAINER_IMAGE: '1',
          },
          flagsAt(port),
        )
        onTestFinished(() => replica.kill())
        replica.start()
        return replica
      })
      for (const replica of replicas) await replica.started()

      const port = await startCaddy(folder, ports)
      await expect
        .poll(
          () =>
            ask(port, '/readyz', secret).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 20_000 },
        )
        .toBe(200)

      const used = () =>
        database.query(z.object({ replica_id: z.string() }), 'SELECT DISTINCT replica_id FROM receipts')
      await expect
        .poll(async () => {
          expect((await ask(port, '/v1/chat/completions', secret, chat(false))).status).toBe(200)
          return (await used()).length
        })
        .toBe(2)
      const streamed = await ask(port, '/v1/chat/completions', secret, chat(true))
      expect([streamed.status, streamed.type]).toEqual([200, expect.stringContaining('text/event-stream')])
      expect(streamed.body).toContain('data: [DONE]')
      expect((await ask(port, '/v1/models', 'sk-sotto-wrong')).status).toBe(401)

      await replicas[0]?.kill()
      const next = async () => (await ask(port, '/v1/chat/completions', secret, chat(false))).status
      let status = 200
      for (let request = 0; request < 20 && status === 200; request++) status = await next()
      expect([200, 502]).toContain(status)
      // The replica is avoided after its first failure, for 5 seconds.
      expect([await next(), await next(), await next()]).toEqual([200, 200, 200])
    },
  )
})
