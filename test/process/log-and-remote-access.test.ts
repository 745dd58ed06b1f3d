import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientOver } from '../../src/cli/client.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { renderEnglish, type LocalizedText } from '../../src/shared/localized-text.ts'
import { parseLog } from '../host/log/documented-line.ts'
import { placeRoots } from '../sandbox/cached-roots.ts'
import { codesIn, runSotto, startSotto, type SottoProcess } from './sotto-process.ts'
import { atTerminal, CTRL_C, hasTerminal } from './terminal.ts'

let folder: string
const running: SottoProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-reach-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sotto) => sotto.stop('SIGKILL')))
  await rm(folder, { recursive: true, force: true })
})
async function start(environment: Record<string, string> = {}): Promise<SottoProcess> {
  const sotto = await startSotto(folder, environment)
  running.push(sotto)
  return sotto
}
const HOST =
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}
function status(port: number, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(
      {
        host: HOST,
        port,
        path: '/v1/models',
        agent: false,
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${key}` },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
      .once('error', reject)
      .end()
  })
}

describe('the log of a running Sotto', () => {
  it('is not written by default', async () => {
    const sotto = await start()
    expect(await sotto.stop('SIGTERM')).toBe(0)
    expect(await readdir(folder)).not.toContain('logs')
    expect(sotto.stderr()).toBe('')
  })

  it('records the start and the stop', async () => {
    const sotto = await start({ SOTTO_LOG_LEVEL: 'info' })
    expect(await sotto.stop('SIGTERM')).toBe(0)
    const lines = (await readFile(join(folder, 'logs', 'sotto.log'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { event: string })
    expect(lines.map(({ event }) => event)).toEqual([
      'sotto/started',
      'vault/opened',
      'proxy/listening',
      'sotto/stopped',
    ])
  })
})

describe('a log on standard error', () => {
  const environment = {
    SOTTO_LOG_LEVEL: 'info',
    SOTTO_LOG_TO: 'stderr',
    SOTTO_PORT: '0',
    SOTTO_VAULT: 'file',
  }

  it('has the method, the route and the key of a refusal, and no content of the request', async () => {
    const sotto = await start({ SOTTO_LOG_LEVEL: 'info', SOTTO_LOG_TO: 'stderr' })
    const { baseUrl, key } = sotto.ready.proxy
    const secret = 'sk-canary-4711'
    const ask = async (path: string, bearer: string, method = 'GET') =>
      (
        await fetch(`${baseUrl}/${path}`, { method, headers: { authorization: `Bearer ${bearer}` } })
      ).arrayBuffer()
    await ask('models?canary', secret)
    await ask('videos/canary', secret)
    await ask('canary', secret, 'DELETE')
    await ask('models', `${secret}-other`)
    await ask('responses/canary', key!)
    await sotto.stop('SIGTERM')
    const refused = parseLog(sotto.stderr()).filter(({ event }) => event === 'proxy/refused')
    expect(refused).toMatchObject([
      { method: 'GET', route: '/v1/models', code: 'auth/invalid-api-key', status: 401 },
      { method: 'GET', route: '/v1/videos/{id}', code: 'auth/invalid-api-key' },
      { method: 'DELETE', route: 'unknown', code: 'proxy/path-unknown', status: 404 },
      { method: 'GET', route: '/v1/models', code: 'auth/invalid-api-key' },
      { method: 'GET', route: '/v1/responses/{id}', localKey: expect.any(String) as unknown },
    ])
    const [first, second, third, other, known] = refused.map(({ keyFingerprint }) => keyFingerprint)
    expect(first).toMatch(/^[0-9a-f]{8}$/)
    expect([second, third]).toEqual([first, first])
    expect(other).not.toBe(first)
    expect(known).toBeUndefined()
    for (const forbidden of ['canary', secret, key!]) expect(sotto.stderr()).not.toContain(forbidden)
  })

  it('has only JSON if the start fails, and the message goes to standard output', async () => {
    const { code, stdout, stderr } = await runSotto(['serve', '--no-open'], {
      ...environment,
      SOTTO_DATA_DIR: join(folder, 'x'.repeat(300)),
      SOTTO_PASSPHRASE: 'correct horse',
    })
    expect(code).toBe(1)
    expect(parseLog(stderr).map(({ event, level }) => [event, level])).toEqual([['sotto/failed', 'error']])
    expect(stdout).toContain(String(parseLog(stderr)[0]!['code']))
  })

  it('has only JSON if Sotto restricts a folder that others could read', async () => {
    await mkdir(join(folder, 'logs'), { mode: 0o755 })
    await chmod(join(folder, 'logs'), 0o755)
    const sotto = await start({ SOTTO_LOG_LEVEL: 'info', SOTTO_LOG_TO: 'stderr' })
    await sotto.stop('SIGTERM')
    expect(parseLog(sotto.stderr()).map(({ event }) => event)).toEqual([
      'sotto/started',
      'vault/opened',
      'proxy/listening',
      'sotto/stopped',
    ])
  })
})

describe('a confirmation and its code', () => {
  const LOGGED = { SOTTO_LOG_LEVEL: 'info', SOTTO_LOG_TO: 'stderr' }
  const events = (text: string): unknown[] => parseLog(text).map(({ event }) => event)

  it('are refused without a terminal if the log goes to standard error', async () => {
    const sotto = await start(LOGGED)
    expect(await sotto.call('profiles/choose', { profileId: 'ppq' })).toMatchObject({
      data: { code: 'confirm/no-terminal' },
    })
    expect(await sotto.call('confirmations/pending')).toBeNull()
    await sotto.stop('SIGTERM')
    expect(events(sotto.stderr())).toEqual([
      'sotto/started',
      'vault/opened',
      'proxy/listening',
      'sotto/stopped',
    ])
  })

  it.runIf(hasTerminal)('go to the controlling terminal, and not to a log on standard error', async () => {
    const logged = join(folder, 'log.jsonl')
    await placeRoots(join(folder, 'sandbox'))
    const terminal = atTerminal(
      ['serve', '--no-open'],
      {
        ...LOGGED,
        SOTTO_DATA_DIR: folder,
        SOTTO_PORT: '0',
        SOTTO_VAULT: 'file',
        SOTTO_PASSPHRASE: 'correct horse',
      },
      logged,
    )
    await terminal.shows('To quit Sotto, press Ctrl-C.')
    const client = clientOver(ownerFetch(folder))
    const chosen = client.localApi.create({ name: 'Monitor', limits: { grants: ['metrics'] } })
    await terminal.shows('To allow it, enter this code: ')
    await expect.poll(() => codesIn(terminal.written())).toHaveLength(1)
    const [code = ''] = codesIn(terminal.written())
    const { id = '' } = (await client.confirmations.pending()) ?? {}
    expect(await client.confirmations.answer({ id, code: '0' })).toEqual({
      accepted: false,
      retryAfterSeconds: 1,
    })
    await terminal.shows('A wrong code was entered. Codes are accepted again in 1 second.')
    await expect
      .poll(() => client.confirmations.answer({ id, code }).catch(() => null))
      .toEqual({ accepted: true })
    expect(await chosen).toMatchObject({ key: { name: 'Monitor' } })
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(0)
    expect(events(await readFile(logged, 'utf8'))).toEqual([
      'sotto/started',
      'vault/opened',
      'proxy/listening',
      'sotto/stopped',
    ])
  })
})

describe('remote access', () => {
  it('waits for the code from the terminal, and needs it once', async () => {
    const port = await freePort()
    const first = await start({ SOTTO_BIND: `${HOST}:${String(port)}` })
    const codeIn = () => codesIn(first.stderr())[0]
    await expect.poll(codeIn).toBeDefined()
    await expect(status(port, first.ready.proxy.key!)).rejects.toThrow()
    const pending = (await first.call('confirmations/pending')) as { id: string; says: LocalizedText }
    expect(renderEnglish(pending.says)).toContain(HOST)
    await first.call('confirmations/answer', { id: pending.id, code: codeIn()! })
    await expect
      .poll(() => first.stderr())
      .toMatch(/Also at https:.* with the certificate of SHA-256 [0-9A-F:]{95}/)
    expect(await status(port, first.ready.proxy.key!)).toBe(200)
    await first.stop('SIGTERM')
    const second = await start({ SOTTO_BIND: `${HOST}:${String(port)}` })
    await expect.poll(() => second.stderr()).toContain('Also at https:')
    expect(second.stderr()).not.toContain('enter this code')
    expect(/SHA-256 (\S+)/.exec(second.stderr())![1]).toBe(/SHA-256 (\S+)/.exec(first.stderr())![1])
  }, 120_000)

  it('is refused before the start with an option that works only in a container', async () => {
    const { code, stderr } = await runSotto(
      ['serve', '--bind', '10.0.0.1:9000', '--insecure-plaintext-in-container'],
      { SOTTO_DATA_DIR: folder },
    )
    expect(code).toBe(2)
    expect(stderr).toContain('works only in Sotto’s container image')
    expect(await readdir(folder)).toEqual([])
  })
})
